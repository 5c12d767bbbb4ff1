import TagMemory

/// The fields of a Flipper file by their names, with the lines where they stand.
struct FlipperFields {
  private var fields: [String: (value: String, line: Int)] = [:]

  init(_ bytes: [UInt8]) throws(DumpError) {
    for (index, line) in try DumpText.lines(bytes).enumerated() {
      let text = line.drop { $0 == " " }
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      guard let colon = text.firstIndex(of: ":") else {
        throw DumpError(line: index + 1, "it has no colon after the name")
      }
      let name = String(text[..<colon])
      let value = text[text.index(after: colon)...].drop { $0 == " " }
      guard fields.updateValue((String(value), index + 1), forKey: name) == nil else {
        throw DumpError(line: index + 1, "\u{201C}\(name)\u{201D} appears twice")
      }
    }
  }

  subscript(name: String) -> String? { fields[name]?.value }

  func line(_ name: String) -> Int? { fields[name]?.line }

  func number(_ name: String) throws(DumpError) -> Int? {
    guard let field = fields[name] else { return nil }
    guard let number = Int(field.value.filter { $0 != " " }), 0...0xFF_FFFF ~= number else {
      throw DumpError(line: field.line, "no number from 0 to 16777215")
    }
    return number
  }

  func bytes(_ name: String, count: Int) throws(DumpError) -> [UInt8]? {
    guard let field = fields[name] else { return nil }
    let bytes = try DumpText.known(field.value, count: count, line: field.line)
    return bytes.count == count ? bytes : nil
  }

  func uid() throws(DumpError) -> UID? {
    guard let field = fields["UID"] else { return nil }
    let count = field.value.count { $0.isHexDigit } / 2
    guard [4, 7, 10].contains(count) else {
      throw DumpError(line: field.line, "a UID has 4, 7 or 10 bytes, here are \(count)")
    }
    return UID(try DumpText.known(field.value, count: count, line: field.line))
  }

  /// The highest number of a row; nil without rows. Throws for a row whose number no tag has, which
  /// would otherwise be left out.
  func highest(_ label: String) throws(DumpError) -> Int? {
    var highest: Int?
    for (name, field) in fields where name.hasPrefix(label + " ") {
      let digits = name.dropFirst(label.count + 1)
      guard digits.allSatisfy({ $0.isASCII && $0.isWholeNumber }) else { continue }
      guard let number = Int(digits), number < Self.rowLimit, String(number) == digits else {
        throw DumpError(line: field.line, "no tag has a \(label.lowercased()) \(digits)")
      }
      highest = max(highest ?? number, number)
    }
    return highest
  }

  /// More than any tag has.
  private static let rowLimit = 4096

  /// Rows 0 to `count` - 1, each there; those beyond `upTo` may be missing.
  func rows(_ label: String, count: Int, size: Int, upTo: Int? = nil) throws(DumpError) -> [UInt8?]
  {
    var bytes: [UInt8?] = []
    for number in 0..<count {
      if let field = fields["\(label) \(number)"] {
        bytes += try DumpText.bytes(field.value, count: size, unknown: "?", line: field.line)
      } else if number > upTo ?? count {
        bytes += [UInt8?](repeating: nil, count: size)
      } else {
        throw DumpError("\(label) \(number) is missing")
      }
    }
    return bytes
  }
}
