import Bytes
import TagMemory

/// Keys and passwords as text; what is wrong with one is said without repeating it.
package enum Secret {
  /// A MIFARE Classic key: 12 hexadecimal digits.
  package static func key(_ text: some StringProtocol) throws(SecretError) -> Key {
    guard let bytes = try? Hex.bytes(text), let key = Key(bytes) else { throw .notAKey }
    return key
  }

  /// A key of a DESFire: 16 hexadecimal digits (DES), 32 (AES or two-key triple DES) or 48
  /// (three-key triple DES).
  package static func cardKey(_ text: some StringProtocol) throws(SecretError) -> [UInt8] {
    guard let bytes = try? Hex.bytes(text), !DESFireKey.candidates(bytes).isEmpty else {
      throw .notAnyKey
    }
    return bytes
  }

  /// The key of an NDEF application: 32 hexadecimal digits.
  package static func applicationKey(_ text: some StringProtocol) throws(SecretError) -> [UInt8] {
    guard let bytes = try? Hex.bytes(text), bytes.count == 16 else { throw .notAnApplicationKey }
    return bytes
  }

  /// A key of either kind.
  package static func anyKey(_ text: some StringProtocol) throws(SecretError) -> AnyKey {
    if let key = try? key(text) { return .classic(key) }
    return .card(try cardKey(text))
  }

  /// A key by the tags that it may open.
  package enum AnyKey: Hashable {
    case classic(Key)
    case card([UInt8])
  }

  /// An NTAG or Ultralight EV1 password, 8 hexadecimal digits, or the key of an Ultralight C or
  /// AES, 32.
  package static func password(_ text: some StringProtocol) throws(SecretError) -> [UInt8] {
    guard let bytes = try? Hex.bytes(text), [4, Type2Key.byteCount].contains(bytes.count)
    else { throw .notAPassword }
    return bytes
  }

  /// The file that `derived:FILE` names; nil for anything else.
  package static func derivation(_ text: String?) -> String? {
    guard let text, text.hasPrefix("derived:") else { return nil }
    return String(text.dropFirst("derived:".count))
  }

  /// Returns what passwords follow from: the master key on the first line of `file`, 32 hexadecimal
  /// digits. Nobody but its owner may read it.
  package static func derivedPassword(file: String) throws(BenchError) -> DerivedPassword {
    try Files.requireSecret(file)
    let text = firstLine(String(decoding: try Files.read(file), as: UTF8.self))
    guard let bytes = try? Hex.bytes(text), let key = AESKey(bytes) else {
      throw BenchError(.badInput, "\(file): A master key has 32 hexadecimal digits.")
    }
    return DerivedPassword(key)
  }

  /// PACK: 4 hexadecimal digits.
  package static func pack(_ text: some StringProtocol) throws(SecretError) -> [UInt8] {
    guard let bytes = try? Hex.bytes(text), bytes.count == 2 else { throw .notAPack }
    return bytes
  }

  /// The password in `text`, else on the first line of `file`, else in the variable `variable` of
  /// `environment`; nil without any.
  package static func password(
    _ text: String?, variable: String?, of environment: Environment
  ) throws(BenchError) -> [UInt8]? {
    let (content, source, code): (String, String, BenchError.Code)
    if let text {
      (content, source, code) = (text, "The command line", .usage)
    } else if let variable, let value = environment[variable] {
      (content, source, code) = (value, variable, .configuration)
    } else {
      return nil
    }
    do throws(SecretError) {
      return try password(content)
    } catch {
      throw BenchError(code, "\(source): \(error.description)")
    }
  }

  /// The keys in a variable of the environment, apart by commas or white space.
  package static func keys(
    inVariable name: String, of environment: Environment
  ) throws(BenchError) -> [AnyKey] {
    let texts = (environment[name] ?? "").split { $0 == "," || $0.isWhitespace }
    var keys: [AnyKey] = []
    for text in texts {
      do throws(SecretError) {
        keys.append(try anyKey(text))
      } catch {
        throw BenchError(.configuration, "\(name): \(error.description)")
      }
    }
    return keys
  }

  /// The keys in a file's text, one a line; `#` starts a comment.
  package static func keys(inFile text: String) throws(KeyFileError) -> [AnyKey] {
    var keys: [AnyKey] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let content = firstLine(line.prefix { $0 != "#" })
      guard !content.isEmpty else { continue }
      guard let key = try? anyKey(content) else { throw KeyFileError(line: index + 1) }
      keys.append(key)
    }
    return keys
  }

  /// The first line of `text` without white space at its ends.
  package static func firstLine(_ text: some StringProtocol) -> String {
    let line = text.drop { $0.isWhitespace }.prefix { !$0.isNewline }
    return String(line.reversed().drop { $0.isWhitespace }.reversed())
  }
}

/// Why a text is not the secret it should be.
package enum SecretError: Error, Hashable, CustomStringConvertible {
  case notAKey
  case notAnyKey
  case notAnApplicationKey
  case notAPassword
  case notAPack
  /// Nothing follows the colon of `derived:`, `file:` or `env:`.
  case noName

  package var description: String {
    switch self {
    case .notAKey: "A MIFARE Classic key has 12 hexadecimal digits."
    case .notAnyKey:
      "A MIFARE Classic key has 12 hexadecimal digits, a DESFire key 16 (DES), 32 (AES, 2K3DES) or 48 (3K3DES)."
    case .notAnApplicationKey: "The key of an application has 32 hexadecimal digits (AES)."
    case .notAPassword: "A password has 8 hexadecimal digits, the key of an Ultralight C or AES 32."
    case .notAPack: "PACK has 4 hexadecimal digits."
    case .noName: "A name must follow the colon: derived:FILE, file:PATH or env:NAME."
    }
  }
}

/// A line of a key file is not a key; lines count from 1.
package struct KeyFileError: Error, Hashable {
  package let line: Int

  package init(line: Int) { self.line = line }
}
