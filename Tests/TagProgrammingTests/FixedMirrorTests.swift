import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A mirror on a chip whose configuration no job writes: it stays on, and what it covers shows as
/// something else than what is written.
@Suite("Messages on tags whose mirror stays on")
struct FixedMirrorTests {
  /// A simulated chip, CFG0, and byte 0 of it for each mirror, the byte in the page aside.
  struct Chip: Sendable, CustomTestStringConvertible {
    let name: String
    let cfg0: Int
    let modes: [UInt8]
    let shift: UInt8

    var testDescription: String { name }

    static let all = [
      Chip(name: "ntag213c", cfg0: 41, modes: [0x44, 0x84, 0xC4], shift: 4),
      Chip(
        name: "ntag213tt", cfg0: 41, modes: [0x24, 0x44, 0x64, 0x84, 0xA4, 0xC4, 0xE4], shift: 3),
      Chip(name: "ntag223", cfg0: 41, modes: [0x80], shift: 3),
      Chip(name: "ntag224", cfg0: 57, modes: [0x80], shift: 3),
    ]

    /// A tag that shows something of itself from `page` on; `access` is byte 0 of CFG1.
    func bench(
      _ mode: UInt8, page: Int, byte: Int, access: UInt8, auth0: UInt8? = nil, holding old: Job?
    ) throws -> Bench {
      let bench = try Bench(name)
      if let old { #expect(bench.run(old).failure == nil) }
      var memory = bench.memory
      memory[cfg0 * 4] = mode | UInt8(byte) << shift
      memory[cfg0 * 4 + 2] = UInt8(page)
      if let auth0 { memory[cfg0 * 4 + 3] = auth0 }
      memory[cfg0 * 4 + 4] = access
      bench.tag.eeprom.load(memory)
      return bench
    }
  }

  @Test(
    "show what was written, or are refused before the first write; a dry run says the same",
    arguments: Chip.all, [4, 6, 8, 11, 20])
  func writing(_ chip: Chip, _ page: Int) throws {
    let image = try #require(try Self.source(chip).run(.dump).dump?.image)
    for mode in chip.modes {
      for access in [UInt8(0x10), 0x00] {
        for old in [nil, FaultCase.short, FaultCase.write(FaultCase.media(60))] {
          for count in [0, 3, 9, 20, 60, 100, -1] {
            // Without a message, the dump of another tag.
            let message = FaultCase.media(count < 0 ? 60 : count)
            let job = count < 0 ? Job.restore(Restore(image)) : FaultCase.write(message)
            let bench = try chip.bench(
              mode, page: page, byte: abs(count) % 4, access: access, holding: old)
            let before = bench.memory
            let dry = bench.run(job) { $0.dryRun = true }
            #expect(bench.memory == before)
            let report = bench.run(job)
            let what: Comment =
              "\(mode) from \(page), CFG1 \(access), \(count) bytes: \(report.failure.map { "\($0)" } ?? "written")"
            #expect(dry.failure?.kind == report.failure?.kind, what)
            if report.failure == nil {
              #expect(bench.run(.read).content.shown == message.serialize(), what)
            } else {
              // Over the head of a message a mirror may leave no room for another.
              let kinds: [JobFailure.Kind] = page < 6 ? [.refused, .badInput] : [.refused]
              for failure in [report.failure, bench.run(job).failure].compactMap(\.self) {
                #expect(kinds.contains(failure.kind) && failure.holds == .unchanged, what)
              }
              #expect(bench.memory == before, what)
            }
          }
        }
      }
    }
  }

  /// A tag with the message that a dump is to bring.
  private static func source(_ chip: Chip) throws -> Bench {
    let bench = try Bench(chip.name)
    #expect(bench.run(FaultCase.write(FaultCase.media(60))).failure == nil)
    return bench
  }

  @Test(
    "what ends before the mirror is written, what reaches into it is refused", arguments: Chip.all)
  func border(_ chip: Chip) throws {
    for mode in chip.modes {
      for (count, isWritten) in [(9, true), (60, false)] {
        let bench = try chip.bench(
          mode, page: 11, byte: 0, access: 0x10, holding: FaultCase.short)
        let report = bench.run(FaultCase.write(FaultCase.media(count)))
        #expect((report.failure == nil) == isWritten, "\(mode), \(count) bytes")
        guard !isWritten else { continue }
        guard case .type2(.mirrored(_, isFrozen: false))? = report.failure?.cause else {
          Issue.record("\(mode): \(report.failure.map { "\($0)" } ?? "")")
          continue
        }
      }
    }
  }

  @Test("a UID that shows where nobody can read of a mirror is written over with leave alone")
  func hidden() throws {
    let chip = Chip.all[0]
    // AUTH0 and PROT close the configuration, and no page of the user memory.
    let bench = try chip.bench(
      0x44, page: 8, byte: 0, access: 0x80, auth0: 41, holding: FaultCase.short)
    let before = bench.memory
    let message = FaultCase.media(60)
    for isRehearsal in [true, false] {
      let report = bench.run(FaultCase.write(message)) { $0.dryRun = isRehearsal }
      #expect(report.failure?.cause == .type2(.mayBeMirrored(8)))
      #expect(bench.memory == before)
    }
    // The same text stored, without a mirror.
    let stored = try chip.bench(
      0x04, page: 0, byte: 0, access: 0x80, auth0: 41, holding: FaultCase.short)
    var memory = stored.memory
    let text = bench.tag.uid.flatMap { byte in
      let digits = Array("0123456789ABCDEF".utf8)
      return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    memory.replaceSubrange(32..<46, with: text)
    stored.tag.eeprom.load(memory)
    #expect(stored.run(FaultCase.write(message)).failure?.remedy == .permitOverwrite)
    #expect(stored.memory == memory)
    #expect(stored.run(PreparedTag.write(message) { $0.overwrite = true }).failure == nil)
    #expect(stored.run(.read).message == message)
  }
}
