import Bytes
import TagMemory

/// The file formats of tag dumps.
public enum DumpFormat: Hashable, Sendable, CaseIterable {
  /// The memory, byte after byte (libnfc's `.mfd`; of a FeliCa Lite its 24 or 27 blocks);
  /// Proxmark3's `.bin` of an Ultralight or NTAG has a head of 56 bytes.
  case raw
  /// Proxmark3's JSON.
  case proxmark
  /// Flipper Zero's `.nfc`.
  case flipper
  /// MIFARE Classic Tool's `.mct`.
  case classicTool

  /// The format that the end of a file's name stands for; nil where it stands for none.
  public init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "mfd", "bin", "dump": self = .raw
    case "json": self = .proxmark
    case "nfc": self = .flipper
    case "mct": self = .classicTool
    default: return nil
    }
  }

  /// The format of a file's content; nil for text that is in none of them.
  public init?(content: [UInt8]) {
    let text = content.drop { " \t\r\n".utf8.contains($0) || [0xEF, 0xBB, 0xBF].contains($0) }
    if text.starts(with: "Filetype: Flipper NFC device".utf8) {
      self = .flipper
    } else if text.starts(with: "+Sector".utf8) {
      self = .classicTool
    } else if text.first == UInt8(ascii: "{") {
      self = .proxmark
    } else if RawDump.image(content) != nil {
      self = .raw
    } else {
      return nil
    }
  }
}

extension TagDump {
  /// Reads the content of a file, whose format shows in it. Throws with the line where it cannot be
  /// understood.
  ///
  ///     let dump = try TagDump(parsing: Array(try Data(contentsOf: file)))
  ///     print(dump.image.uid, dump.image.message.map { try Message(parsing: $0) } as Any)
  public init(parsing bytes: [UInt8]) throws(DumpError) {
    let format = DumpFormat(content: bytes)
    if format != .raw, let kind = ForeignFile(bytes) { throw DumpError(kind) }
    switch format {
    case .raw:
      guard let image = RawDump.image(bytes) else { throw DumpError("no memory of a tag") }
      self.init(image)
    case .proxmark: self = try ProxmarkDump.parse(bytes)
    case .flipper: self = try FlipperDump.parse(bytes)
    case .classicTool: self = try ClassicToolDump.parse(bytes)
    case nil:
      throw DumpError(
        """
        neither the memory of a MIFARE Classic (320, 1024, 2048 or 4096 bytes) or of a Type 2 tag (whole pages, the UID \
        first) or of a FeliCa Lite (384 bytes, Lite-S 432), nor a file of Proxmark3 (JSON), Flipper Zero (.nfc) or MIFARE Classic Tool (.mct)
        """)
    }
    self = withoutMirrorText
  }

  /// The blocks or pages that could not be read and that a file of `format` would show as zeros,
  /// which a restore would write.
  public func unreadRows(withoutMarkIn format: DumpFormat) -> [Int] {
    switch format {
    case .classicTool: return []
    case .flipper where image.isMIFAREClassic: return []
    // Such a file says how many pages were read, from page 0 on.
    case .flipper: return unreadRows.filter { $0 < readPageCount }
    case .raw, .proxmark: return unreadRows
    }
  }

  /// How many pages are known from page 0 on, up to the first that could not be read behind which
  /// nothing could.
  var readPageCount: Int {
    let rows = image.rows
    let last = rows.indices.last { !rows[$0].allSatisfy { $0 == nil } } ?? -1
    return unreadRows.contains { $0 > last } ? last + 1 : rows.count
  }

  /// The content of a file in `format`. Throws where that has no room for the tag. What could not
  /// be read is zeros where the format has no mark for it (`unreadRows(withoutMarkIn:)`).
  public func serialize(as format: DumpFormat) throws(DumpError) -> [UInt8] {
    switch format {
    case .raw:
      if case .type4 = image.layout { throw Type4Dump.refusal("A plain image (.bin, .mfd, .dump)") }
      let bytes = RawDump.bytes(of: image)
      guard RawDump.image(bytes) != nil else {
        throw DumpError(
          "a plain image does not tell what this memory is of, as its head could not be read; .json and .nfc do"
        )
      }
      return bytes
    case .proxmark: return Array(try ProxmarkDump.text(self).utf8)
    case .flipper: return Array(try FlipperDump.text(self).utf8)
    case .classicTool: return Array(try ClassicToolDump.text(self).utf8)
    }
  }
}

/// Memory, byte after byte.
enum RawDump {
  /// The head of a Proxmark3 `.bin` of an Ultralight or NTAG: version, unknown bytes, pages,
  /// signature, counters.
  private static let headByteCount = 56

  /// Zeros for what is not known, but for check bytes of a Type 2 tag's UID: they follow from it.
  static func bytes(of image: MemoryImage) -> [UInt8] {
    var bytes = image.bytes
    if case .type2 = image.layout, let head = image.uid.type2Bytes {
      for (index, byte) in head.enumerated() where bytes[index] == nil {
        bytes[index] = byte
      }
    }
    return bytes.map { $0 ?? 0 }
  }

  static func image(_ bytes: [UInt8]) -> MemoryImage? {
    // Of a Type 2 tag the UID's check bytes tell where the memory starts.
    MemoryImage(bytes)
      ?? MemoryImage(Array(bytes.dropFirst(headByteCount)))
      .flatMap { $0.isMIFAREClassic ? nil : $0 }
  }
}

/// Why a dump cannot be read or written.
public struct DumpError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the file, from 1; nil where no line is to blame.
  public let line: Int?
  /// What is wrong, as the end of a sentence.
  public let reason: String

  init(line: Int? = nil, _ reason: String) { (self.line, self.reason) = (line, reason) }

  /// A file that is none of these formats, and what to do with it.
  init(_ kind: ForeignFile) {
    let advice =
      switch kind {
      case .utf16: ", as PowerShell's > writes it; save it as UTF-8"
      case .utf32: "; save it as UTF-8"
      case .workbook, .oldWorkbook: ", and no dump of a tag"
      }
    self.init(kind.name + advice)
  }

  public var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
