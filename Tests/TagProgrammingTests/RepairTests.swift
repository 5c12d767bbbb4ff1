import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// What other programs leave behind: `info` names it, formatting or writing repairs it.
@Suite("Tags that other programs have left in disorder")
struct RepairTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let finding: String
    let product: String
    /// Done to the memory of a tag that holds a URL.
    let damage: @Sendable (inout [UInt8]) -> Void
    let job: Job
    /// Nil: the message that was there before.
    var leaves: [UInt8]?
    var testDescription: String { "\(finding) on \(product)" }
  }

  private static let present = Message(try! URIRecord("https://example.com/t/0001").record)
  private static let format = Job.formatClassic(ClassicFormat())
  private static let other = Message(try! URIRecord("https://example.com/mended").record)
  private static let write = Job.write(other, WriteOptions())

  static let cases =
    ["ntag213", "ultralight"].flatMap { product in
      [
        Case(
          finding: "tlv-terminator", product: product,
          damage: { $0[$0.lastIndex(of: 0xFE)!] = 0 }, job: .write(present, WriteOptions())),
        Case(
          finding: "tlv-beyond-area", product: product,
          damage: { $0[start(of: $0) + 1] = 0xF0 }, job: write, leaves: other.serialize()),
        Case(
          finding: "message-garbled", product: product,
          damage: {
            let start = start(of: $0)
            for index in start + 2..<start + 8 { $0[index] = 0xA7 }
          }, job: write, leaves: other.serialize()),
      ]
    } + [
      Case(
        finding: "lock-control", product: "ntag213",
        damage: { $0.replaceSubrange(18..<21, with: [0xA0, 0x10, 0x44]) },
        job: write, leaves: other.serialize()),
      Case(
        finding: "mad-crc", product: "classic1k", damage: { $0[16] ^= 0xFF }, job: format),
      Case(
        finding: "mad-crc", product: "classic1k", damage: { $0[16] ^= 0xFF }, job: write,
        leaves: other.serialize()),
      Case(
        finding: "mad-gap", product: "classic1k",
        damage: {
          $0[16 + 2 * 5] = 0
          $0[17 + 2 * 5] = 0
          $0[16] = MAD.checksum($0[17..<48])
        }, job: format),
      Case(
        finding: "sector-key", product: "classic1k",
        damage: { $0.replaceSubrange(64..<1024, with: blank[64..<1024]) }, job: format, leaves: []),
      Case(
        finding: "sector-key", product: "classic1k",
        damage: { $0.replaceSubrange(64..<1024, with: blank[64..<1024]) }, job: write,
        leaves: other.serialize()),
      Case(
        finding: "mad-missing", product: "classic1k",
        damage: { $0.replaceSubrange(16..<64, with: blank[16..<64]) }, job: format),
      Case(
        finding: "mad-missing", product: "classic1k",
        damage: { $0.replaceSubrange(16..<64, with: blank[16..<64]) }, job: write,
        leaves: other.serialize()),
      Case(
        finding: "mad-missing", product: "classic1k", damage: { $0[57] = 0xC0 }, job: format),
      Case(
        finding: "mad-missing", product: "classic1k", damage: { $0[57] = 0xC3 }, job: write,
        leaves: other.serialize()),
      Case(
        finding: "mad-missing", product: "mini", damage: { $0[57] = 0x69 }, job: format),
      Case(
        finding: "tlv-terminator", product: "classic1k",
        damage: { $0[64 + $0[64..<112].lastIndex(of: 0xFE)! - 64] = 0 },
        job: .write(present, WriteOptions())),
      Case(
        finding: "tlv-beyond-area", product: "mini", damage: { $0[65] = 0xFE }, job: write,
        leaves: other.serialize()),
      Case(
        finding: "tlv-beyond-area", product: "mini", damage: { $0[65] = 0xFE }, job: format,
        leaves: []),
      Case(
        finding: "ndef", product: "classic1k",
        damage: { for index in 66..<72 { $0[index] = 0xA7 } }, job: write,
        leaves: other.serialize()),
    ]

  private static let blank = try! TagCatalog.tag("classic1k").eeprom.bytes

  /// Where a Type 2 tag's message TLV stands: behind the lock control TLV, if there is one.
  private static func start(of memory: [UInt8]) -> Int { memory[16] == 0x01 ? 21 : 16 }

  @Test("are diagnosed by name, repaired, and then in order", arguments: cases)
  func repairs(_ item: Case) throws {
    let bench = try Bench(item.product)
    #expect(bench.run(.write(Self.present, WriteOptions())).failure == nil)
    var memory = bench.memory
    item.damage(&memory)
    bench.tag.eeprom.load(memory)
    let before = bench.run(.info)
    #expect(before.findings.map(\.code).contains(item.finding), "\(before.findings)")
    #expect(bench.memory == memory)

    let report = bench.run(item.job)
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(report.result == .written)
    let after = bench.run(.info)
    #expect(after.findings.isEmpty, "\(after.findings)")
    let isClassic = item.product != "ntag213" && item.product != "ultralight"
    let content =
      isClassic
      ? TagImage.content(ofClassic: bench.memory) : TagImage.content(ofType2: bench.memory)
    #expect(content == .message(item.leaves ?? Self.present.serialize()))
    #expect(bench.run(item.job).result == .unchanged)
  }

  @Test("a general purpose byte without a version makes a tag no NDEF tag, for info as for read")
  func noVersion() throws {
    for byte: UInt8 in [0xC0, 0xC3, 0x41] {
      let bench = try Bench("classic1k")
      _ = bench.run(Self.write)
      var memory = bench.memory
      memory[57] = byte
      bench.tag.eeprom.load(memory)
      let info = bench.run(.info)
      #expect(info.status == .notSupported && bench.run(.read).status == .notSupported)
      #expect(info.message == nil && info.capacity == nil)
      #expect(
        info.findings.map(\.text) == [
          "Sectors 1 to 15 named NFC by a directory that readers do not look at: the general purpose byte of sector 0, "
            + "\(GeneralPurposeByte(rawValue: byte)), says that there is none."
        ])
      #expect(info.findings.map(\.remedy) == [.formatAgain])
    }
  }

  @Test("a destroyed sector ends the area, and the directory is said to mark it once it does")
  func destroyedSector() throws {
    let bench = try Bench("classic1k")
    #expect(bench.run(Self.write).failure == nil)
    var memory = bench.memory
    memory.replaceSubrange(5 * 64 + 54..<5 * 64 + 57, with: [0, 0, 0])
    bench.tag.eeprom.load(memory)
    func destroyed(_ report: TagReport) -> [String] {
      report.findings.filter { $0.code == "sector-destroyed" }.map(\.text)
    }
    let what = "Sector 5 is permanently destroyed: the access bits are invalid"
    let before = bench.run(.info)
    #expect(before.capacity == 4 * 48 - 2 && before.message == Self.other)
    #expect(destroyed(before) == [what + "."])
    #expect(before.findings.contains { $0.remedy == .formatAgain })
    #expect(bench.run(Self.format).failure == nil)
    #expect(
      destroyed(bench.run(.info)) == [what + "; the directory marks these sectors as unusable."])
  }
}
