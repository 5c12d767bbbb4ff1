import Bytes
import PN532Simulator
import Testing

/// MF1S50YYX_V1, tables 7 and 8, written once more: each row and key is tried on a card.
@Suite("MIFARE Classic access conditions, MF1S50YYX_V1 8.7")
struct ClassicRightsTests {
  /// C1 C2 C3, then who may read, write, increment, decrement.
  static let dataTable = [
    "000 AB AB AB AB", "010 AB - - -", "100 AB B - -", "110 AB B B AB", "001 AB - - AB",
    "011 B B - -", "101 B - - -", "111 - - - -",
  ]

  /// C1 C2 C3, then who may write key A, read and write the bits, read and write key B.
  static let trailerTable = [
    "000 A A - A A", "010 - A - A -", "100 B AB - - B", "110 - AB - - -", "001 A A A A A",
    "011 B AB B - B", "101 - AB B - -", "111 - AB - - -",
  ]

  static let keyA: [UInt8] = [0xA0, 1, 2, 3, 4, 5]
  static let keyB: [UInt8] = [0xB0, 1, 2, 3, 4, 5]
  /// A value block: 10, address 4.
  static let value: [UInt8] =
    [10, 0, 0, 0, 0xF5, 0xFF, 0xFF, 0xFF, 10, 0, 0, 0, 4, 0xFB, 4, 0xFB]

  @Test("data blocks", arguments: dataTable, ["A", "B"])
  func data(row: String, key: String) throws {
    let columns = row.split(separator: " ").map(String.init)
    let may = columns.dropFirst().map { $0.contains(key) }
    // With trailer 011 key B is a key whatever the data blocks say.
    let commands: [[UInt8]] = [[0x30, 4], [0xA0, 4], [0xC1, 4], [0xC0, 4]]
    for (command, allowed) in zip(commands, may) {
      let card = try open(groups: [columns[0], columns[0], columns[0], "011"], key: key)
      let answer = card.receive(command)
      let good: TagAnswer = command[0] == 0x30 ? .data(Self.value) : .nibble(0xA)
      #expect(answer == (allowed ? good : .nibble(0x4)), "\(command)")
    }
    let card = try open(groups: [columns[0], columns[0], columns[0], "011"], key: key)
    if may[3] {
      #expect(card.receive([0xC2, 4]) == .nibble(0xA))
      #expect(card.receive([0, 0, 0, 0]) == .silence)
      #expect(card.receive([0xB0, 5]) == .nibble(0xA))
    } else {
      #expect(card.receive([0xC2, 4]) == .nibble(0x4))
    }
  }

  @Test(
    "all 64 pairs of a data block's condition and a trailer's", arguments: dataTable, trailerTable)
  func pairs(dataRow: String, trailerRow: String) throws {
    let data = dataRow.split(separator: " ").map(String.init)
    let trailer = trailerRow.split(separator: " ").map(String.init)
    // Table 8, note 1: a key B that can be read is no key.
    let keyBIsData = trailer[4].contains("A")
    for key in ["A", "B"] {
      let isKey = key == "A" || !keyBIsData
      let commands: [[UInt8]] = [[0x30, 4], [0xA0, 4], [0xC1, 4], [0xC0, 4]]
      for (command, column) in zip(commands, data.dropFirst()) {
        let card = try open(groups: [data[0], "111", "111", trailer[0]], key: key)
        let good: TagAnswer = command[0] == 0x30 ? .data(Self.value) : .nibble(0xA)
        let isAllowed = isKey && column.contains(key)
        #expect(card.receive(command) == (isAllowed ? good : .nibble(0x4)), "\(key) \(command)")
      }
      let card = try open(groups: [data[0], "111", "111", trailer[0]], key: key)
      let readsBits = isKey && trailer[2].contains(key)
      if readsBits {
        guard case .data(let bytes) = card.receive([0x30, 7]) else {
          Issue.record("\(key): the trailer is not shown")
          continue
        }
        #expect(bytes[..<6].allSatisfy { $0 == 0 })
      } else {
        #expect(card.receive([0x30, 7]) == .nibble(0x4))
      }
    }
  }

