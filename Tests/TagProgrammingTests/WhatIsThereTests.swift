import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// What is said of a tag whose cells keep other bytes than were written.
@Suite("What a tag with bad cells is said to hold")
struct WhatIsThereTests {
  @Test(
    "a message with a wrong byte is taken away again, so that nobody follows a wrong link",
    arguments: [
      "ntag213", "ultralight", "ultralight-c", "classic1k", "mini", "felica-lite-s", "type4",
      "ntag424",
    ])
  func withdrawn(_ product: String) throws {
    let old = FaultCase.write(try url("https://example.com/"))
    let new = FaultCase.write(try url("https://example.com/t/aaaaa"))
    let rehearsal = try Bench(product)
    #expect(rehearsal.run(old).failure == nil && rehearsal.run(new).failure == nil)
    let link = [UInt8]("/t/aaaaa".utf8)
    let memory = rehearsal.memory
    let place = try #require(
      memory.indices.dropLast(link.count).first { memory[$0...].starts(with: link) })
    for bit in 0..<8 {
      let bench = try Bench(product)
      #expect(bench.run(old).failure == nil)
      let value = memory[place + 4] >> UInt8(bit) & 1 ^ 1
      bench.tag.eeprom.stuckBits = [StuckBit(address: place + 4, bit: bit, value: value)]
      let report = bench.run(new)
      bench.tag.eeprom.stuckBits = []
      #expect(report.failure?.kind == .mismatch, "bit \(bit)")
      #expect(
        report.failure?.holds == .stopped(writing: nil, .messageWithdrawn),
        "bit \(bit): \(report.failure as Any)")
      #expect(report.newMessage == .absent && !report.verified)
      #expect(bench.run(.read).messageLength == 0)
    }
  }

  @Test("a message that cannot be taken away is said to be damaged, not written")
  func damaged() throws {
    let bench = try Bench("ntag213")
    // The length of an empty message needs this bit.
    bench.tag.eeprom.stuckBits = [StuckBit(address: 22, bit: 6, value: 1)]
    let report = bench.run(FaultCase.write(try url("https://example.com/aaaaaaaa")))
    #expect(report.failure?.kind == .mismatch)
    guard case .stopped(nil, .messageDiffers) = report.failure?.holds else {
      Issue.record("\(report.failure as Any)")
      return
    }
  }

  @Test("a card that had no message is not said to hold the old one", arguments: [16, 32, 48])
  func noOldMessage(address: Int) throws {
    for bit in 0..<8 {
      let bench = try Bench("mini")
      bench.tag.eeprom.stuckBits = [
        StuckBit(address: address, bit: bit, value: 0),
        StuckBit(address: address + 1, bit: bit, value: 1),
      ]
      let report = bench.run(FaultCase.short)
      guard case .stopped(_, let progress) = report.failure?.holds else { continue }
      #expect(progress != .oldMessage, "byte \(address), bit \(bit)")
    }
  }

  @Test("a page that can never change back is said to be another tag's, perhaps")
  func replaced() throws {
    var options = WriteOptions()
    options.lock = true
    let message = try url("https://example.com/t/1")
    let rehearsal = try Bench("ntag213")
    #expect(rehearsal.run(.write(message, options)).failure == nil)
    var isSaid = false
    for place in 4..<rehearsal.chip.places.exchanges {
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .swapped(for: try TagCatalog.tag("ntag213")))]
      let report = try Bench("ntag213", faults: faults).run(.write(message, options))
      if case .type2(.readOnly) = report.failure?.cause { Issue.record("place \(place)") }
      if case .type2(.noLongerHeld) = report.failure?.cause { isSaid = true }
    }
    #expect(isSaid)
  }
}
