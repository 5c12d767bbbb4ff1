/// A memory as lines of hexadecimal and ASCII, one line a row.
public enum HexDump {
  /// `label(row)`, the row's bytes in upper-case hexadecimal, then the printable ones as ASCII.
  /// `rowSize` bytes make a row: 16 for blocks, 4 for pages.
  public static func lines(
    _ bytes: some Collection<UInt8>, rowSize: Int, label: (Int) -> String
  ) -> [String] {
    var lines: [String] = []
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let row = rest.prefix(rowSize)
      rest = rest.dropFirst(rowSize)
      lines.append(
        "\(label(lines.count))  \(Hex.string(row, separator: " ").uppercased())  \(ascii(row))")
    }
    return lines
  }

  /// Printable ASCII as itself, everything else as a dot.
  public static func ascii(_ bytes: some Sequence<UInt8>) -> String {
    String(bytes.map { (0x20...0x7E).contains($0) ? Character(UnicodeScalar($0)) : "." })
  }
}
