import Bytes
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Plans for Type 3 tags, without a tag")
struct FeliCaPlanTests {
  /// Attribute blocks of a Lite: empty, with 20 bytes, with 20 bytes being written, with 20 bytes
  /// for reading alone.
  static let empty = "100401000D0000000000010000000023"
  static let holding = "100401000D0000000000010000140037"
  static let writing = "100401000D000000000F010000000032"
  static let readOnly = "100401000D0000000000000000140036"
  static let message = Array("ABCDEFGHIJKLMNOPQRST".utf8)
  static let first = "4142434445464748494A4B4C4D4E4F50"
  static let second = "51525354000000000000000000000000"
  static let delivered = "FFFFFF00070000000000000000000000"
  static let formatted = "FFFFFF01070000000000000000000000"
  static let closed = "00400001070000000000000000000000"
  static let zeros = "00000000000000000000000000000000"

  /// A Lite-S with these blocks and zeros elsewhere, as it is surveyed.
  static func lite(_ blocks: [UInt16: String], rights: String = formatted) throws -> FeliCaState {
    var state = FeliCaState(chip: FeliCaChip(pmm: [0, 0xF1, 0, 0, 0, 0, 0, 0]))
    for block: UInt16 in 0...13 { state.note(FeliCaState.blank, at: block) }
    for (block, text) in blocks { state.note(try Hex.bytes(text), at: block) }
    state.note(try Hex.bytes(rights), at: 0x88)
    return state
  }

  /// `0=1004… switchOff`, `0+3` for three blocks read back from block 0 on.
  static func texts(_ program: TagProgram) -> [String] {
    program.steps.map { step in
      let place = step.place.feliCaBlock.map(LiteMemory.text) ?? "?"
      if let written = step.written {
        return "\(place)=\(Hex.string(written.bytes).uppercased()) \(step.purpose ?? .content)"
          .split(separator: " (").first.map(String.init) ?? ""
      }
      return "\(place)+\((step.checked?.bytes.count ?? 0) / 16)"
    }
  }

  static func plan(
    _ state: FeliCaState, _ message: [UInt8]? = message, overwrite: Bool = false
  ) throws(JobFailure) -> TagProgram {
    TagProgram(
      joining: try FeliCaMessagePlanner(state: state, message: message, overwrite: overwrite)
        .parts())
  }

  static let table: [(String, [UInt16: String], String, [String])] = [
    (
      "empty", [0: empty], formatted,
      ["0=\(writing)", "1=\(first)", "2=\(second)", "0=\(holding)", "0+3"]
    ),
    (
      "as delivered", [:], delivered,
      [
        "88h=\(formatted)", "88h+1", "0=\(writing)", "1=\(first)", "2=\(second)", "0=\(holding)",
        "0+3",
      ]
    ),
    ("the message is there", [0: holding, 1: first, 2: second], formatted, []),
    ("the message is there, for reading alone", [0: readOnly, 1: first, 2: second], closed, []),
    (
      "half of it is there", [0: writing, 1: first], formatted,
      ["2=\(second)", "0=\(holding)", "0+3"]
    ),
    (
      "all but the last write", [0: writing, 1: first, 2: second], formatted,
      ["0=\(holding)", "0+3"]
    ),
    (
      "left half written by another program", [0: "100401000D000000000F010000140046"], formatted,
      ["1=\(first)", "2=\(second)", "0=\(holding)", "0+3"]
    ),
    (
      "one block differs", [0: holding, 1: first], formatted,
      ["0=\(writing)", "2=\(second)", "0=\(holding)", "0+3"]
    ),
    ("the length differs", [0: empty, 1: first, 2: second], formatted, ["0=\(holding)", "0+3"]),
    (
      "the first write was torn", [0: "100401000D000000000F010000140037", 1: second], formatted,
      ["0=\(writing)", "1=\(first)", "2=\(second)", "0=\(holding)", "0+3"]
    ),
    (
      "the last write was torn", [0: "100401000D0000000000010000140032", 1: first, 2: second],
      formatted, ["0=\(holding)", "0+3"]
    ),
    (
      "the first write of a format was torn", [0: "10040100000000000000000000000000"], formatted,
      ["0=\(writing)", "1=\(first)", "2=\(second)", "0=\(holding)", "0+3"]
    ),
    (
      "answers to NDEF, nothing else", [:], formatted,
      ["0=\(writing)", "1=\(first)", "2=\(second)", "0=\(holding)", "0+3"]
    ),
    (
      "a damaged attribute block before the message",
      [0: "A55AC33C" + String(repeating: "0", count: 24), 1: first, 2: second],
      formatted, ["0=\(holding)", "0+3"]
    ),
    (
      "Nmaxb beyond the memory",
      [0: "10040100200000000000010000140 04A".filter { $0 != " " }, 1: first, 2: second],
      formatted, ["0=\(holding)", "0+3"]
    ),
    (
      "fewer blocks than there could be", [0: "10040100020000000000010000000018"], formatted,
      [
        "0=100401000200000000 0F010000000027".filter { $0 != " " }, "1=\(first)", "2=\(second)",
        "0=1004010002000000000001000014002C", "0+3",
      ]
    ),
    (
      "upper blocks are locked", [:], "FF1FFF00070000000000000000000000",
      [
        "88h=FF1FFF01070000000000000000000000", "88h+1", "0=100401000C000000000F010000000031",
        "1=\(first)", "2=\(second)", "0=100401000C0000000000010000140036", "0+3",
      ]
    ),
  ]

