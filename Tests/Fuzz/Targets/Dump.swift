import TagDumps
import TagMemory

/// A dump that can be read is written in every format that has room for it, and what was written is
/// read back as it was.
enum DumpTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    guard let dump = try? TagDump(parsing: bytes) else { return }
    for format in DumpFormat.allCases {
      guard let file = try? dump.serialize(as: format) else { continue }
      // Raw bytes carry no name of their format.
      guard DumpFormat(content: file) == format else {
        try require(format == .raw, "\(format) is taken for another format")
        continue
      }
      guard let again = try? TagDump(parsing: file) else {
        throw Broken("\(format) cannot be read back")
      }
      try require(
        (try? again.serialize(as: format)) == file, "\(format) is another when written again")
    }
  }
}
