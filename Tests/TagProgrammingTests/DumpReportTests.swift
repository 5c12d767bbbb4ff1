import PN532Simulator
import TagDumps
import TagMemory
import Testing

@testable import TagProgramming

/// What is said of a file with a tag's memory, held to what is said of the tag.
@Suite("A report on a dump")
struct DumpReportTests {
  /// Said of a tag that was asked, and of no file: of its frames, its loop, its keys.
  private static let asked: Set<String> = [
    "frames", "historical bytes", "hardware", "tamper loop", "proof", "fills in",
    "secure messaging", "card",
  ]

  @Test("says what the tag with that memory says", arguments: TagTrial.all)
  func same(_ trial: TagTrial) throws {
    let knowing = [Credentials()] + trial.family.knowing(trial.tag).map(\.credentials)
    for credentials in knowing {
      let bench = try trial.tag.bench()
      let tag = bench.run(.info) { $0.credentials = credentials }
      let read = bench.run(.dump) { $0.credentials = credentials }
      guard tag.failure == nil, var dump = read.dump else { continue }
      if dump.version == nil { dump.named = tag.product }
      let file = TagReport(of: dump)
      compareContent(file, tag, dump, "\(trial.testDescription)")
      // A trailer that does not show says nothing of its sector, nor does a key.
      if !file.findings.contains(where: { $0.text.hasPrefix("Sector") && $0.code == "not-known" }) {
        #expect(file.capacity == tag.capacity, "\(trial.testDescription)")
        compareDetails(file, tag, "\(trial.testDescription)")
      }
    }
  }

  private func compareContent(
    _ file: TagReport, _ tag: TagReport, _ dump: TagDump, _ what: String
  ) {
    #expect(file.product == tag.product, "\(what)")
    // Nobody knows what an NTAG 424 DNA will fill in, nor who may do what with its files.
    let knowsMessage = !dump.image.isMirrored
    if knowsMessage, tag.content.obstacle == nil {
      #expect(file.content.name == tag.content.name, "\(what)")
      #expect(file.message == tag.message, "\(what)")
    }
    guard tag.product?.isNTAG424 != true, tag.content.obstacle == nil else { return }
    // Of what the tag did not show the file only says that it is not there; and nothing of who may
    // do what with the files of a DESFire.
    let isPartial = file.findings.contains { $0.code == "not-known" }
    let isUnseen =
      (isPartial || tag.product?.isDESFireEV1OrLater == true)
      && (file.status, tag.status) == (.readWrite, .readOnly)
    #expect(!knowsMessage || file.status == tag.status || isUnseen, "\(what)")
    #expect(file.isLocked == tag.isLocked, "\(what)")
    let isProtected = file.isPasswordProtected ?? (isPartial ? tag.isPasswordProtected : nil)
    #expect(isProtected == tag.isPasswordProtected, "\(what)")
  }

  private func compareDetails(_ file: TagReport, _ tag: TagReport, _ what: String) {
    for detail in tag.details where !Self.asked.contains(detail.label) {
      let said = file.details.first { $0.label == detail.label }
      #expect(said != nil, "\(what): \(detail.label)")
      // An NTAG 424 DNA and a DESFire may refuse what their containers allow.
      let hasRights = tag.product?.isNTAG424 == true || tag.product?.isDESFireEV1OrLater == true
      let isOpen =
        said?.text.hasPrefix("not known") == true
        || hasRights && detail.label.hasPrefix("file")
      #expect(isOpen || said == detail, "\(what): \(said?.text ?? "") and \(detail.text)")
    }
    let beside: Set<String> = ["not-known", "dump-mirrored", "product", "mirror-over-length"]
    let (said, found) = (Set(file.findings.map(\.code)), Set(tag.findings.map(\.code)))
    #expect(said.subtracting(beside) == found.subtracting(beside), "\(what)")
  }

  @Test(
    "a mirror's text stands in the message of a dump in every format, and of a tag that gets it",
    arguments: ASCIIMirror.Content.allCases)
  func mirrored(_ content: ASCIIMirror.Content) throws {
    let bench = try Bench("ntag213")
    #expect(bench.run(FaultCase.mirrored(content)).failure == nil)
    let seen = bench.run(.dump)
    let dump = try #require(seen.dump)
    for format in [DumpFormat.raw, .proxmark, .flipper] {
      let file = try TagDump(parsing: try dump.serialize(as: format))
      let report = TagReport(of: file)
      #expect(MemoryComparison(file, dump).differences == [], "\(format)")
      let copy = Bench(try TagCatalog.tag("ntag213", index: 1))
      let restored = copy.run(.restore(Restore(file.image, force: true)))
      #expect(restored.failure == nil, "\(format)")
      let found = copy.run(.read)
      // The counter moves on with each reading.
      func shown(_ report: TagReport) -> [String]? {
        report.message?.records.map { record in
          let text = String(decoding: record.payload, as: UTF8.self)
          return content == .uid ? text : text.replacing(/x?[0-9A-F]{6}&/, with: "&")
        }
      }
      #expect(shown(report) == shown(seen), "\(format)")
      #expect(shown(restored) == shown(found) && found.message != nil, "\(format)")
    }
  }

  @Test(
    "an image that does not say of which chip it is says so, and lays the pages out as all have")
  func ambiguous() throws {
    let bench = try Bench("ntag212")
    #expect(bench.run(FaultCase.short).failure == nil)
    var dump = try #require(bench.run(.dump).dump)
    #expect(TagReport(of: dump).product == .ntag212)
    dump.version = nil
    let report = TagReport(of: dump)
    #expect(report.product?.name == "type2" && report.product?.displayName.contains(" or ") == true)
    #expect(report.content.name == "message" && report.isPasswordProtected == false)
    #expect(dump.misfit(.ntag212) == nil && dump.misfit(.ntag213) != nil)
  }

  @Test("keys that a dump does not hold are not called wrong")
  func withoutKeys() throws {
    let bench = try Bench("classic1k")
    #expect(bench.run(FaultCase.short).failure == nil)
    let dump = try #require(bench.run(.dump).dump)
    var bytes = dump.image.bytes
    for block in Geometry.oneK.blocks where block.isTrailer {
      for index in [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15] {
        bytes[Int(block.index) * 16 + index] = 0
      }
    }
    let image = try #require(MemoryImage(dump.image.layout, uid: dump.image.uid, bytes: bytes))
    let report = TagReport(of: TagDump(image))
    #expect(report.content.name == "message" && report.status == .readWrite)
    #expect(report.findings.map(\.code) == [])
    #expect(report.details.contains { $0.label == "keys" && $0.text.contains("no key known") })
  }
}