  @Test("writes what differs, and the attribute block around it", arguments: table)
  func messages(_ name: String, _ blocks: [UInt16: String], _ rights: String, _ wanted: [String])
    throws
  {
    let state = try Self.lite(blocks, rights: rights)
    let program = try Self.plan(state)
    #expect(Self.texts(program) == wanted, "\(name)")
    let again = try Self.plan(state.applying(program))
    #expect(!again.changesTag, "\(name)")
    let ndef = try #require(state.applying(program).ndef)
    #expect(ndef.messageLength == 20 && state.applying(program).message == Self.message)
  }

  static let refusals: [(String, [UInt16: String], String, JobFailure.Kind, String)] = [
    ("data", [5: first], delivered, .refused, "block 5 holds data"),
    ("data in block 0", [0: first], delivered, .refused, "block 0 holds data"),
    ("data, and it answers to NDEF", [5: first], formatted, .refused, "not an attribute block"),
    (
      "for reading alone", [0: readOnly], closed, .refused, "attribute block does not allow writing"
    ),
    (
      "block 2 is locked", [0: holding, 1: first], "FBFFFF01070000000000000000000000", .refused,
      "Block 2 is permanently locked"
    ),
    ("written with a key", [0: empty], "FFFFFF01070000000000FF3F00000000", .refused, "card key"),
    ("written with a key, blank", [:], "FFFFFF00070000000100000000000000", .refused, "card key"),
    (
      "closed before it was formatted", [:], "FFFF0000070000000000000000000000", .refused,
      "permanently closed"
    ),
    (
      "block 0 is locked", [:], "FEFFFF00070000000000000000000000", .refused,
      "Block 0 is permanently locked"
    ),
    (
      "no block is left for a message", [:], "FDFF01CF070000000000000000000000", .refused,
      "Block 1 is permanently locked"
    ),
    ("too small", [0: "10040100010000000000010000000017"], formatted, .badInput, "takes 16"),
  ]

  @Test("refuses what must not or cannot be written, before anything is", arguments: refusals)
  func refuses(
    _ name: String, _ blocks: [UInt16: String], _ rights: String, _ kind: JobFailure.Kind,
    _ words: String
  ) throws {
    let state = try Self.lite(blocks, rights: rights)
    do throws(JobFailure) {
      let program = try Self.plan(state)
      Issue.record("\(name): \(Self.texts(program))")
    } catch {
      #expect(error.kind == kind && error.what.contains(words), "\(name): \(error)")
    }
  }

  @Test("takes a tag with data on it at the operator's word")
  func overwrite() throws {
    for (block, rights) in [(UInt16(5), Self.delivered), (0, Self.formatted)] {
      let state = try Self.lite([block: Self.first], rights: rights)
      let program = try Self.plan(state, overwrite: true)
      #expect(state.applying(program).message == Self.message)
    }
  }

  @Test(
    "after any cut, torn block included, the same plan ends with the same memory", arguments: table)
  func cuts(_ name: String, _ blocks: [UInt16: String], _ rights: String, _ wanted: [String]) throws
  {
    let state = try Self.lite(blocks, rights: rights)
    let program = try Self.plan(state)
    let whole = state.applying(program)
    let writes = program.steps.compactMap(\.written)
    var held = state
    for (place, bytes) in writes {
      let block = try #require(place.feliCaBlock)
      let old = try #require(held[block])
      for count in 0...16 {
        var torn = held
        torn.note(Array(bytes[..<count] + old[count...]), at: block)
        let again = try Self.plan(torn)
        #expect(torn.applying(again) == whole, "\(name), block \(block), \(count) bytes")
        if let message = torn.message, torn.ndef?.messageLength != 0 {
          #expect(message == Self.message || message == state.message, "\(name), block \(block)")
        }
      }
      held.note(bytes, at: block)
    }
  }

