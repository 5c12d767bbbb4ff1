import Bytes

/// A file that holds the keys of a series of NTAG 424 DNA, as text: Docs/Formats.md, Key rings.
///
///     scheme = an10922        # or fixed, sdm-backend, bolt-card, an10922-short
///     master = 00112233445566778899AABBCCDDEEFF
///     name = shop             # an10922: goes into every key
///     version = 1             # stored beside each key, 1 to 255
///     meta-read = 1           # the key for UID and counter
///     file-read = 2           # the key for file data and code
///
/// With `fixed` it has `key0` to `key4` in place of `master`.
public enum KeyRingFile {
  /// The error says what is wrong with a line; nothing of the line is repeated.
  public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1; 0 for the file as a whole.
    public let line: Int
    public let description: String
  }

  private static let names: Set<String> = [
    "scheme", "master", "name", "version", "meta-read", "file-read", "key0", "key1", "key2", "key3",
    "key4",
  ]

  /// Reads a file's text; throws the first line that is wrong.
  public static func parse(_ text: String) throws(FormatError) -> KeyRing {
    let values = try values(text)
    func secret(_ name: String) throws(FormatError) -> AESKey {
      guard let (line, value) = values[name] else {
        throw FormatError(line: 0, description: "The file has no \(name).")
      }
      guard let bytes = try? Hex.bytes(value), let key = AESKey(bytes) else {
        throw FormatError(line: line, description: "\(name) has 32 hexadecimal digits.")
      }
      return key
    }
    func number(_ name: String, _ range: ClosedRange<Int>, _ usual: UInt8) throws(FormatError)
      -> UInt8
    {
      guard let (line, value) = values[name] else { return usual }
      guard let number = Int(value), range.contains(number) else {
        throw FormatError(
          line: line,
          description: "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
      }
      return UInt8(number)
    }
    let scheme: KeyRing.Scheme
    switch values["scheme"]?.value {
    case "fixed":
      var keys: [AESKey] = []
      for index in KeyRing.keyNumbers { keys.append(try secret("key\(index)")) }
      scheme = .fixed(keys)
    case let named? where named == "an10922" || named == "an10922-short":
      let name = values["name"].map { Array($0.value.utf8) } ?? []
      guard name.count <= 22 else {
        throw FormatError(
          line: values["name"]?.line ?? 0, description: "name has 22 characters at most.")
      }
      let master = try secret("master")
      scheme =
        named == "an10922"
        ? .an10922(master: master, name: name) : .an10922Short(master: master, name: name)
    case "sdm-backend": scheme = .sdmBackend(master: try backendMaster(values["master"]))
    case "bolt-card": scheme = .boltCard(issuer: try secret("master"))
    default:
      throw FormatError(
        line: values["scheme"]?.line ?? 0,
        description:
          "The line scheme = … is missing or unknown. Schemes are fixed, an10922, sdm-backend and bolt-card, and an10922-short for older tags."
      )
    }
    let ring = KeyRing(
      scheme, version: try number("version", 1...255, 1),
      metaRead: try number("meta-read", 0...4, 1), fileRead: try number("file-read", 0...4, 2))
    guard ring.sharedMetaKey != nil else {
      throw FormatError(
        line: values["meta-read"]?.line ?? 0,
        description: "With this scheme key 1 alone is the same on all tags: meta-read is 1.")
    }
    return ring
  }

  /// sdm-backend takes 16 bytes, and 32.
  private static func backendMaster(
    _ given: (line: Int, value: String)?
  ) throws(FormatError) -> SDMBackendMaster {
    guard let (line, value) = given else {
      throw FormatError(line: 0, description: "The file has no master.")
    }
    guard let bytes = try? Hex.bytes(value), let master = SDMBackendMaster(bytes) else {
      throw FormatError(
        line: line, description: "master of sdm-backend has 32 or 64 hexadecimal digits.")
    }
    return master
  }

  private static func values(_ text: String) throws(FormatError) -> [String: (
    line: Int, value: String
  )] {
    var values: [String: (line: Int, value: String)] = [:]
    for line in try KeyFileLine.all(in: text) {
      guard line.name != "master-id" else {
        throw line.fault(
          "The file names the master key and does not have it. Give the file that has it.")
      }
      guard !ServerKeys.isName(line.name) else {
        throw line.fault(
          "The file was made for a server: verify-sun takes it, and a tag needs more keys.")
      }
      guard names.contains(line.name) else {
        throw line.fault("A line begins with \(names.sorted().joined(separator: ", ")).")
      }
      values[line.name] = (line.number, line.value)
    }
    return values
  }
}
