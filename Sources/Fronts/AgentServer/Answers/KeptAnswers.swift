import Bytes
import CardCrypto
import Foundation
import HTTPServing
import Synchronization

/// Answers by idempotency key (draft-ietf-httpapi-idempotency-key-header): who has lost an answer
/// asks again with its key, and nothing is done twice.
///
/// A job is noted on the disk before it begins, and its answer when it has ended: after an agent
/// was killed in the middle, nobody takes a job that has begun for one that has not. A file holds
/// no key, no password and no request, only a digest of it that nobody else can make.
final class KeptAnswers: Sendable {
  /// What is kept of a request.
  private struct Note: Codable {
    var digest: String
    /// Nil while it is being done.
    var answer: AgentAnswer?
  }

  private let folder: String
  /// Requests that are being answered: digests by key.
  private let begun = Mutex<[String: String]>([:])
  /// How long an answer is kept.
  private static let lifetime = 24.0 * 3600

  /// Throws where the folder cannot be made.
  init(_ folder: String) throws(PrivateFile.Failure) {
    self.folder = folder
    try PrivateFile.makeFolder(folder)
    forgetOld()
  }

  private func forgetOld() {
    let files = FileManager.default
    let limit = Date(timeIntervalSinceNow: -Self.lifetime)
    for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
      let path = "\(folder)/\(name)"
      let changed = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
      if let changed, changed < limit { try? files.removeItem(atPath: path) }
    }
  }

  /// A request with a key, from when it was taken until its answer is sent.
  final class Request: Sendable {
    fileprivate let key: String
    fileprivate let digest: String
    private let answers: KeptAnswers

    fileprivate init(_ key: String, _ digest: String, of answers: KeptAnswers) {
      (self.key, self.digest, self.answers) = (key, digest, answers)
    }

    deinit { answers.begun.withLock { $0[key] = nil } }
  }

  /// What becomes of a request with a key.
  enum Taking {
    case fresh(Request)
    case answered(AgentAnswer)
  }

  /// Takes a request of `client`, whose keys are no other client's. Throws where the key is that of
  /// another request, where the same is being done, and where nobody knows how it has ended.
  func take(_ text: String, of client: String, digest: String) throws(Problem) -> Taking {
    guard (1...200).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw Problem(.badRequest, "An Idempotency-Key has 1 to 200 letters, digits and signs.")
    }
    let key = "\(client) \(text)"
    let reused = Problem(
      .reusedKey, "This Idempotency-Key came with another request. Nothing was done.")
    let known = begun.withLock { begun in
      let known = begun[key]
      if known == nil { begun[key] = digest }
      return known
    }
    if let known {
      guard known == digest else { throw reused }
      throw Problem(.inProgress, "The same request is being answered. Ask again.", retryAfter: 1)
    }
    let request = Request(key, digest, of: self)
    guard let data = FileManager.default.contents(atPath: path(key)) else { return .fresh(request) }
    guard let note = try? JSONDecoder().decode(Note.self, from: data) else { throw Self.unknown }
    guard note.digest == digest else { throw reused }
    guard let answer = note.answer else { throw Self.unknown }
    return .answered(answer)
  }

  private static let unknown = Problem(
    .notKnown,
    "The agent has ended while this was being done, and nobody knows what became of the tag. Look at the tag (GET …/tag), and ask with a new Idempotency-Key."
  )

  /// Notes that the request is being done. Throws where it cannot: then nothing may be done.
  func begin(_ request: Request) throws(Problem) {
    do throws(PrivateFile.Failure) {
      try write(Note(digest: request.digest), request.key)
    } catch {
      throw Problem(.failed, "The key could not be noted (\(error.reason)). Nothing was done.")
    }
  }

  /// Keeps the answer. Where that fails, it stays open how the request has ended.
  func finish(_ request: Request, _ answer: AgentAnswer) {
    try? write(Note(digest: request.digest, answer: answer), request.key)
  }

  /// The request did nothing: whoever asks again asks for the first time.
  func forget(_ request: Request) {
    try? FileManager.default.removeItem(atPath: path(request.key))
  }

  private func write(_ note: Note, _ key: String) throws(PrivateFile.Failure) {
    guard let data = try? JSONEncoder().encode(note) else { return }
    try PrivateFile.write(Array(data), to: path(key))
  }

  private func path(_ key: String) -> String {
    "\(folder)/\(Hex.string(SHA256.hash(key.utf8)))"
  }
}
