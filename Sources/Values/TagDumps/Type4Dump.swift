import Bytes
import JSON
import TagMemory

/// The files of a Type 4 tag as JSON of this program's own, since no other program has a form for
/// them: `FileType` `type4 files`, `files` by their identifiers.
///
///     { "Created": "nfcprog", "FileType": "type4 files",
///       "Card": { "UID": "04A1…", "ATQA": "4403", "SAK": "20" },
///       "Mirrored": true,
///       "files": { "E103": "000F20…", "E104": "0000…" } }
///
/// `Mirrored` stands there where the tag fills in a part of the message as it is read.
enum Type4Dump {
  static let fileType = "type4 files"

  static func parse(_ root: JSONValue) throws(DumpError) -> TagDump {
    guard let members = root.member("files")?.object, !members.isEmpty else {
      throw DumpError("no files, which a dump of a Type 4 tag has")
    }
    var files: [(file: FileID, bytes: [UInt8])] = []
    for member in members {
      let line = member.namePosition.line
      guard member.name.utf8.count == 4, let number = UInt16(member.name, radix: 16),
        !files.contains(where: { $0.file.rawValue == number })
      else {
        throw DumpError(
          line: line,
          "\u{201C}\(member.name)\u{201D} is no identifier of a file (four hexadecimal digits), or there twice"
        )
      }
      guard let text = member.value.string, let bytes = try? Hex.bytes(text), bytes.count <= 0x10000
      else {
        throw DumpError(
          line: member.value.position.line, "the bytes of a file are hexadecimal digits in pairs")
      }
      files.append((FileID(number), bytes))
    }
    guard let text = root.member("Card")?.member("UID")?.string, let uid = try? Hex.bytes(text),
      [4, 7, 10].contains(uid.count), var image = MemoryImage(files: files, uid: UID(uid))
    else { throw DumpError("no UID of 4, 7 or 10 bytes") }
    image.isMirrored = root.member("Mirrored")?.bool ?? false
    return TagDump(image)
  }

  /// The file's members behind `Created`; `card` are those of `Card`.
  static func members(_ image: MemoryImage) -> [(name: String, bytes: [UInt8])] {
    image.files.map { (Hex.string($0.file.bytes).uppercased(), $0.bytes) }
  }

  /// Why another format cannot hold one.
  static func refusal(_ format: String) -> DumpError {
    DumpError("\(format) cannot hold the files of a Type 4 tag; use .json")
  }
}

extension JSONValue {
  /// The member `name` of an object; nil without one.
  fileprivate func member(_ name: String) -> JSONValue? { object?.first { $0.name == name }?.value }
}
