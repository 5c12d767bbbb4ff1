import TagMemory
import Testing

@testable import TagDumps

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Dumps in the formats of other programs")
struct DumpTests {
  static func file(_ name: String) throws -> [UInt8] {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    return Array(try Data(contentsOf: URL(filePath: "/\(folder)/Dumps/\(name)")))
  }

  private static let message: [UInt8] = [
    0xD1, 0x01, 0x10, 0x55, 0x04, 0x65, 0x78, 0x61, 0x6D, 0x70, 0x6C, 0x65, 0x2E, 0x63, 0x6F, 0x6D,
    0x2F, 0x74, 0x2F, 0x31,
  ]

  @Test(
    "of an NTAG213 all hold the same memory, UID and message",
    arguments: [
      "flipper-ntag213.nfc", "proxmark-ntag213.json", "proxmark-ntag213.bin", "libnfc-ntag213.mfd",
    ])
  func ntag213(_ name: String) throws {
    let dump = try TagDump(parsing: try Self.file(name))
    #expect(dump.image.layout == .type2(pageCount: 45))
    #expect(dump.image.uid == UID([4, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66]))
    #expect(dump.image.message == Self.message)
    let raw = try Self.file("libnfc-ntag213.mfd")
    #expect((0..<43).allSatisfy { dump.image.row($0) == Array(raw[$0 * 4..<$0 * 4 + 4]) })
    if name.hasPrefix("flipper") || name.hasSuffix("json") {
      #expect(dump.version == [0, 4, 4, 2, 1, 0, 0x0F, 3])
      #expect(dump.signature == Array(0..<32))
      #expect(dump.counters == [0: 0, 1: 0, 2: 7])
    }
    if name.hasPrefix("flipper") {
      #expect(dump.atqa == 0x0044 && dump.sak == 0)
      #expect(dump.image.row(43) == nil, "pages behind those read are not known")
    }
  }

  @Test(
    "of a MIFARE Classic 1K all hold the same blocks; what is marked as not known is not known",
    arguments: [
      "flipper-classic1k.nfc", "tool-classic1k.mct", "proxmark-classic1k.json",
      "libnfc-classic1k.mfd",
    ])
  func classic(_ name: String) throws {
    let dump = try TagDump(parsing: try Self.file(name))
    #expect(dump.image.layout == .classic(.oneK))
    #expect(dump.image.uid == UID([0xA1, 0xB2, 0xC3, 0xD4]))
    #expect(dump.image.message == Self.message)
    let raw = try Self.file("libnfc-classic1k.mfd")
    let hidesSome = name.hasSuffix("nfc") || name.hasSuffix("mct")
    for number in 0..<64 {
      let isHidden = hidesSome && (number == 39 || 48..<52 ~= number)
      #expect(
        dump.image.row(number) == (isHidden ? nil : Array(raw[number * 16..<number * 16 + 16])))
    }
    if hidesSome { #expect(dump.image.rows[39].prefix(10) == raw[624..<634].map { $0 }[...]) }
    if name.hasSuffix("nfc") || name.hasSuffix("json") {
      #expect(dump.atqa == 0x0004 && dump.sak == 0x08)
    }
  }

  @Test("one whose first block is not known has zeros for a UID, in every format")
  func withoutFirstBlock() throws {
    let dump = try TagDump(parsing: Array("+Sector: 1\n".utf8))
    #expect(dump.image.uid == UID([0, 0, 0, 0]))
    for format in DumpFormat.allCases {
      guard let file = try? dump.serialize(as: format) else { continue }
      #expect(try TagDump(parsing: file).serialize(as: format) == file, "\(format)")
    }
  }