  @Test("sector trailers", arguments: trailerTable, ["A", "B"])
  func trailer(row: String, key: String) throws {
    let columns = row.split(separator: " ").map(String.init)
    let groups = ["000", "000", "000", columns[0]]
    let keyBIsData = columns[4].contains("A")
    let may = columns.dropFirst().map { $0.contains(key) && !(key == "B" && keyBIsData) }
    let (writesA, readsBits, writesBits, readsB, writesB) = (may[0], may[1], may[2], may[3], may[4])

    let zeros = [UInt8](repeating: 0, count: 6)
    let old = Self.accessBits(groups) + [0x69]
    let seen = zeros + old + (readsB ? Self.keyB : zeros)
    let reader = try open(groups: groups, key: key)
    #expect(reader.receive([0x30, 7]) == (readsBits ? .data(seen) : .nibble(0x4)))

    let writer = try open(groups: groups, key: key)
    let new: [UInt8] =
      [UInt8](repeating: 0x11, count: 6) + [0x7F, 0x07, 0x88, 0x40]
      + [UInt8](repeating: 0x22, count: 6)
    let writesAny = writesA || writesBits || writesB
    #expect(writer.receive([0xA0, 7]) == .nibble(writesAny ? 0xA : 0x4))
    #expect(writer.receive(new) == (writesAny ? .nibble(0xA) : .silence))
    let expected =
      (writesA ? Array(new[..<6]) : Self.keyA) + (writesBits ? Array(new[6..<10]) : old)
      + (writesB ? Array(new[10...]) : Self.keyB)
    #expect(Array(writer.eeprom.bytes[112..<128]) == expected)
    #expect(writer.eeprom.programmingCycles == (writesAny ? 1 : 0))
  }

  @Test("key B that is data is refused everything", arguments: ["000", "010", "001"])
  func keyBAsData(condition: String) throws {
    for command: [UInt8] in [
      [0x30, 4], [0x30, 7], [0xA0, 4], [0xA0, 7], [0xC1, 4], [0xB0, 4],
    ] {
      let card = try open(groups: ["000", "000", "000", condition], key: "B")
      #expect(card.receive(command) == .nibble(0x4), "\(command)")
    }
  }

  @Test("one flipped access bit blocks the sector", arguments: 0..<24)
  func flippedBit(bit: Int) throws {
    let card = try open(groups: ["000", "000", "000", "001"], key: "A") { image in
      image[118 + bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(card.receive([0x30, 4]) == .nibble(0x4))
    card.select()
    #expect(card.authenticate(command: 0x60, block: 4, key: Self.keyA, uid: card.uid))
    #expect(card.receive([0xA0, 7]) == .nibble(0x4))
  }

  /// A card whose sector 1 has these conditions, opened with a key.
  private func open(
    groups: [String], key: String, change: (inout [UInt8]) -> Void = { _ in }
  ) throws -> any StoredTag {
    let card = try TagCatalog.tag("classic1k")
    var image = card.eeprom.bytes
    image.replaceSubrange(64..<80, with: Self.value)
    image.replaceSubrange(
      112..<128, with: Self.keyA + Self.accessBits(groups) + [0x69] + Self.keyB)
    change(&image)
    card.eeprom.load(image)
    card.select()
    try #require(
      card.authenticate(
        command: key == "A" ? 0x60 : 0x61, block: 4, key: key == "A" ? Self.keyA : Self.keyB,
        uid: card.uid))
    return card
  }

  /// Bytes 6 to 8 bit by bit, from figure 10 of the data sheet.
  static func accessBits(_ groups: [String]) -> [UInt8] {
    func c(_ number: Int, _ group: Int, inverted: Bool = false) -> UInt8 {
      let isSet = Array(groups[group])[number - 1] == "1"
      return isSet != inverted ? 1 : 0
    }
    var bytes: [UInt8] = [0, 0, 0]
    for group in 0..<4 {
      bytes[0] |= c(1, group, inverted: true) << group | c(2, group, inverted: true) << (group + 4)
      bytes[1] |= c(3, group, inverted: true) << group | c(1, group) << (group + 4)
      bytes[2] |= c(2, group) << group | c(3, group) << (group + 4)
    }
    return bytes
  }
}
