import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// A personalisation of an NTAG 424 DNA that a fault strikes, then the same command again: no tag
/// is left that neither the old keys nor the new ones open.
struct ProofFaults {
  let product: String
  let job: Job
  let keys: KeyRing
  /// Whether a tag is done, for the second argument's sake: expects it.
  let expectDone: (Bench, _ what: String) throws -> Void

  /// Strikes every exchange and every programming cycle with every fault, and returns how many runs
  /// that were; unless it is the exhaustive suite, each exchange with one in `exchanges` of the
  /// faults, each cycle with one in `cycles`.
  @discardableResult
  func strikeAll(oneOf exchanges: Int, andOf cycles: Int) throws -> Int {
    let whole = try Bench(product)
    #expect(whole.run(job).failure == nil)
    let places = whole.chip.places
    var runs = 0
    var struck: Set<Int> = []
    for (index, kind) in FaultKind.all.enumerated() where kind.place != .command {
      let isExchange = kind.place == .exchange
      let count = isExchange ? places.exchanges : places.eepromWrites
      let step = Exhaustive.isAsked ? 1 : isExchange ? exchanges : cycles
      for place in stride(from: index % step, to: count, by: step) {
        try strike(kind, at: place)
        if isExchange { struck.insert(place) }
        runs += 1
      }
    }
    #expect(struck == Set(0..<places.exchanges))
    return runs
  }

  private func strike(_ kind: FaultKind, at place: Int) throws {
    let what = "\(kind.name) at \(place)"
    let stranger = try TagCatalog.tag(product, index: 7)
    let untouched = stranger.eeprom.bytes
    var plan = FaultPlan()
    kind.arm(place, &plan, stranger)
    let bench = try Bench(product, faults: plan)
    let first = bench.run(job) { $0.patience = .zero }
    let tag = try #require(bench.tag as? VirtualNTAG424)
    let uid = UID(tag.storedUID)
    for number in KeyRing.keyNumbers {
      let key = tag.key(number)
      #expect(
        key == keys.key(number, of: uid).bytes || key == AESKey.delivered.bytes,
        "key \(number) is lost: \(what)")
    }
    // A tag that shows a random UID by now is still this one.
    let isTag = first.target.map { $0.uid == uid || $0.uid.isRandom } ?? true
    if isTag { #expect(stranger.eeprom.bytes == untouched, "stranger written: \(what)") }
    if first.failure == nil {
      if isTag { try expectDone(bench, what) }
    } else if first.target != nil {
      #expect(first.failure?.remedy != nil && first.failure?.holds != nil, "\(what)")
      // One that came back with another UID is taken for another tag, until the command runs again.
      if kind.isPassing, tag.uid.count == 7 {
        Issue.record("not recovered: \(what): \(first.failure!.message)")
      }
    }
    bench.chip.field.place([bench.tag])
    let again = bench.run(job)
    #expect(again.failure == nil, "again after \(what): \(again.failure?.message ?? "")")
    try expectDone(bench, "again after \(what)")
  }
}

extension FaultCase {
  /// The job with one fault at its steps, on sound cells and bad ones; unless it is the exhaustive
  /// suite, at one step of `step` alone.
  func tryFaults(oneOf step: Int) throws {
    let rehearsal = try Rehearsal(self)
    for (number, kind) in FaultKind.all.enumerated() {
      let count = rehearsal.count(of: kind.place)
      for place in stride(from: number % 3, to: count, by: Exhaustive.isAsked ? 1 : step) {
        try FaultTrial(self, rehearsal, kind, at: place).judge()
      }
    }
    for fault in CellFault.allCases {
      let places = fault.places(of: rehearsal, isExhaustive: true, number: 0)
      for (index, place) in places.enumerated() where Exhaustive.isAsked || index % 11 == 3 {
        try CellTrial(self, rehearsal, fault, at: place).judge()
      }
    }
  }
}
