/// A JSON text with the line and column of every value, the order of its names, and repeated names.
///
/// The parsers that come with Swift (`JSONDecoder`, `JSONSerialization`) tell none of these, and a
/// finding about a site association must say where it stands. RFC 8259, UTF-8 only; any input gives
/// a document or an error.
package struct JSONDocument: Hashable, Sendable {
  /// How many brackets may be open at once; `JSONSerialization` gives up at the same depth.
  package static let depthLimit = 512

  /// The outermost value.
  package let root: JSONValue
  /// Is true if EF BB BF precedes the text, which RFC 8259, 8.1, forbids to write.
  package let hasByteOrderMark: Bool
  /// The bytes of the text, a byte-order mark included.
  package let byteCount: Int

  /// Reads all of `bytes`; throws the first fault.
  package init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
    let bytes = Array(bytes)
    byteCount = bytes.count
    hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    if let name = Self.otherEncoding(of: bytes) {
      throw JSONError(
        fault: .otherEncoding(name), position: JSONPosition(line: 1, column: 1), path: JSONPath())
    }
    let scalars = try Self.decode(hasByteOrderMark ? bytes.dropFirst(3) : bytes[...])
    var parser = JSONParser(scalars)
    root = try parser.document()
  }

  private init(_ root: JSONValue, of document: JSONDocument) {
    self.root = root
    (hasByteOrderMark, byteCount) = (document.hasByteOrderMark, document.byteCount)
  }

  /// This document as it would be with another outermost value.
  package func replacingRoot(by root: JSONValue) -> JSONDocument { JSONDocument(root, of: self) }

  private static func otherEncoding(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      return "UTF-32"
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    return nil
  }

  /// The text of `bytes`; throws at the first byte that is not UTF-8.
  private static func decode(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(bytes.count)
    var (line, column) = (1, 1)
    var rest = bytes.makeIterator()
    var decoder = Unicode.UTF8.ForwardParser()
    while true {
      switch decoder.parseScalar(from: &rest) {
      case .emptyInput: return scalars
      case .error:
        throw JSONError(
          fault: .notUTF8, position: JSONPosition(line: line, column: column), path: JSONPath())
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        scalars.append(scalar)
        (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
      }
    }
  }
}
