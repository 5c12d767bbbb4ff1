import Foundation
import HTTPServing
import Synchronization

/// The pages that may use the agent: those that a person has said yes to, and those that the agent
/// was started with.
///
/// A page's token follows from the agent's own and from the page's origin: it opens nothing to
/// another page, and a new token of the agent ends all of them.
final class PairedOrigins: Sendable {
  private let token: AccessToken
  private let beforehand: Set<Origin>
  /// The file that alone says which pages a person has paired: whoever takes a line out ends a
  /// pairing at once.
  private let path: String
  private let writing = Mutex(())

  init(_ settings: AgentSettings) {
    (token, beforehand, path) = (settings.token, settings.origins, settings.pairings)
  }

  private var paired: Set<Origin> {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return Set(text.split(separator: "\n").compactMap { Origin(String($0)) })
  }

  func contains(_ origin: Origin) -> Bool {
    beforehand.contains(origin) || paired.contains(origin)
  }

  /// Keeps a page that a person has said yes to. Throws where the file cannot be written.
  func insert(_ origin: Origin) throws(PrivateFile.Failure) {
    guard !contains(origin) else { return }
    try writing.withLock { _ throws(PrivateFile.Failure) in
      let text = paired.union([origin]).map { $0.description + "\n" }.sorted().joined()
      try PrivateFile.write(Array(text.utf8), to: path)
    }
  }

  /// Returns what opens the agent to a page of `origin` alone.
  func pageToken(of origin: Origin) -> String {
    Data(token.sign("page\n\(origin)")).base64EncodedString()
  }

  /// Takes as long for a wrong text as for the right one.
  func accepts(_ text: some StringProtocol, from origin: Origin) -> Bool {
    AccessToken.areEqual(Array(text.utf8), Array(pageToken(of: origin).utf8))
  }
}
