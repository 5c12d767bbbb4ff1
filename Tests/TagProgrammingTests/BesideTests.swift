import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("What lies beside a tag of type A")
struct BesideTests {
  private func run(
    _ job: Job, on tags: [any StoredTag], reel: Product? = nil
  ) throws -> TagReport {
    let reader = TagReader(link: DirectLink(Chip(field: Field([tags]))))
    reader.look(for: reel)
    var options = RunOptions()
    options.timeout = .zero
    options.expected = reel
    return Programmer(reader: reader, options: options).run(job)
  }

  @Test(
    "is another tag to whoever writes and does not know the reel",
    arguments: ["felica-lite-s", "typeb"])
  func writing(_ other: String) throws {
    for reel in [nil, Product.ntag213] {
      let tags = try ["ntag213", other].map { try TagCatalog.tag($0) }
      let before = tags.map(\.eeprom.bytes)
      let report = try run(FaultCase.short, on: tags, reel: reel)
      #expect(tags[1].eeprom.bytes == before[1])
      if reel == nil {
        #expect(report.failure?.kind == .tagTrouble && report.target == nil)
        #expect(tags[0].eeprom.bytes == before[0])
      } else {
        #expect(report.failure == nil, "\(report.failure as Any)")
      }
    }
  }

  @Test("is looked for once on a line that goes on, and never where the reel is known")
  func cost() throws {
    let reader = TagReader(link: DirectLink(Chip(field: Field(try TagCatalog.tag("ntag213")))))
    func looks(_ reel: Product?) throws -> Int {
      reader.look(for: reel)
      let before = reader.counts.frames
      _ = try reader.select()
      return reader.counts.frames - before
    }
    _ = try looks(.ntag213)
    let known = try looks(.ntag213)
    let first = try looks(nil)
    // One try each for FeliCa and type B, and the tag selected again; the field was off before, as
    // a tag was there already.
    #expect(first >= known + 4 && first <= known + 5)
    // And two tries again for what comes next.
    #expect(try looks(nil) <= known + 2)
    #expect(try looks(nil) <= known + 1)
  }

  @Test("a card of type B that was listed and is not found again is named")
  func lostTypeB() throws {
    let report = try info(.lost)
    #expect(report.product == .type4 && report.content == .notLookedAt && !report.verified)
    #expect(report.findings.contains { $0.code == "not-known" })
  }

  @Test("a card of type B is named as such, whether or not InSelect finds it again")
  func listedTypeB() throws {
    for kind in [BoardDeviations.TypeB.selected, .listed, .lost] {
      let details = try info(kind).details
      #expect(details.contains { $0.text.contains("type B") }, "\(kind)")
      #expect(!details.contains { $0.label == "manufacturer" }, "\(kind)")
    }
  }

  /// What `info` says of a card of type B on a board that treats it so.
  private func info(_ kind: BoardDeviations.TypeB) throws -> TagReport {
    var deviations = BoardDeviations()
    deviations.typeB = kind
    let tag = try TagCatalog.tag("typeb")
    let reader = TagReader(link: DirectLink(Chip(field: Field(tag), deviations: deviations)))
    reader.technologies = Set(Technology.allCases)
    var options = RunOptions()
    options.timeout = .zero
    let report = Programmer(reader: reader, options: options).run(.info)
    #expect(report.failure == nil && report.target?.uid.bytes == tag.uid)
    return report
  }
}
