import TagMemory

/// What a look at a tag has shown before anything is planned: what a decision about the tag goes by.
public struct TagFound: Sendable {
  public let target: Target
  public let product: Product?
  /// In CoreNFC's words; `notSupported` is a tag that is not formatted for NDEF (yet).
  public let status: NDEFStatus
  /// The longest message in bytes that fits; nil where the tag has to be formatted first to tell.
  public let capacity: Int?
  /// The bytes of the message on it: none when it is empty, nil when there is nothing that a reader takes for a message.
  public let message: [UInt8]?
}

/// The job for one tag: given, or decided once the tag was looked at, and then kept for every further pass.
final class JobChoice {
  /// Nil until it is decided.
  private(set) var job: Job?
  private let decide: (TagFound) throws(ProgramFailure) -> Job

  init(_ job: Job) {
    self.job = job
    decide = { _ in job }
  }

  init(deciding decide: @escaping (TagFound) throws(ProgramFailure) -> Job) { self.decide = decide }

  /// Decides; throws where the tag is to be left alone.
  func make(for found: TagFound) throws(Setback) -> Job {
    let job = try planning { () throws(ProgramFailure) in try decide(found) }
    self.job = job
    return job
  }
}
