/// An event as people are shown it: with the names of its batch, its bench, its run and its job.
package struct NamedEvent: Hashable, Sendable {
  package var event: Event
  package var batch: String
  /// The machine, or the pool's name of the bench; empty: not known.
  package var bench: String
  package var jobName: String?
  /// The run of the bench; nil: not known.
  package var run: String?
  /// When the store has heard of it, by a clock of its own; nil: it has none. Milliseconds since
  /// 1970.
  package var told: Int64?

  package init(
    _ event: Event, batch: String, bench: String, jobName: String? = nil, run: String? = nil,
    told: Int64? = nil
  ) {
    (self.event, self.batch, self.bench) = (event, batch, bench)
    (self.jobName, self.run) = (jobName, run)
    self.told = told?.asStoredTime
  }

  /// Is true if it set the tag aside as not to be used.
  package var isScrap: Bool { event.what.setsAside }
}

/// What a station shows, as its bench has said, with the names of the bench, its run and the job.
package struct NamedStation: Hashable, Sendable {
  package var bench: String
  package var run: String
  package var shown: ShownStation
  package var jobName: String?

  package init(bench: String, run: String, shown: ShownStation, jobName: String? = nil) {
    (self.bench, self.run, self.shown, self.jobName) = (bench, run, shown, jobName)
  }
}
