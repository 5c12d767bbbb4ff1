import PN532Simulator

/// A virtual tag's file that can be read is written as it was read, makes a tag, and takes that
/// tag's content back.
enum TagFileTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    guard let file = try? TagFile(parsing: bytes) else { return }
    let text = file.serialize()
    try require(
      (try? TagFile(parsing: Array(text.utf8))) == file, "the file is another when read again")
    guard let tag = try? file.makeTag() else { return }
    var copy = file
    copy.update(from: tag)
    try require(copy == file, "the tag made of it is another")
  }
}
