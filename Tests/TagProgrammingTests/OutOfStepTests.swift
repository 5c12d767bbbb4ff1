import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// Chip and card count the blocks of ISO-DEP, each by itself (ISO/IEC 14443-4, 7.5.3). An exchange
/// that fails leaves them with different counts until the card is let go and activated anew.
@Suite("After an exchange that failed a card is let go and activated before anything else")
struct OutOfStepTests {
  private static let products = ["type4", "ntag424", "desfire-ev2"]
  private static let select = CommandAPDU.selectNDEFApplication(.current)

  @Test("a lost answer of the card leaves it out of step, and selecting it again brings it back")
  func lostByTheCard() throws {
    let quiet = Chip(field: Field(try TagCatalog.tag("ntag424")))
    _ = try TagReader(link: DirectLink(quiet)).select()
    var faults = FaultPlan()
    faults.exchanges = [(.at(quiet.places.exchanges), .answerLost)]
    let chip = Chip(field: Field(try TagCatalog.tag("ntag424")), faults: faults)
    let reader = TagReader(link: DirectLink(chip))
    let card = try reader.select()
    #expect(throws: ReaderError.exchangeFailed(.timeout)) {
      try reader.transmit(Self.select, following: false)
    }
    #expect(reader.needsReselect)
    // The silicon's side of it.
    #expect(throws: ReaderError.self) { try reader.transmit(Self.select, following: false) }
    try reader.reselect(card)
    #expect(!reader.needsReselect)
    #expect(try reader.transmit(Self.select, following: false).status.isSuccess)
  }

  @Test(
    "an answer that the line lost may hide the same",
    arguments: [DirectLink.Fault.Kind.commandLost, .answerLost, .answerDamaged])
  func lostByTheLine(_ kind: DirectLink.Fault.Kind) throws {
    let link = DirectLink(Chip(field: Field(try TagCatalog.tag("ntag424"))))
    let reader = TagReader(link: link)
    let card = try reader.select()
    link.strike(DirectLink.Fault(place: 0, kind: kind))
    #expect(throws: ReaderError.self) { try reader.transmit(Self.select, following: false) }
    #expect(reader.needsReselect)
    link.strike(nil)
    try reader.reselect(card)
    #expect(try reader.transmit(Self.select, following: false).status.isSuccess)
  }

  @Test("so it is wherever a job is struck", arguments: products)
  func everywhere(_ product: String) throws {
    let job = product.hasPrefix("desfire") ? Job.formatType4(Type4Format()) : FaultCase.short
    let undisturbed = try Bench(product)
    #expect(undisturbed.run(job).failure == nil)
    for place in 0..<undisturbed.chip.places.exchanges {
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .answerLost)]
      var frames: [(command: UInt8, isGood: Bool)] = []
      let report = try run(job, on: product, faults) { frames.append($0) }
      // A look that finds nothing is not repeated here.
      guard report.target != nil else { continue }
      #expect(report.failure == nil, "\(product), exchange \(place): \(report.failure as Any)")
      for (failed, next) in zip(frames, frames.dropFirst()) where !failed.isGood {
        // InDataExchange that failed, then anything but another: InRelease comes first.
        #expect(failed.command != 0x40 || next.command != 0x40, "\(product), exchange \(place)")
      }
    }
  }

  private func run(
    _ job: Job, on product: String, _ faults: FaultPlan,
    _ note: @escaping ((command: UInt8, isGood: Bool)) -> Void
  ) throws -> TagReport {
    let chip = Chip(field: Field(try TagCatalog.tag(product)), faults: faults)
    let reader = TagReader(link: DirectLink(chip)) { exchange in
      var isGood = false
      if case .answer(let bytes) = exchange.outcome { isGood = bytes.first.map { $0 == 0 } ?? true }
      note((exchange.command.first.flatMap { $0 } ?? 0, isGood))
    }
    try reader.prepare()
    var options = RunOptions()
    options.timeout = .zero
    return Programmer(reader: reader, options: options).run(job)
  }
}
