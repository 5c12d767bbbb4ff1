import TagMemory
import Testing

@testable import TagProgramming

/// What a MIFARE Classic holds, message or key, is given up only by a job that says so and can end.
@Suite("What a MIFARE Classic keeps")
struct KeptTests {
  private static let link = "https://example.com/t/1"
  private static let key = FaultCase.ownKeyB

  /// A tag with a message of `size` bytes, and with `keyB`.
  private static func tag(
    _ product: String = "classic1k", size: Int? = nil, keyB: Key? = nil
  ) throws -> Bench {
    let bench = try Bench(product)
    var format = ClassicFormat()
    format.keyB = keyB
    format.message = try url(link)
    #expect(bench.run(.formatClassic(format)).failure == nil)
    if let size { #expect(bench.run(FaultCase.write(FaultCase.media(size))).failure == nil) }
    return bench
  }

  private static func edit(_ bench: Bench, _ change: (inout [UInt8]) -> Void) {
    var memory = bench.memory
    change(&memory)
    bench.tag.eeprom.load(memory)
  }

  @Test("a message behind other TLVs stays when its tag is formatted")
  func behindOthers() throws {
    for leading in [[0xFD, 14] + [UInt8](1...14), [UInt8](repeating: 0, count: 16)] {
      let bench = try Self.tag()
      Self.edit(bench) { memory in
        let message = Array(memory[64..<96])
        memory.replaceSubrange(64..<112, with: leading + message)
      }
      let before = bench.memory
      let report = bench.run(.formatClassic(ClassicFormat()))
      #expect(report.result == .unchanged && bench.memory == before)
      #expect(bench.run(.read).message == (try url(Self.link)))
    }
  }

  @Test("a message that a smaller area has no room for is lost only with leave")
  func smallerArea() throws {
    let bench = try Self.tag("classic4k", size: 1500)
    let before = bench.memory
    var format = ClassicFormat()
    format.directory = .mad1
    let report = bench.run(.formatClassic(format))
    #expect(report.failure?.kind == .refused && report.failure?.holds == .unchanged)
    #expect(bench.memory == before)
    format.overwrite = true
    let forced = bench.run(.formatClassic(format))
    #expect(forced.failure == nil && forced.messageLength == 0 && forced.capacity == 716)
  }

  @Test("a sector that nobody can write keeps the old message whole, and that is said")
  func lockedSector() throws {
    let bench = try Self.tag()
    let trailer = SectorTrailer.nfcReadOnly(keyB: .factory).serialize()
    Self.edit(bench) { $0.replaceSubrange(240..<256, with: trailer) }
    let before = bench.memory
    let report = bench.run(FaultCase.write(FaultCase.media(150)))
    #expect(report.failure?.kind == .refused && report.failure?.holds == .unchanged)
    #expect(bench.memory == before)
    #expect(bench.run(FaultCase.other).failure == nil, "what stays in front of it is written")
  }

  @Test("a destroyed sector and a message too long for the rest: untouched, and too long")
  func destroyedSector() throws {
    let bench = try Self.tag()
    Self.edit(bench) { $0.replaceSubrange(374..<378, with: [0, 0, 0, 0x40]) }
    let before = bench.memory
    let report = bench.run(FaultCase.write(FaultCase.media(300)))
    #expect(report.failure?.kind == .badInput && report.failure?.holds == .unchanged)
    #expect(bench.memory == before)
    #expect(bench.run(FaultCase.write(FaultCase.media(150))).failure == nil)
  }

  @Test("a locked tag is refused, and nothing is sent to be written")
  func lockedTag() throws {
    let bench = try Self.tag()
    #expect(bench.run(.lock(force: false)).failure == nil)
    let report = bench.run(FaultCase.other)
    #expect(report.failure?.kind == .refused && report.counts.writes == 0)
    #expect(report.failure?.holds == .unchanged && report.status == .readOnly)
  }

  @Test("a secret key B stays where a trailer is repaired, unless another one is given")
  func secretKeyB() throws {
    for (place, job) in [(57, FaultCase.other), (121, .formatClassic(ClassicFormat()))] {
      let bench = try Self.tag(keyB: Self.key)
      let before = bench.memory[place - 9..<place + 7]
      Self.edit(bench) { $0[place] = 0x69 }
      #expect(bench.run(job).failure?.kind == .refused)
      #expect(bench.run(job) { $0.credentials.keys = [Self.key] }.failure == nil)
      #expect(bench.memory[place - 9..<place + 7] == before)
    }
    let bench = try Self.tag(keyB: Self.key)
    var format = ClassicFormat()
    format.keyB = .factory
    #expect(bench.run(.formatClassic(format)).failure?.kind == .refused)
    #expect(bench.run(.formatClassic(format)) { $0.credentials.keys = [Self.key] }.failure == nil)
    #expect(bench.memory == (try Self.tag().memory))
  }

  @Test("a dump with a key B that no given key can put there is not said to be restored")
  func restoredKeyB() throws {
    let source = try Self.tag()
    let image = try #require(source.run(.dump).dump?.image)
    let bench = try Self.tag(keyB: Self.key)
    let before = bench.memory
    #expect(bench.run(.restore(Restore(image))).failure?.kind == .refused)
    #expect(bench.memory == before)
    let report = bench.run(.restore(Restore(image))) { $0.credentials.keys = [Self.key] }
    #expect(report.failure == nil && bench.memory == source.memory)
  }

  @Test("formatting says how long the message is that it leaves on the tag")
  func sizes() throws {
    let damaged = try Self.tag()
    Self.edit(damaged) { $0[16] ^= 0x55 }
    #expect(damaged.run(.formatClassic(ClassicFormat())).messageLength == 20)
    let beyond = try Self.tag()
    Self.edit(beyond) { $0.replaceSubrange(64..<68, with: [0x03, 0xFF, 0x02, 0xF0]) }
    #expect(beyond.run(.formatClassic(ClassicFormat())).messageLength == 0)
  }

  @Test("a torn key is found behind sectors that are closed for good")
  func tornBehindClosed() throws {
    let bench = try Self.tag()
    let whole = bench.memory
    let foreign: [UInt8] = [0x99, 0x88, 0x77, 0x66, 0x55, 0x44]
    Self.edit(bench) { memory in
      memory.replaceSubrange(16..<64, with: [UInt8](repeating: 0, count: 32) + whole[1008..<1024])
      memory.replaceSubrange(48..<64, with: SectorTrailer.transport.serialize())
      for sector in [3, 5] {
        let start = sector * 64 + 48
        memory.replaceSubrange(
          start..<start + 16, with: foreign + [0xFF, 0x07, 0x80, 0x69] + foreign)
      }
      // Sector 10 lost power in its key A.
      memory.replaceSubrange(688..<704, with: SectorTrailer.transport.serialize())
      memory.replaceSubrange(688..<691, with: [0xD3, 0xF7, 0xD3])
    }
    var format = ClassicFormat()
    format.overwrite = true
    #expect(bench.run(.formatClassic(format)).failure == nil)
    #expect(bench.memory[688..<704] == whole[688..<704])
  }
}
