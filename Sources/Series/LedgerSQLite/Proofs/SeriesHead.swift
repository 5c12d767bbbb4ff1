import Bytes

/// What a journal held at a moment, in a few bytes: whoever has signed it cannot say later that it
/// held something else.
package struct SeriesHead: Codable, Hashable, Sendable {
  /// The journal's name, 16 bytes.
  package let series: HexBytes
  /// How many events it had, and the number of the last.
  package let events: Int
  package let last: Int64
  /// The last one's seal.
  package let seal: HexBytes
  /// The root of the tree over the seals of all events.
  package let root: HexBytes

  /// What is signed: ASCII, a line each.
  var bytes: [UInt8] {
    let lines = [
      "nfcprog series head 1", "series \(Hex.string(series.bytes))", "events \(events)",
      "last \(last)", "seal \(Hex.string(seal.bytes))", "root \(Hex.string(root.bytes))",
    ]
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  /// By which a person compares two heads: SHA-256 of what is signed, 64 hexadecimal digits.
  package var digest: String { Hex.string(LedgerSQLite.digest(of: bytes)) }
}
