import Bytes

/// Lines and hexadecimal bytes of text formats.
enum DumpText {
  /// Larger files are no dumps of a tag.
  static let longest = 1_000_000

  /// The lines of a text, without their ends. Throws for what is no text.
  static func lines(_ bytes: [UInt8]) throws(DumpError) -> [Substring] {
    guard bytes.count <= longest else { throw DumpError("longer than any tag's") }
    guard var text = String(validating: bytes, as: UTF8.self)?[...] else {
      throw ForeignFile(bytes).map { DumpError($0) } ?? DumpError("not text in UTF-8")
    }
    if text.first == "\u{FEFF}" { text = text.dropFirst() }
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  /// `count` bytes, spaces between them or not; two of `unknown` stand for one that is not known.
  static func bytes(
    _ text: some StringProtocol, count: Int, unknown: Character, line: Int?
  ) throws(DumpError) -> [UInt8?] {
    let digits = Array(text.filter { $0 != " " && $0 != "\t" })
    guard digits.count == count * 2 else {
      throw DumpError(line: line, "\(count) bytes are needed, there are \(digits.count / 2)")
    }
    var bytes: [UInt8?] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = digits[index...index + 1]
      if pair.allSatisfy({ $0 == unknown }) {
        bytes.append(nil)
        continue
      }
      guard pair.allSatisfy(\.isASCII), let high = pair.first?.hexDigitValue,
        let low = pair.last?.hexDigitValue
      else {
        throw DumpError(line: line, "\u{201C}\(String(pair))\u{201D} are not hexadecimal digits")
      }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }

  /// All of these bytes; throws where one is not known.
  static func known(_ text: some StringProtocol, count: Int, line: Int?) throws(DumpError)
    -> [UInt8]
  {
    let known = try bytes(text, count: count, unknown: "?", line: line).compactMap(\.self)
    guard known.count == count else { throw DumpError(line: line, "a byte is not known") }
    return known
  }

  /// `04 A1 ??`, or without `separator` between the bytes.
  static func string(_ bytes: [UInt8?], separator: String, unknown: String = "??") -> String {
    bytes.map { $0.map { Hex.byte($0).uppercased() } ?? unknown }.joined(separator: separator)
  }
}
