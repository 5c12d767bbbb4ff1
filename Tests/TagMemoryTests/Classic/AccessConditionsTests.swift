import TagMemory
import Testing

/// The keys in the data sheet's notation.
func holders(_ text: some StringProtocol) throws -> KeyHolders {
  let table: [String: KeyHolders] = ["-": .never, "A": .keyA, "B": .keyB, "A|B": .either]
  return try #require(table[String(text)])
}

@Suite("Access conditions, MF1S50YYX_V1 8.7.2 and 8.7.3")
struct AccessConditionsTests {
  @Test(
    "data blocks: C1 C2 C3, read, write, increment, decrement (table 8)",
    arguments: [
      "000  A|B  A|B  A|B  A|B", "010  A|B  -    -    -  ", "100  A|B  B    -    -  ",
      "110  A|B  B    B    A|B", "001  A|B  -    -    A|B", "011  B    B    -    -  ",
      "101  B    -    -    -  ", "111  -    -    -    -  ",
    ])
  func dataRow(_ row: String) throws {
    let cells = row.split(separator: " ")
    let condition = try #require(DataCondition(rawValue: UInt8(cells[0], radix: 2) ?? 8))
    #expect(condition.description == cells[0])
    for (operation, cell) in zip(DataOperation.allCases, cells.dropFirst()) {
      #expect(condition.rights[operation] == (try holders(cell)), "\(operation)")
    }
  }

  @Test(
    "trailer: C1 C2 C3, then read and write of key A, access bits, key B (table 7)",
    arguments: [
      "000  -  A    A    -  A  A", "010  -  -    A    -  A  -", "100  -  B    A|B  -  -  B",
      "110  -  -    A|B  -  -  -", "001  -  A    A    A  A  A", "011  -  B    A|B  B  -  B",
      "101  -  -    A|B  B  -  -", "111  -  -    A|B  -  -  -",
    ])
  func trailerRow(_ row: String) throws {
    let cells = row.split(separator: " ")
    let condition = try #require(TrailerCondition(rawValue: UInt8(cells[0], radix: 2) ?? 8))
    let (read, write) = condition.rights
    #expect(condition.description == cells[0])
    #expect(read.keyA == (try holders(cells[1])))
    #expect(write.keyA == (try holders(cells[2])))
    #expect(read.accessBits == (try holders(cells[3])))
    #expect(write.accessBits == (try holders(cells[4])))
    #expect(read.keyB == (try holders(cells[5])))
    #expect(write.keyB == (try holders(cells[6])))
  }

  @Test("a readable key B gives no right", arguments: TrailerCondition.allCases)
  func readableKeyB(_ trailer: TrailerCondition) {
    let conditions = AccessConditions(data: .open, trailer: trailer)
    let readable = ["000", "010", "001"].contains(trailer.description)
    #expect(conditions.keyBIsReadable == readable)
    #expect(conditions.canUse(.b) == !readable)
    #expect(conditions.canUse(.a))
    #expect(conditions.allows(.read, .first, with: .b) == !readable)
    #expect(conditions.allows(.read, .first, with: .a))
    #expect(conditions.canReadTrailer(.accessBits, with: .b) == !readable)
  }

  @Test("frozen are the trailers whose bits nobody writes", arguments: TrailerCondition.allCases)
  func frozen(_ trailer: TrailerCondition) {
    #expect(
      AccessConditions(data: .open, trailer: trailer).isFrozen
        == ["000", "010", "100", "110", "111"].contains(trailer.description))
  }

  @Test("each group has its own condition")
  func groups() {
    let conditions = AccessConditions(.open, .readOnly, .closed, trailer: .managedWithB)
    #expect(conditions.allows(.write, .first, with: .a))
    #expect(!conditions.allows(.write, .second, with: .a))
    #expect(conditions.allows(.read, .second, with: .a))
    #expect(!conditions.allows(.read, .third, with: .b))
    #expect(conditions.description == "000 010 111, trailer 011")
  }

  @Test("an NFC sector is managed with key B alone, a blank one with key A alone")
  func planning() {
    for part in TrailerPart.allCases {
      #expect(!AccessConditions.nfcReadWrite.canWriteTrailer(part, with: .a))
      #expect(AccessConditions.nfcReadWrite.canWriteTrailer(part, with: .b))
      #expect(AccessConditions.transport.canWriteTrailer(part, with: .a))
      #expect(!AccessConditions.transport.canWriteTrailer(part, with: .b))
      #expect(!AccessConditions.nfcReadOnly.canWriteTrailer(part, with: .b))
    }
    #expect(AccessConditions.mad.allows(.read, .second, with: .a))
    #expect(!AccessConditions.mad.allows(.write, .second, with: .a))
    #expect(AccessConditions.mad.allows(.write, .second, with: .b))
  }
}
