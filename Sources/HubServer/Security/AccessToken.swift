import CardCrypto
import Foundation

/// The secret that opens a hub which others than this machine can reach. It is in no message, log
/// or document.
package struct AccessToken: Sendable {
  package static let shortest = 16
  private let hash: [UInt8]
  /// Signs login cookies.
  private let key: [UInt8]

  package init(_ text: String) throws(HubMistake) {
    guard text.utf8.count >= Self.shortest else {
      throw HubMistake(
        .configuration,
        "The token has \(text.utf8.count) bytes: it needs \(Self.shortest) or more.")
    }
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw HubMistake(
        .configuration, "The token has characters that no header can carry: use letters and digits."
      )
    }
    hash = SHA256.hash(text.utf8)
    key = HMAC.code(of: "nfcprog-hub login cookie".utf8, key: Array(text.utf8))
  }

  /// Reads the first line of a file that nobody but its owner and group may read.
  package init(file path: String) throws(HubMistake) {
    let files = FileManager.default
    guard let data = files.contents(atPath: path) else {
      throw HubMistake(.noInput, "The token file \(path) cannot be read.")
    }
    let mode = (try? files.attributesOfItem(atPath: path))?[.posixPermissions] as? NSNumber
    guard let mode, mode.intValue & 0o007 == 0 else {
      throw HubMistake(
        .configuration, "Everybody can read the token file \(path): run `chmod o= \(path)`.")
    }
    let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
    try self.init(line.trimmingCharacters(in: .whitespaces))
  }

  /// Takes as long for a wrong text as for the right one.
  func accepts(_ text: some StringProtocol) -> Bool {
    Self.areEqual(SHA256.hash(Array(text.utf8)), hash)
  }

  /// The proof that this token was shown.
  func sign(_ text: String) -> [UInt8] { HMAC.code(of: text.utf8, key: key) }

  static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
