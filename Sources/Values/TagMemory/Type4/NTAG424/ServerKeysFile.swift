import Bytes

extension ServerKeys {
  /// The file's lines.
  package var lines: [String] {
    ["version = \(version)", "meta-read = \(metaRead)", "file-read = \(fileRead)"]
      + (shared.map { ["key \(metaRead) = \(Hex.string($0.bytes))"] } ?? [])
      + tags.map { tag in
        let own = tag.meta.map { " " + Hex.string($0.bytes) } ?? ""
        return "\(tag.uid.hex) = \(Hex.string(tag.code.bytes))\(own)"
      }
  }

  /// Returns whether a line of this name stands in such a file alone: a tag's UID, or `key 1`.
  static func isName(_ name: String) -> Bool { uid(name) != nil || name.hasPrefix("key ") }

  private static func uid(_ name: String) -> UID? {
    guard let bytes = try? Hex.bytes(name), bytes.count == 7 else { return nil }
    return UID(bytes)
  }

  /// Reads a file's text; nil where it is none of these, but perhaps a key ring's. Throws the first
  /// line that is wrong.
  package init?(parsing text: String) throws(KeyRingFile.FormatError) {
    let lines: [KeyFileLine]
    do throws(KeyRingFile.FormatError) {
      lines = try KeyFileLine.all(in: text)
    } catch {
      return nil
    }
    guard lines.contains(where: { Self.isName($0.name) }) else { return nil }
    var (numbers, shared, tags) = ([String: UInt8](), AESKey?.none, [Tag]())
    for line in lines {
      if let uid = Self.uid(line.name) {
        let keys = line.value.split(separator: " ").map { line.key($0) }
        guard 1...2 ~= keys.count, let code = keys[0], let meta = keys.last, meta != nil else {
          throw line.fault("Behind a tag's UID stand its keys, one or two of 32 digits each.")
        }
        tags.append(Tag(uid: uid, code: code, meta: keys.count == 2 ? meta : nil))
      } else if ["version", "meta-read", "file-read"].contains(line.name) {
        guard let number = UInt8(line.value) else {
          throw line.fault("\(line.name) is a number from 0 to 255.")
        }
        numbers[line.name] = number
      } else if line.name.hasPrefix("key ") {
        guard let key = line.key(line.value[...]) else {
          throw line.fault("\(line.name) has 32 hexadecimal digits.")
        }
        shared = key
      } else {
        throw line.fault("A line of a file for a server has a tag's UID, or is of its head.")
      }
    }
    if shared == nil, tags.contains(where: { $0.meta == nil }) {
      throw KeyRingFile.FormatError(
        line: 0, description: "The file has no key for UID and counter of every tag.")
    }
    self.init(shared: shared, tags: tags)
    version = numbers["version"] ?? version
    metaRead = numbers["meta-read"] ?? metaRead
    fileRead = numbers["file-read"] ?? fileRead
  }
}

/// A line `name = value` of a file with keys.
struct KeyFileLine {
  /// From 1.
  let number: Int
  let name: String
  let value: String

  func fault(_ text: String) -> KeyRingFile.FormatError {
    KeyRingFile.FormatError(line: number, description: text)
  }

  /// Sixteen bytes of 32 digits; nil for anything else.
  func key(_ digits: Substring) -> AESKey? { (try? Hex.bytes(String(digits))).flatMap(AESKey.init) }

  /// The lines of `text` without comments and blank ones; throws the first that is none, and a
  /// name's second line.
  static func all(in text: String) throws(KeyRingFile.FormatError) -> [KeyFileLine] {
    var (found, names): ([KeyFileLine], Set<String>) = ([], [])
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let content = trimmed(line.prefix { $0 != "#" })
      guard !content.isEmpty else { continue }
      guard let sign = content.firstIndex(of: "=") else {
        throw KeyRingFile.FormatError(line: index + 1, description: "A line is “name = value”.")
      }
      let line = KeyFileLine(
        number: index + 1, name: trimmed(content[..<sign]),
        value: trimmed(content[content.index(after: sign)...]))
      guard names.insert(line.name).inserted else { throw line.fault("\(line.name) stands twice.") }
      found.append(line)
    }
    return found
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let rest = text.drop { $0.isWhitespace }
    return String(rest.reversed().drop { $0.isWhitespace }.reversed())
  }
}
