import NDEF
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Chips and boards that know less, or show other bytes, than expected")
struct OddChipTests {
  private static let fast = [
    "ultralight-ev1-11", "ultralight-ev1-21", "ntag210", "ntag212", "ntag213", "ntag215", "ntag216",
  ]

  @Test(
    "every job works without FAST_READ, refused by the tag or by a copy of the chip",
    arguments: fast,
    [true, false])
  func withoutFastRead(_ product: String, isTag: Bool) throws {
    func bench() throws -> Bench {
      let tag = try TagCatalog.tag(product)
      guard isTag else {
        var board = BoardDeviations()
        board.isClone = true
        return Bench(tag, deviations: board)
      }
      var deviations = TagDeviations()
      deviations.lacksFastRead = true
      return Bench(DeviatingTag(tag, deviations))
    }
    let (odd, even) = (try bench(), try Bench(product))
    let protection = Protection(password: [1, 2, 3, 4])
    let image = try #require(even.run(.dump).dump).image
    let jobs: [Job] = [
      .info, FaultCase.short, .read, FaultCase.other, .dump, .restore(Restore(image)),
      FaultCase.short,
      .writePages(PageWrite(start: 9, bytes: Array(1...28), force: false)), FaultCase.short,
      .protect(protection), .unprotect, .lock(force: false), .info, .read,
    ]
    for job in jobs {
      let change: (inout RunOptions) -> Void = { $0.credentials.password = protection.password }
      let (left, right) = (odd.run(job, change), even.run(job, change))
      #expect(left.failure == nil && right.failure == nil, "\(job): \(left.failure?.message ?? "")")
      #expect(left.message == right.message && left.result == right.result, "\(job)")
      #expect(left.memory == right.memory, "\(job)")
      #expect(left.dump?.image.bytes == right.dump?.image.bytes, "\(job)")
      #expect(odd.memory == even.memory, "\(job)")
    }
  }

  @Test("bytes of the UID at a page's start are data", arguments: Type2Tests.products)
  func uidInMessage(_ product: String) throws {
    for content in [TagCatalog.Content.factory, .blank] {
      for count in [4, 9, 12] {
        for shift in 0..<8 {
          let bench = try Bench(product, content: content)
          let head = Array((bench.memory[..<9] + bench.memory[..<3]).prefix(count))
          // In every page of the message in turn, whatever stands before it.
          let payload = [UInt8](repeating: 0x2D, count: shift) + head + head
          let message = Message(
            try Record(.media, type: Array("a/b".utf8), payload: payload))
          let report = bench.run(.write(message, WriteOptions()))
          #expect(report.failure == nil, "\(report.failure?.message ?? "")")
          #expect(bench.run(.read).message == message, "\(count) bytes after \(shift)")
          #expect(bench.run(.info).message == message)
          #expect(bench.run(.write(message, WriteOptions())).result == .unchanged)
        }
      }
    }
  }

  @Test(
    "an Ultralight C that hides its pages is refused with plain words",
    arguments: [UInt8(0), 2, 3, 4, 8])
  func hiddenUltralightC(auth0: UInt8) throws {
    let bench = try Bench("ultralight-c")
    _ = bench.run(FaultCase.short)
    var memory = bench.memory
    (memory[42 * 4], memory[43 * 4]) = (auth0, 0)
    bench.tag.eeprom.load(memory)
    for job in [.read, FaultCase.other, .lock(force: false)] as [Job] {
      let failure = try #require(bench.run(job).failure)
      #expect(failure.kind == .refused, "\(failure)")
      guard case .type2(.keyNeeded) = failure.cause else {
        Issue.record("\(failure)")
        continue
      }
      #expect(failure.remedy == .givePassword)
    }
    let info = bench.run(.info)
    // Behind the message's first page anybody can write that.
    #expect((info.failure, info.isPasswordProtected) == (nil, auth0 <= 4))
    #expect(bench.memory == memory)
  }

  @Test("an Ultralight C that only forbids writing is read, and refused before the first write")
  func closedUltralightC() throws {
    let bench = try Bench("ultralight-c")
    _ = bench.run(FaultCase.short)
    var memory = bench.memory
    (memory[42 * 4], memory[43 * 4]) = (4, 1)
    bench.tag.eeprom.load(memory)
    #expect(bench.run(.read).failure == nil)
    #expect(bench.run(FaultCase.other).failure?.kind == .refused)
    #expect(bench.memory == memory)
  }

  @Test("a capability container is not written on a guess, but with leave")
  func guess() throws {
    let tag = VersionTag(try TagCatalog.tag("ultralight-ev1-11"), [0, 4, 3, 7, 1, 0, 0x0B, 3])
    let bench = Bench(tag)
    let before = bench.memory
    guard case .write(let message, var options) = FaultCase.short else { return }
    let refused = bench.run(FaultCase.short)
    #expect(refused.failure?.kind == .refused && bench.memory == before)
    #expect(refused.failure?.remedy == .permitGuessedSize(byteCount: 32))
    options.overwrite = true
    #expect(bench.run(.write(message, options)).failure?.kind == .refused)
    #expect(bench.memory == before)
    options = WriteOptions()
    options.force = true
    #expect(
      bench.run(.write(Message(try URIRecord("https://a.b/").record), options)).failure == nil)
    #expect(Array(bench.memory[12..<16]) == [0xE1, 0x10, 0x04, 0x00])
  }

  @Test(
    "an Ultralight EV1 of 75 pF is an Ultralight EV1",
    arguments: [("11", 0x0B, 46), ("21", 0x0E, 126)])
  func highCapacitance(_ size: String, _ code: UInt8, _ capacity: Int) throws {
    let tag = VersionTag(
      try TagCatalog.tag("ultralight-ev1-\(size)"), [0, 4, 3, 3, 1, 0, code, 3])
    let report = Bench(tag).run(FaultCase.short)
    #expect(report.failure == nil && report.capacity == capacity)
    #expect(report.product?.name == "ultralight-ev1-\(size)")
  }
}

/// A tag that answers GET_VERSION with other bytes.
final class VersionTag: VirtualTag {
  private let tag: any VirtualTag
  private let version: [UInt8]

  init(_ tag: any VirtualTag, _ version: [UInt8]) { (self.tag, self.version) = (tag, version) }

  var product: String { tag.product }
  var atqa: UInt16 { tag.atqa }
  var sak: UInt8 { tag.sak }
  var uid: [UInt8] { tag.uid }
  var ats: [UInt8] { tag.ats }
  var eeprom: EEPROM { tag.eeprom }
  var state: TagState { tag.state }

  func powerOff() { tag.powerOff() }
  func select() { tag.select() }
  func halt() { tag.halt() }
  func returnToIdle() { tag.returnToIdle() }

  func receive(_ frame: [UInt8]) -> TagAnswer {
    let answer = tag.receive(frame)
    return frame == [0x60] && tag.state == .active ? .data(version) : answer
  }

  func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    tag.authenticate(command: command, block: block, key: key, uid: uid)
  }
}
