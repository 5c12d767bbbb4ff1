/// The name of an event, which the bench makes, so that the same event sent twice is
/// known. 16 random bytes, a UUID of version 4 (RFC 9562, 5.4).
package struct EventID: Hashable, Sendable {
  package let bytes: [UInt8]

  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  package init(using generator: inout some RandomNumberGenerator) {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    self.bytes = bytes
  }

  /// As it was stored; nil for anything but 16 bytes.
  package init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }
}

/// Something that happened to a job or a tag, the whole of it: where a job stands follows from its
/// events (`JobStanding.apply`), and what the line does is read here in order, also while it works.
package struct Event: Hashable, Sendable {
  /// Grows with every event of its store; where to go on reading.
  package var number: Int64
  package var what: Happening
  /// Of the job from then on; nil: its number is the epoch, or it changes no job.
  package var epoch: Int64?
  /// See `JobStanding.recalled`.
  package var recalled: Int64?
  /// Who says so.
  package var bench: String?
  /// The run of the bench: 16 bytes.
  package var run: [UInt8]?
  package var station: String?
  package var reader: String?
  /// The tag's type, as `sim:` calls it.
  package var tagType: String?
  /// Why, where something went wrong: a stable word, and a sentence.
  package var cause: String?
  package var text: String?
  /// Milliseconds since 1970, by the bench's clock; before the year 10000.
  package var started: Int64
  /// Microseconds; at most eleven days.
  package var duration: Int64
  /// What the time was spent on, as JSON.
  package var steps: String?
  /// The keys that the tag is to get, said without a secret, as JSON.
  package var keys: String?
  /// The epoch in which a pool has given the job to the bench, as the bench knew it then; nil: it
  /// is no bench of a pool, or has no such job.
  package var claim: Int64?
  /// Is true if a bench follows the word of its pool by it: it is not told there.
  package var isEcho = false

  package init(
    number: Int64 = 0, _ what: Happening, station: String? = nil, reader: String? = nil,
    cause: String? = nil, text: String? = nil, started: Int64, duration: Int64 = 0
  ) {
    (self.number, self.what) = (number, what)
    (self.station, self.reader) = (station, reader)
    (self.cause, self.text) = (cause, text)
    // Whoever writes to a store may write anything there, and times are added to each other.
    self.started = started.asStoredTime
    self.duration = min(max(duration, 0), 1_000_000_000_000)
  }

  /// What the rules say happens, of which nothing else is known. `bench`: whose the job is then.
  init(_ what: Happening, bench: String?, epoch: Int64, recalled: Int64?) {
    self.init(what, started: 0)
    (self.bench, self.epoch, self.recalled) = (bench, epoch, recalled)
  }

  /// This event, with what `told` says of it beside: where, when and why.
  package func told(as told: Event) -> Event {
    var event = told
    (event.what, event.bench) = (what, bench)
    (event.epoch, event.recalled) = (epoch, recalled)
    return event
  }

  /// What is said of all but the last that happens by commands, where this is said of the last.
  /// What comes before a recall only brings the job to where it was before the store was restored.
  package func before(_ commands: [LedgerCommand]) -> Event {
    if commands.contains(where: \.isRecall) {
      return Event(
        what, cause: TagCause.restored.rawValue, text: "The database was restored from a backup.",
        started: started)
    }
    var event = self
    event.number = 0
    return event
  }

  /// This is an event of the same job and tag that changes neither.
  package var changingNothing: Event {
    guard what.changesJob else { return self }
    var event = self
    event.what = .passed(job: job, tag: tag, setsAside: false)
    return event
  }

  /// `reserved`, `written`, `held`, … (Docs/Formats.md).
  package var kind: String { what.word }
  package var job: Int? { what.job }
  /// The tag's UID.
  package var tag: [UInt8]? { what.tag }
}