  @Test("what is written is read back the same", arguments: DumpFormat.allCases)
  func roundTrip(_ format: DumpFormat) throws {
    for name in ["flipper-classic1k.nfc", "flipper-ntag213.nfc"] {
      let dump = try TagDump(parsing: try Self.file(name))
      if format == .classicTool, !dump.image.isMIFAREClassic {
        #expect(throws: DumpError.self) { try dump.serialize(as: format) }
        continue
      }
      let again = try TagDump(parsing: try dump.serialize(as: format))
      let keepsUnknown =
        dump.image.isMIFAREClassic && (format == .flipper || format == .classicTool)
      #expect(
        again.image.bytes == (keepsUnknown ? dump.image.bytes : dump.image.bytes.map { $0 ?? 0 }))
      #expect(again.image.uid == dump.image.uid)
      if format == .flipper || format == .proxmark {
        #expect(again.atqa == dump.atqa && again.sak == dump.sak)
        #expect(again.version == dump.version && again.signature == dump.signature)
        #expect(again.counters == dump.counters)
      }
    }
  }

  @Test("every size of MIFARE Classic that a format knows comes back", arguments: Geometry.allCases)
  func sizes(_ geometry: Geometry) throws {
    var bytes: [UInt8?] = (0..<geometry.blocks.count * 16).map {
      UInt8(truncatingIfNeeded: $0 &* 7)
    }
    bytes.replaceSubrange(0..<5, with: [1, 2, 3, 4, 4])
    let dump = TagDump(
      try #require(MemoryImage(.classic(geometry), uid: UID([1, 2, 3, 4]), bytes: bytes)))
    for format in DumpFormat.allCases where format != .flipper || geometry != .twoK {
      #expect(try TagDump(parsing: try dump.serialize(as: format)).image == dump.image)
    }
  }

  @Test(
    "the format follows the name's end",
    arguments: [
      ("a.mfd", .raw), ("a.BIN", .raw), ("x/y.json", .proxmark), ("a.b.nfc", .flipper),
      ("a.mct", .classicTool),
      ("a", nil), (".nfc", nil), ("a.txt", nil), ("a.nfc/b", nil),
    ] as [(String, DumpFormat?)])
  func suffix(_ path: String, _ format: DumpFormat?) {
    #expect(DumpFormat(path: path) == format)
  }

  /// Sectors 0 to `last` of a card whose block 0 is `head` and zeros.
  private static func tool(_ head: String, sectors: ClosedRange<Int>) -> [UInt8] {
    var lines: [String] = []
    for sector in sectors {
      lines.append("+Sector: \(sector)")
      for block in 0..<(sector < 32 ? 4 : 16) {
        let isTrailer = block == (sector < 32 ? 3 : 15)
        let text =
          isTrailer
          ? "FFFFFFFFFFFFFF078069FFFFFFFFFFFF" : sector == 0 && block == 0 ? head : ""
        lines.append(text + String(repeating: "0", count: 32 - text.count))
      }
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// Block 0, the sectors that are there, and the card that it is (MF1S50YYX_V1, 8.6.1).
  private static let firstSectors: [(String, ClosedRange<Int>, Geometry)] = [
    // UID 31723AE3, its check byte, SAK 08, ATQA 0004.
    ("31723AE39A080400", 0...4, .oneK), ("31723AE39A080400", 0...0, .oneK),
    ("31723AE39A880400", 0...4, .oneK), ("31723AE39A180200", 0...4, .fourK),
    ("31723AE39A180200", 0...15, .fourK), ("31723AE39A190400", 0...3, .twoK),
    ("31723AE39A090400", 0...4, .mini),
    // A 7-byte UID.
    ("04112233445566084400", 0...4, .oneK),
    // A card that understates itself.
    ("31723AE39A080400", 0...39, .fourK),
    // No block 0, or one of a size that no card promises.
    ("", 1...4, .oneK), ("31723AE39A770400", 0...4, .mini),
  ]

  @Test("a file of the first sectors is of the card that block 0 names", arguments: firstSectors)
  func partOfCard(head: String, sectors: ClosedRange<Int>, geometry: Geometry) throws {
    let dump = try TagDump(parsing: Self.tool(head, sectors: sectors))
    #expect(dump.image.layout == .classic(geometry))
    for block in geometry.blocks {
      #expect((dump.image.row(Int(block.index)) != nil) == sectors.contains(block.sector.index))
    }
  }

  private static func flipper(type: String, blocks: Range<Int>, label: String = "Block") -> [UInt8]
  {
    let size = label == "Block" ? 16 : 4
    let row = [String](repeating: "00", count: size).joined(separator: " ")
    let head = [
      "Filetype: Flipper NFC device", "Version: 4",
      label == "Block" ? "Device type: Mifare Classic" : "Device type: NTAG/Ultralight",
      "UID: 31 72 3A E3", "ATQA: 00 04", "SAK: 08", "\(type)",
    ]
    return Array((head + blocks.map { "\(label) \($0): \(row)" }).joined(separator: "\n").utf8)
  }

  @Test("a Flipper file with 277 blocks, or any other number that no card has, is refused")
  func blockCounts() throws {
    let sizes = [20: "MINI", 64: "1K", 128: "2K", 256: "4K"]
    for count in [1, 19, 20, 21, 63, 64, 65, 127, 128, 129, 255, 256, 257, 277, 4096, 5000] {
      for type in ["1K", "4K", "MINI", "2K", "9K"] {
        let file = Self.flipper(type: "Mifare Classic type: \(type)", blocks: 0..<count)
        let isRight = sizes[count] == type || sizes[count] != nil && type == "9K"
        if isRight {
          #expect(try TagDump(parsing: file).image.layout.rowCount == count)
        } else {
          #expect(throws: DumpError.self, "\(count) blocks, \(type)") { try TagDump(parsing: file) }
        }
      }
    }
  }

  @Test("a Flipper file whose chip has another number of pages is refused")
  func pageCounts() throws {
    let types = ["NTAG213": 45, "NTAG215": 135, "NTAG216": 231, "Mifare Ultralight 11": 20]
    for (name, right) in types {
      for count in [16, 20, 45, 135, 231, 300] {
        let file = Self.flipper(
          type: "NTAG/Ultralight type: \(name)", blocks: 0..<count, label: "Page")
        if count == right {
          #expect(try TagDump(parsing: file).image.layout == .type2(pageCount: count))
        } else {
          #expect(throws: DumpError.self, "\(count) pages, \(name)") { try TagDump(parsing: file) }
        }
      }
    }
  }

  /// A file's name, what to replace in it and by what, and the start of the complaint.
  static let spoilt: [(String, String, String, String)] = [
    ("flipper-classic1k.nfc", "Version: 4", "Version: 9", "line 2: version 9"),
    ("flipper-classic1k.nfc", "Block 1: 14", "Block 1: 1G", "line 11: \u{201C}1G\u{201D} are no"),
    (
      "flipper-classic1k.nfc", "Block 1: 14", "Block 1: ",
      "line 11: 16 bytes are needed, there are 15"
    ),
    (
      "flipper-classic1k.nfc", "Block 2:", "Block 1:",
      "line 12: \u{201C}Block 1\u{201D} appears twice"
    ),
    ("flipper-classic1k.nfc", "Block 63:", "Block 64:", "65 blocks"),
    ("flipper-classic1k.nfc", "Block 62:", "Black 62:", "Block 62 is missing"),
    ("flipper-classic1k.nfc", "UID: A1", "UID: A1 00", "line 4: a UID has 4, 7 or 10 bytes"),
    ("flipper-classic1k.nfc", "SAK: 08", "SAK 08", "line 6: it has no colon"),
    ("flipper-ntag213.nfc", "Pages total: 45", "Pages total: 400", "line 21: 400 pages"),
    ("flipper-ntag213.nfc", "Pages total: 45", "Pages total: x", "line 21: no number"),
    ("flipper-ntag213.nfc", "Page 7:", "Pages 7:", "Page 7 is missing"),
    ("tool-classic1k.mct", "+Sector: 3", "+Sector: 40", "line 16: no sector from 0 to 39"),
    ("tool-classic1k.mct", "+Sector: 3", "+Sector: 2", "line 16: sector 2 appears twice"),
    ("tool-classic1k.mct", "+Sector: 1\n", "", "line 6: sector 0 has 4 blocks"),
    ("tool-classic1k.mct", "*No", "No", "line 62: 16 bytes are needed"),
    (
      "proxmark-classic1k.json", "mfc v2", "iclass",
      "line 3: \u{201C}FileType\u{201D} is \u{201C}iclass\u{201D}"
    ),
    ("proxmark-classic1k.json", "\"63\":", "\"64\":", "line 73: \u{201C}64\u{201D} is no block"),
    ("proxmark-classic1k.json", "\"62\":", "\"63\":", "line 73: \u{201C}63\u{201D}"),
    ("proxmark-classic1k.json", "\"blocks\": {", "\"blocks\": [", "no JSON: line"),
    ("proxmark-classic1k.json", "\"1\": \"14", "\"1\": \"1", "line 11: 16 bytes are needed"),
    ("proxmark-ntag213.json", "\"blocks\"", "\"pages\"", "JSON without the object"),
    (
      "proxmark-ntag213.json", "Counter0\": \"000000", "Counter0\": \"00??00",
      "line 10: a byte is not known"
    ),
    (
      "proxmark-ntag213.json", "\"4\": \"01", "\"4\": \"0x",
      "line 22: \u{201C}0x\u{201D} are not hexadecimal digits"
    ),
  ]

  @Test("a file that is wrong is refused with the line where it is", arguments: spoilt)
  func wrong(_ name: String, _ old: String, _ new: String, _ complaint: String) throws {
    let text = String(decoding: try Self.file(name), as: UTF8.self)
    let spoilt = text.replacing(old, with: new, maxReplacements: 1)
    #expect(spoilt != text)
    let error = #expect(throws: DumpError.self) { try TagDump(parsing: Array(spoilt.utf8)) }
    #expect(error?.description.hasPrefix(complaint) == true, "\(error?.description ?? "")")
  }

  @Test(
    "a file cut short, lengthened or with any byte changed gives a dump or an error, in every format"
  )
  func hostile() throws {
    var random = SystemRandomNumberGenerator()
    for name in [
      "flipper-classic1k.nfc", "flipper-ntag213.nfc", "tool-classic1k.mct", "proxmark-ntag213.json",
    ] {
      let bytes = try Self.file(name)
      for _ in 0..<60 {
        var spoilt = bytes
        switch Int.random(in: 0..<3, using: &random) {
        case 0: spoilt = Array(spoilt.prefix(Int.random(in: 0..<bytes.count, using: &random)))
        case 1:
          spoilt[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        default:
          spoilt.insert(
            contentsOf: bytes.prefix(40), at: Int.random(in: 0..<bytes.count, using: &random))
        }
        if let dump = try? TagDump(parsing: spoilt) {
          #expect(dump.image.bytes.count == dump.image.layout.byteCount)
        }
      }
    }
    for size in [0, 1, 63, 64, 320, 1024, 4096] {
      _ = try? TagDump(parsing: (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }
}