  @Test("formats without a message, and leaves a whole one alone")
  func formats() throws {
    let blank = try Self.plan(try Self.lite([:], rights: Self.delivered), nil)
    #expect(Self.texts(blank) == ["88h=\(Self.formatted)", "88h+1", "0=\(Self.empty)", "0+1"])
    #expect(blank.phases.map(\.kind) == [.format])
    let whole = try Self.lite([0: Self.holding, 1: Self.first, 2: Self.second])
    #expect(try Self.plan(whole, nil).steps.isEmpty)
    let half = try Self.plan(try Self.lite([0: Self.writing, 1: Self.first]), nil)
    #expect(Self.texts(half) == ["0=\(Self.empty)", "0+1"])
  }

  @Test("locks: the attribute block first, then the memory configuration, read back each")
  func locks() throws {
    let state = try Self.lite([0: Self.holding, 1: Self.first, 2: Self.second])
    let program = try FeliCaLockPlanner(state: state).plan()
    #expect(
      Self.texts(program) == ["0=\(Self.readOnly)", "0+1", "88h=\(Self.closed)", "88h+1"])
    #expect(program.irreversibleSteps.count == 2)
    let locked = state.applying(program)
    #expect(locked.ndef?.status == .readOnly && locked.message == Self.message)
    #expect(try FeliCaLockPlanner(state: locked).plan().steps.isEmpty)
    #expect(try Self.plan(locked).steps.isEmpty)
  }

  @Test("locks a tag whose attribute block was torn while it was locked")
  func tornLock() throws {
    let (old, new) = (try Hex.bytes(Self.holding), try Hex.bytes(Self.readOnly))
    for count in 0...16 {
      let torn = Hex.string(Array(new[..<count] + old[count...]))
      let state = try Self.lite([0: torn, 1: Self.first, 2: Self.second])
      let program = try FeliCaLockPlanner(state: state).plan()
      #expect(state.applying(program)[0] == new)
      #expect(state.applying(program).configuration?.isLocked == true)
      let both = TagProgram(
        joining: try FeliCaMessagePlanner(state: state, message: Self.message, overwrite: false)
          .parts())
      let after = state.applying(both)
      #expect(
        after.applying(try FeliCaLockPlanner(state: after).plan())[0] == new, "\(count) bytes")
    }
  }

  @Test("tries the permissions first where the key is closed, and refuses what can never be locked")
  func frozen() throws {
    let issued = try Self.lite(
      [0: Self.holding, 1: Self.first], rights: "FFFF0001070000000000000000000000")
    #expect(
      Self.texts(try FeliCaLockPlanner(state: issued).plan()) == [
        "88h=01C00001070000000000000000000000", "88h+1", "0=\(Self.readOnly)", "0+1",
        "88h=\(Self.closed)", "88h+1",
      ])
    let open = try Self.lite(
      [0: Self.holding, 1: Self.first], rights: "FF7F0001070000000000000000000000")
    #expect(throws: JobFailure.self) { try FeliCaLockPlanner(state: open).plan() }
  }

  @Test("a lock keeps no count of blocks that the tag does not have, whole or torn")
  func lockedCount() throws {
    for head in ["100401010D0000000000010000140038", "100401010D0000000000000000140038"] {
      let state = try Self.lite([0: head, 1: Self.first, 2: Self.second])
      #expect(
        Self.texts(try FeliCaLockPlanner(state: state).plan()).first == "0=\(Self.readOnly)")
    }
  }

  @Test(
    "a bad bit in what a lock writes ends the run with 76",
    arguments: [(address: 3, bit: 0), (address: 337, bit: 7)])
  func badBits(address: Int, bit: Int) throws {
    let written = try Bench("felica-lite-s")
    #expect(written.run(FaultCase.short).failure == nil)
    var faults = FaultPlan()
    faults.stuckBits = [StuckBit(address: address, bit: bit, value: 1)]
    let bench = try Bench("felica-lite-s", faults: faults)
    bench.tag.eeprom.load(written.memory)
    #expect(bench.run(.lock(force: false)).failure?.kind == .mismatch)
  }

  @Test(
    "writes as many blocks at a time as another Type 3 tag takes, and can neither format nor lock it"
  )
  func otherTags() throws {
    var state = FeliCaState(chip: FeliCaChip(pmm: [1, 0x20, 0, 0, 0, 0, 0, 0]))
    state.note(try Hex.bytes("100C0200280000000000010000000047"), at: 0)
    for block: UInt16 in 1...4 { state.note(FeliCaState.blank, at: block) }
    let message = [UInt8](repeating: 0x41, count: 50)
    let program = try Self.plan(state, message)
    #expect(program.steps.map { $0.written?.bytes.count ?? 0 } == [16, 32, 32, 16, 0])
    #expect(state.applying(program).message == message)
    #expect(throws: JobFailure.self) { try FeliCaLockPlanner(state: state).plan() }
    var blank = state
    blank.note(FeliCaState.blank, at: 0)
    #expect(throws: JobFailure.self) { try Self.plan(blank) }
    state.answered = false
    #expect(throws: JobFailure.self) { try Self.plan(state) }
  }
}
