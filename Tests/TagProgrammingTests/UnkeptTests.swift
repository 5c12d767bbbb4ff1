import NDEF
import TagMemory
import Testing

@testable import PN532Simulator
@testable import TagProgramming

@Suite("What a Type 4 or a Type 3 tag cannot hold or show")
struct UnkeptTests {
  @Test("a cell that keeps a wrong bit is written at most five times, and nobody finds the message")
  func stuckCell() throws {
    for product in ["type4", "st25ta02k", "ntag424", "desfire-ev1"] {
      for old in [nil, "https://example.com/an/old/one"] {
        let bench = try Bench(product)
        if product == "desfire-ev1" {
          #expect(bench.run(.formatType4(Type4Format())).failure == nil)
        }
        if let old { #expect(bench.run(.write(try url(old), WriteOptions())).failure == nil) }
        let message = try url("https://example.com/t/1")
        let rehearsal = try Bench(product)
        rehearsal.tag.eeprom.load(bench.memory)
        #expect(rehearsal.run(.write(message, WriteOptions())).failure == nil)
        let wanted = rehearsal.memory
        // A byte of the address, which differs from the old one's.
        let held = bench.memory
        let changed = wanted.indices.filter { held[$0] != wanted[$0] && wanted[$0] > 0x2F }
        let address = try #require(changed.last)
        let difference = held[address] ^ wanted[address]
        let bit = difference.trailingZeroBitCount
        bench.tag.eeprom.stuckBits = [
          StuckBit(address: address, bit: bit, value: wanted[address] >> UInt8(bit) & 1 ^ 1)
        ]
        let (start, unit) = (bench.tag.eeprom.programmingCycles, address / 32)
        var writes = 0
        bench.tag.eeprom.onProgrammed = { [eeprom = bench.tag.eeprom] in
          if let last = eeprom.lastUnit, (last.lowerBound / 32...(last.upperBound - 1) / 32) ~= unit
          {
            writes += 1
          }
        }
        let report = bench.run(.write(message, WriteOptions()))
        #expect(report.failure?.kind == .mismatch, "\(product): \(report)")
        #expect(writes <= 5 && bench.tag.eeprom.programmingCycles > start, "\(product): \(writes)")
        let found = bench.run(.read)
        #expect(found.message == nil || found.message?.records.isEmpty == true, "\(product)")
      }
    }
  }

  @Test("a FeliCa Lite-S that shows blocks to its card key alone keeps its message")
  func closedToReaders() throws {
    for mask in [[0x01, 0x00], [0x02, 0x00], [0xFF, 0x3F], [0x00, 0x20]] as [[UInt8]] {
      let bench = try Bench("felica-lite-s")
      let long = Message(
        try URIRecord("https://example.com/" + String(repeating: "x", count: 185)).record)
      #expect(bench.run(.write(try url("https://example.com/t/1"), WriteOptions())).failure == nil)
      var memory = bench.memory
      let configuration = memory.count - 16
      memory.replaceSubrange(configuration + 6..<configuration + 8, with: mask)
      bench.tag.eeprom.load(memory)
      var format = FeliCaFormat()
      (format.message, format.overwrite) = (long, true)
      for job in [Job.write(long, WriteOptions()), .formatFeliCa(format)] {
        for isPlan in [true, false] {
          let report = bench.run(job) { $0.dryRun = isPlan }
          guard case .feliCa(.cardKeyToRead)? = report.failure?.cause else {
            Issue.record("\(mask): \(report)")
            continue
          }
          #expect(report.failure?.kind == .refused && bench.memory == memory)
        }
      }
    }
  }

  @Test("a blank DESFire knows its own name, and has no NDEF application for that")
  func blankCard() throws {
    for product in ["desfire-ev1", "desfire-ev2", "desfire-ev3"] {
      let bench = try Bench(product)
      bench.tag.select()
      let answer = bench.tag.receive(Hexadecimal.bytes("00A4040007D2760000850100"))
      #expect(answer == .data([0x90, 0x00]) && bench.tag.sakBeforeLast == 0x24)
      let message = try url("https://example.com/t/1")
      let before = bench.memory
      for isPlan in [true, false] {
        let report = bench.run(.write(message, WriteOptions())) { $0.dryRun = isPlan }
        guard case .type4(.notFormatted)? = report.failure?.cause else {
          Issue.record("\(report)")
          continue
        }
        #expect(report.failure?.remedy == .formatFirst && bench.memory == before)
      }
      var format = Type4Format()
      format.message = message
      #expect(bench.run(.formatType4(format)).failure == nil)
      #expect(bench.run(.read).message == message)
    }
  }

  @Test("a list of applications that comes in parts is read to its end")
  func manyApplications() throws {
    let bench = try Bench("desfire-ev1")
    let card = try #require(bench.tag as? VirtualDESFire)
    bench.tag.select()
    // One key each; more than 59 bytes of identifiers.
    for number in 1...21 {
      let create = "90CA000005" + Hexadecimal.text([UInt8(number), 0, 0, 0x0F, 0x01]) + "00"
      guard case .data([0x91, 0x00]) = card.receive(Hexadecimal.bytes(create)) else { break }
    }
    var format = Type4Format()
    format.message = try url("https://example.com/t/1")
    let report = bench.run(.formatType4(format))
    // There is room for it, or it is said that there is none: no number is taken twice.
    if let failure = report.failure {
      guard case .type4(.notEnoughMemory) = failure.cause else {
        Issue.record("\(failure)")
        return
      }
    } else {
      #expect(bench.run(.read).message == format.message)
    }
  }
}
