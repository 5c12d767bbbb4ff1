/// Where it is kept what happened to the jobs of a series, and where that has brought each of them,
/// so that it outlives the process: a file, or a database that several benches share.
///
/// A store asks the rules (`JobStanding.decide`) in one transaction with what they look at, and
/// writes down what they say happens; where a job stands then, `JobStanding.apply` says. Both is on
/// the disk when it answers. It has constraints of its own for the worst: one tag a job, one job a
/// tag, one job a message, states that follow each other.
package protocol SeriesStore {
  associatedtype Failure: Error

  /// Has the rules decide commands on a job, one after the other, and writes down what they say
  /// happens: all of it or nothing. `told` says where, when and why, `id` names the last event.
  mutating func perform(
    _ commands: [LedgerCommand], on job: Int, as id: EventID, telling told: Event
  ) throws(Failure) -> LedgerDecision

  /// Where the job stands; nil: there is no such job.
  func standing(ofJob number: Int) throws(Failure) -> JobStanding?

  /// The numbers of the jobs of which this is so, in order.
  func jobs(where condition: JobCondition) throws(Failure) -> [Int]

  /// Returns what happened after the event with this number, in order, `limit` at most: whoever
  /// watches the line reads on from the last one that he has, and holds up nobody.
  func events(after number: Int64, limit: Int) throws(Failure) -> [Event]

  /// Returns whether the tag is not to be used.
  func isScrap(_ tag: [UInt8]) throws(Failure) -> Bool
}

/// Which jobs are asked for.
package enum JobCondition: Hashable, Sendable {
  /// The tag of this UID has it, or may have it.
  case onTag([UInt8])
  /// Its message, written or to be written, has this SHA-256.
  case holding([UInt8])
  /// No message can be made of it.
  case failed
}
