import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// NTAG213/215/216, 8.6 and 8.7; NTAG210/212, 8.7.
@Suite("Tags that show their UID and counter in their message")
struct MirrorTests {
  private static func uid(_ bench: Bench) -> String {
    bench.tag.uid.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }

  private static func link(_ report: TagReport) -> String? {
    guard case .uri(let uri)? = report.message?.records.first?.content else { return nil }
    return uri.uri
  }

  @Test(
    "a reader finds what the tag says, and the same job again finds nothing to do",
    arguments: [
      ("ntag210", ASCIIMirror.Content.uid), ("ntag212", .uid), ("ntag213", .uid),
      ("ntag213", .counter), ("ntag215", .uidAndCounter), ("ntag216", .uidAndCounter),
    ])
  func shown(product: String, content: ASCIIMirror.Content) throws {
    let bench = try Bench(product)
    let job = FaultCase.mirrored(content, behind: "")
    let uid = Self.uid(bench)
    let written = bench.run(job)
    #expect(written.result == .written && written.failure == nil, "\(written.failure as Any)")
    let settled =
      content == .uid ? uid : content == .counter ? "000000" : uid + "x000000"
    #expect(Self.link(written) == "https://example.com/\(settled)&x")
    #expect(!written.findings.contains { $0.code == "configuration" })
    #expect(bench.run(job).result == .unchanged)
    let (first, second) = (bench.run(.read), bench.run(.read))
    let counts = try [first, second].map { report in
      let link = try #require(Self.link(report))
      let text = link.dropFirst("https://example.com/".count).dropLast(2)
      if content != .counter { #expect(text.prefix(14) == uid) }
      if content == .uidAndCounter { #expect(text.dropFirst(14).first == "x") }
      #expect(report.content.held?.filling?.mirror?.content == content)
      #expect(report.content.stored == written.content.stored)
      return content == .uid ? 0 : try #require(Int(text.suffix(6), radix: 16))
    }
    #expect(content == .uid || counts[1] == counts[0] + 1)
  }

  @Test("a plain link ends the mirror and the counting, and it is said")
  func ended() throws {
    let bench = try Bench("ntag213")
    let factory = bench.memory[164..<172]
    _ = bench.run(FaultCase.mirrored(.uidAndCounter))
    #expect(bench.memory[164..<172] != factory)
    let report = bench.run(FaultCase.short)
    #expect(report.result == .written)
    #expect(report.findings.map(\.code) == ["mirror-off"])
    #expect(bench.memory[164..<172] == factory)
    #expect(Self.link(bench.run(.read)) == "https://example.com/t/0001")
  }

  @Test("between all steps a reader finds the old message, none, or the new one with the UID in it")
  func neverAPlaceholder() throws {
    for item in FaultCase.mirrors {
      let bench = try Bench(item.product)
      item.prepare(bench)
      let old = TagImage.content(ofType2: bench.memory)
      var seen: [TagImage.Content] = []
      let report = bench.run(
        item.job, { $0.credentials = item.credentials },
        tell: { if case .step = $0 { seen.append(TagImage.content(ofType2: bench.memory)) } })
      #expect(report.failure == nil, "\(item.testDescription): \(report.failure as Any)")
      let new = TagImage.content(ofType2: bench.memory)
      #expect(new == .message(report.content.stored ?? []), "\(item.testDescription)")
      for content in seen {
        #expect([old, .message([]), new].contains(content), "\(item.testDescription): \(content)")
      }
    }
  }

  @Test("a frozen configuration is refused before the first write, and a chip without mirror")
  func refused() throws {
    let frozen = try Bench("ntag213")
    var memory = frozen.memory
    memory[168] |= 0x40
    frozen.tag.eeprom.load(memory)
    let refusal = frozen.run(FaultCase.mirrored(.uid))
    #expect(refusal.failure?.cause == .type2(.mirrorFrozen(.uid)))
    #expect(refusal.failure?.kind == .refused && frozen.memory == memory)
    for (product, content) in [
      ("ntag212", ASCIIMirror.Content.counter), ("ultralight-ev1-21", .uid), ("ntag203", .uid),
      ("classic1k", .uid), ("type4", .uid),
    ] {
      let bench = try Bench(product)
      let before = bench.memory
      let report = bench.run(FaultCase.mirrored(content))
      #expect(report.failure?.kind == .badInput && bench.memory == before, "\(product)")
    }
  }

  @Test(
    "a page of the configuration that lost power is repaired by the same job", arguments: 0..<24)
  func torn(seed: UInt8) throws {
    let bench = try Bench("ntag213")
    let job = FaultCase.mirrored(.uidAndCounter)
    _ = bench.run(job)
    let wanted = bench.memory
    var memory = wanted
    // The message is off, as while that page is written.
    memory.replaceSubrange(20..<24, with: [0x34, 0x03, 0, 0])
    memory.replaceSubrange(
      164..<168, with: [seed &* 73, seed | 1, seed &* 31 &+ 5, seed &* 2])
    bench.tag.eeprom.load(memory)
    let report = bench.run(job)
    #expect(report.failure == nil, "\(report.failure as Any)")
    #expect(bench.memory == wanted)
  }

  @Test("a lock leaves the mirror open, which is said; frozen or under a password it is closed")
  func locked() throws {
    guard case .write(let message, var options) = FaultCase.mirrored(.uidAndCounter) else { return }
    options.lock = true
    func codes(_ report: TagReport) -> [String] { report.findings.map(\.code) }
    func switchesOff(_ bench: Bench) -> Bool {
      bench.tag.powerOff()
      bench.tag.select()
      _ = bench.tag.receive([0xA2, 0x29, 0x04, 0x00, 0x00, 0xFF])
      return bench.memory[166] == 0
    }
    let open = try Bench("ntag213")
    #expect(codes(open.run(.write(message, options))) == ["mirror-open"])
    #expect(codes(open.run(.write(message, options))) == ["mirror-open"])
    #expect(codes(open.run(.lock(force: false))).contains("mirror-open"))
    #expect(switchesOff(open))

    var closed = options
    closed.protection = Protection(password: [1, 2, 3, 4])
    let protected = try Bench("ntag213")
    #expect(codes(protected.run(.write(message, closed))).isEmpty)
    #expect(!switchesOff(protected))

    for protection in [nil, Protection(password: [1, 2, 3, 4])] {
      let bench = try Bench("ntag213")
      (options.freezesMirror, options.protection) = (true, protection)
      let job = Job.write(message, options)
      let planned = bench.run(job) { $0.dryRun = true }
      #expect(planned.program?.irreversibleSteps.last?.place == .page(42))
      #expect(planned.program?.steps.filter(\.isWrite).last?.place == .page(42))
      let report = bench.run(job)
      #expect(report.failure == nil && codes(report).isEmpty, "\(report.failure as Any)")
      #expect(report.program?.steps == planned.program?.steps)
      #expect(bench.memory[168] & 0x50 == 0x50)
      let memory = bench.memory
      let again = bench.run(job) { $0.credentials.password = protection?.password }
      #expect(again.result == .unchanged && codes(again).isEmpty, "\(again.failure as Any)")
      #expect(!switchesOff(bench) && bench.memory == memory)
      #expect(Self.link(bench.run(.read))?.contains(Self.uid(bench) + "x") == true)
    }
    // Locked before, and frozen later.
    let later = try Bench("ntag213")
    (options.freezesMirror, options.protection) = (false, nil)
    #expect(later.run(.write(message, options)).failure == nil)
    options.freezesMirror = true
    let report = later.run(.write(message, options))
    #expect(report.result == .written && !switchesOff(later), "\(report.failure as Any)")
  }

  @Test("a command that is lost anywhere while a mirror gets a password and is frozen")
  func lostFreeze() throws {
    guard case .write(let message, var options) = FaultCase.mirrored(.uidAndCounter) else { return }
    (options.lock, options.freezesMirror) = (true, true)
    options.protection = Protection(password: [1, 2, 3, 4])
    let whole = try Bench("ntag213")
    let count = whole.run(.write(message, options)).counts.frames
    #expect(count > 30)
    for place in 0..<count {
      var bench = try Bench("ntag213")
      bench.hostFault = DirectLink.Fault(place: place, kind: .commandLost)
      let report = bench.run(.write(message, options))
      if report.failure?.kind != .readerUnavailable {
        #expect(report.failure == nil, "at \(place): \(report.failure as Any)")
        #expect(bench.memory == whole.memory, "at \(place)")
      }
    }
  }

  @Test("info shows the counter when asked, and why not")
  func counter() throws {
    let bench = try Bench("ntag213")
    func told() -> String? {
      bench.run(.info) { $0.readsCounters = true }.details.first { $0.label.contains("counter") }?
        .text
    }
    #expect(told() == "off: the tag does not count")
    _ = bench.run(FaultCase.mirrored(.counter))
    let first = told()
    #expect(first?.hasSuffix("readings, at most one each time the tag came into a field") == true)
    #expect(told() != first)
    var memory = bench.memory
    memory[168] |= 0x08
    bench.tag.eeprom.load(memory)
    #expect(told() == "hidden: it needs the password")
    #expect(!bench.run(.info).details.contains { $0.label == "NFC counter" })
  }

  @Test(
    "a dump without a mirror is there down to the bytes below the tag's", arguments: [false, true])
  func restored(isFrozen: Bool) throws {
    let source = try Bench("ntag213")
    _ = source.run(FaultCase.short)
    let image = try #require(source.run(.dump).dump).image
    let bench = try Bench("ntag213")
    _ = bench.run(FaultCase.mirrored(.uidAndCounter))
    var before = bench.memory
    if isFrozen { before[168] |= 0x40 }
    bench.tag.eeprom.load(before)
    let job = Job.restore(Restore(image, force: true))
    let report = bench.run(job)
    guard !isFrozen else {
      #expect(report.failure?.kind == .refused && bench.memory == before)
      return
    }
    #expect(report.result == .written && report.failure == nil, "\(report.failure as Any)")
    #expect(bench.memory[12..<172] == source.memory[12..<172])
    #expect(bench.run(job).result == .unchanged)
  }

  @Test("pages below a mirror are written, those first that do not show it")
  func pages() throws {
    let bench = try Bench("ntag215")
    _ = bench.run(FaultCase.mirrored(.uid, behind: ""))
    let job = Job.writePages(PageWrite(start: 6, bytes: Array(1...16), force: false))
    let report = bench.run(job)
    #expect(report.failure == nil && report.program?.writtenPages == [9, 6, 7, 8])
    #expect(bench.memory[24..<40].elementsEqual(1...16))
    #expect(bench.run(job).result == .unchanged)
    // Nothing tells what such a page holds.
    let hidden = Job.writePages(PageWrite(start: 9, bytes: [4, 3, 2, 1], force: false))
    #expect(bench.run(hidden).result == .written && bench.memory[36..<40] == [4, 3, 2, 1])
  }

  @Test(
    "jobs with a fault at their steps, on sound cells and bad ones", arguments: FaultCase.mirrors)
  func faults(_ item: FaultCase) throws {
    try item.tryFaults(oneOf: 5)
  }
}
