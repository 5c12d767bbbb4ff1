import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A mirror that somebody has set up and frozen: what it covers shows as something else than what
/// is written, as far as it shows at all.
@Suite("Messages on tags whose mirror is frozen")
struct FrozenMirrorTests {
  private static let products = ["ntag212", "ntag213", "ntag215", "ntag216", "ntag213f"]

  /// A tag with its mirror from `page` on; `access` is byte 0 of CFG1.
  private static func bench(
    _ product: String, _ content: ASCIIMirror.Content, page: Page, byte: Int, access: UInt8,
    holding old: Job?
  ) throws -> Bench {
    let bench = try Bench(product)
    if let old { #expect(bench.run(old).failure == nil) }
    let place = try #require(Product.named(product)?.type2?.configuration)
    var memory = bench.memory
    let mode = product == "ntag212" ? 0 : content.rawValue << 6
    memory[place.cfg0.byteOffset] = mode | UInt8(byte) << 4 | 0x04
    memory[place.cfg0.byteOffset + 2] = UInt8(page.address)
    memory[place.cfg1.byteOffset] = access
    bench.tag.eeprom.load(memory)
    return bench
  }

  @Test(
    "show what was written, or are refused before the first write; a dry run says the same",
    arguments: products, [4, 6, 8, 10, 12] as [Page])
  func writing(_ product: String, _ page: Page) throws {
    let contents = product == "ntag212" ? [.uid] : ASCIIMirror.Content.allCases
    // CFGLCK, with the counter on, off, and behind the password.
    for (content, access) in contents.flatMap({ content in
      [0x50, 0x40, 0x58].map { (content, UInt8($0)) }
    }) {
      for old in [nil, FaultCase.short, FaultCase.write(FaultCase.media(40))] {
        for count in [0, 3, 9, 20, 60] {
          let message = FaultCase.media(count)
          let bench = try Self.bench(
            product, content, page: page, byte: count % 4, access: access, holding: old)
          let before = bench.memory
          let dry = bench.run(FaultCase.write(message)) { $0.dryRun = true }
          #expect(bench.memory == before)
          let report = bench.run(FaultCase.write(message))
          let what =
            "\(content) from \(page), CFG1 \(access), \(count) bytes: \(report.failure?.message ?? "written")"
          #expect(dry.failure?.kind == report.failure?.kind, "\(what)")
          if report.failure == nil {
            #expect(bench.run(.read).content.shown == message.serialize(), "\(what)")
          } else {
            #expect(report.failure?.kind == .refused && bench.memory == before, "\(what)")
          }
        }
      }
    }
  }

  @Test(
    "a counter that is off does not show, so it hides nothing", arguments: ["ntag213", "ntag216"])
  func counterOff(_ product: String) throws {
    let bench = try Self.bench(
      product, .counter, page: 8, byte: 0, access: 0x40, holding: nil)
    let message = FaultCase.media(40)
    #expect(bench.run(FaultCase.write(message)).failure == nil)
    let info = bench.run(.info)
    #expect(info.content.shown == message.serialize() && info.content.held?.message == message)
    let dump = bench.run(.dump).dump
    #expect(dump?.image.row(8) == Array(bench.memory[32..<36]))
  }

  @Test("a dump of a mirrored tag names what the mirror covers, and asks for no password")
  func dump() throws {
    for product in ["ntag210", "ntag213", "ntag216"] {
      let bench = try Bench(product)
      let mirror = try #require(MessageMirror(placeholderOf: .uid, in: try mirrored().serialize()))
      let job = PreparedTag.write(try mirrored()) { $0.mirror = mirror }
      #expect(bench.run(job).failure == nil)
      let report = bench.run(.dump)
      let dump = try #require(report.dump)
      #expect(dump.unreadRows.isEmpty)
      let finding = try #require(report.findings.first { $0.code == "dump-mirrored" })
      #expect(finding.text.contains("its UID") && !finding.text.contains("password"))
      #expect(!report.findings.contains { $0.code == "not-known" })
    }
  }

  private func mirrored() throws -> Message {
    try url("https://e.de/" + ASCIIMirror.Content.uid.placeholder)
  }
}
