/// Where it is kept which job is on which tag, so that it outlives the process: a file, or a
/// database that several benches share.
///
/// A store decides by the rules of `JobStanding.decide`, in one transaction with what they look at,
/// and is on the disk when it answers. It has constraints of its own for the worst: one tag a job,
/// one job a tag, one job a message, states that follow each other.
package protocol LedgerStore: Sendable {
  associatedtype Failure: Error

  /// Where the job stands; nil: there is no such job.
  func standing(ofJob number: Int) throws(Failure) -> JobStanding?

  /// The job that the tag has, or may have.
  func job(ofTag uid: [UInt8]) throws(Failure) -> Int?

  /// The job whose message, written or to be written, has this SHA-256.
  func job(ofMessage digest: [UInt8]) throws(Failure) -> Int?

  /// What happened after the event with this number, in order, `limit` at most: whoever watches the
  /// line reads on from the last one that he has, and holds up nobody.
  func events(after number: Int64, limit: Int) throws(Failure) -> [Event]
}
