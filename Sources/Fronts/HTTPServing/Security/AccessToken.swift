import CardCrypto
import Foundation

/// The secret that opens a server. It is in no message, log
/// or document.
package struct AccessToken: Sendable {
  package static let shortest = 16
  private let hash: [UInt8]
  /// Signs login cookies.
  private let key: [UInt8]

  /// `signing`: what signatures of this server are for.
  package init(
    _ text: String, signing purpose: String = "nfcprog-hub login cookie"
  ) throws(ServerMistake) {
    guard text.utf8.count >= Self.shortest else {
      throw ServerMistake(
        .configuration,
        "The token has \(text.utf8.count) bytes: it needs \(Self.shortest) or more.")
    }
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw ServerMistake(
        .configuration, "The token has characters that no header can carry: use letters and digits."
      )
    }
    guard Self.evidentBits(text) >= Self.fewestBits else {
      throw ServerMistake(
        .configuration,
        "The token can be guessed: its characters have less than \(Int(Self.fewestBits)) bits of chance. Make one with `head -c 24 /dev/urandom | base64`."
      )
    }
    hash = SHA256.hash(text.utf8)
    key = HMAC.code(of: purpose.utf8, key: Array(text.utf8))
  }

  /// So many that nobody tries all.
  private static let fewestBits = 128.0

  /// How many bits of chance a text can have at most, by what can be seen of it: which characters
  /// it has, how few of them, whether it repeats itself or counts up or down.
  static func evidentBits(_ text: String) -> Double {
    let bytes = Array(text.utf8)
    let period = (1...max(1, bytes.count / 2)).first { period in
      bytes.indices.dropFirst(period).allSatisfy { bytes[$0] == bytes[$0 - period] }
    }
    let once = bytes.prefix(period ?? bytes.count)
    let steps = zip(once, once.dropFirst()).count { abs(Int($0) - Int($1)) <= 1 }
    // A whole alphabet in its order.
    let count = Double(steps * 4 > once.count * 3 ? once.count - steps : once.count)
    let (kinds, seen) = (Double(alphabet(of: once)), Double(Set(once).count))
    // So many different ones of this alphabet would be there by chance.
    let expected = kinds * (1 - pow(1 - 1 / kinds, Double(once.count)))
    return count * log2(seen * 2 < expected ? max(1, seen) : kinds)
  }

  /// How many characters there are of the kinds that `bytes` has.
  private static func alphabet(of bytes: some Collection<UInt8>) -> Int {
    let characters = bytes.map { Character(Unicode.Scalar($0)) }
    let (small, large) = (
      characters.contains(where: \.isLowercase), characters.contains(where: \.isUppercase)
    )
    let (hasDigits, hasOthers) = (
      characters.contains(where: \.isNumber), characters.contains { !$0.isLetter && !$0.isNumber }
    )
    if hasOthers, !(small && large && characters.allSatisfy(isBase64)) { return 94 }
    if small, large { return 64 }
    let letters = small || large
    if characters.allSatisfy(\.isHexDigit) { return letters ? 16 : 10 }
    return hasDigits ? 36 : 26
  }

  private static func isBase64(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "+/-_=".contains(character)
  }

  /// Reads the first line of a file that nobody may read but its owner, and its group where
  /// `opensToGroup`.
  package init(
    file path: String, opensToGroup: Bool = true,
    signing purpose: String = "nfcprog-hub login cookie"
  ) throws(ServerMistake) {
    let files = FileManager.default
    guard let data = files.contents(atPath: path) else {
      throw ServerMistake(.noInput, "The token file \(path) cannot be read.")
    }
    let mode = (try? files.attributesOfItem(atPath: path))?[.posixPermissions] as? NSNumber
    let others = opensToGroup ? 0o007 : 0o077
    guard let mode, mode.intValue & others == 0 else {
      throw ServerMistake(
        .configuration,
        opensToGroup
          ? "Everybody can read the token file \(path): run `chmod o= \(path)`."
          : "Others can read the token file \(path): run `chmod go= \(path)`.")
    }
    let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
    try self.init(line.trimmingCharacters(in: .whitespaces), signing: purpose)
  }

  /// Takes as long for a wrong text as for the right one.
  package func accepts(_ text: some StringProtocol) -> Bool {
    Self.areEqual(SHA256.hash(Array(text.utf8)), hash)
  }

  /// The proof that this token was shown.
  package func sign(_ text: String) -> [UInt8] { HMAC.code(of: text.utf8, key: key) }

  package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
