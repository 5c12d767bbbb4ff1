import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// From a line between a host and a board that lost one answer while a run looked for the key that
/// its own write had torn: the run ended well with a sector less.
@Suite("The search for a torn key of a MIFARE Classic, with an exchange of it lost")
struct LostInSearchTests {
  /// Keys that need no search.
  private static let usual: Set<[UInt8]> = Set(
    [.factory, .nfc, .mad, .zeros, .sampleB, FaultCase.ownKeyB].map(\Key.bytes))

  private static let rows = [
    FaultCase(name: "format", product: "classic1k", job: PreparedTag.format()),
    FaultCase(name: "write", product: "mini", job: FaultCase.short),
    FaultCase(
      name: "format, own key B", product: "mini", job: FaultCase.formatWithKeyB),
    FaultCase(
      name: "reset", product: "mini", prepare: FaultCase.after(FaultCase.short),
      job: .resetClassic),
    FaultCase(
      name: "format, used card", product: "mini", prepare: FaultCase.keyed(FaultCase.ownKeyB),
      credentials: Credentials(keys: [FaultCase.ownKeyB]), job: PreparedTag.format()),
  ]

  private func run(_ item: FaultCase, _ before: [UInt8], _ faults: FaultPlan, log: WriteLog? = nil)
    throws -> (bench: Bench, report: TagReport)
  {
    var bench = try Bench(item.product, faults: faults)
    bench.tag.eeprom.load(before)
    bench.log = log
    let report = bench.run(item.job) { $0.credentials = item.credentials }
    return (bench, report)
  }

  @Test("ends as without the loss, whichever exchange it was", arguments: rows, [1, 3, 5])
  func search(_ item: FaultCase, bytes: Int) throws {
    let prepared = try Bench(item.product)
    item.prepare(prepared)
    let before = prepared.memory
    let writes = WriteLog()
    let wanted = try run(item, before, .none, log: writes)
    #expect(wanted.report.failure == nil)
    let trailers = writes.writes.indices.filter { writes.writes[$0].place % 4 == 3 }
    for trailer in [trailers[1], trailers[trailers.count / 2]] {
      var faults = FaultPlan()
      faults.eepromWrites = [(.at(trailer), .torn(afterBytes: bytes, putBack: true))]
      let log = WriteLog()
      let torn = try run(item, before, faults, log: log)
      #expect(torn.report.failure == nil && torn.bench.memory == wanted.bench.memory)
      let struck = log.writes[trailer].place
      // A key that was torn between equal bytes needs none.
      guard log.authentications.contains(where: { !Self.usual.contains($0.key) }) else { continue }
      let exchanges = torn.bench.chip.places.exchanges
      let first = wanted.bench.chip.places.exchanges / 4
      for loss in MemoryTrial.Loss.all where loss.count == 1 {
        for place in stride(from: first, to: exchanges, by: Exhaustive.isAsked ? 1 : 7) {
          var both = faults
          both.exchanges = [(.at(place), loss.fault())]
          let (bench, report) = try run(item, before, both)
          let what = "\(item.name), block \(struck), \(bytes) bytes, \(loss) at \(place)"
          guard report.failure == nil else {
            #expect(
              report.failure?.kind == .tagTrouble, "\(what): \(report.failure?.message ?? "")")
            continue
          }
          #expect(bench.memory == wanted.bench.memory, "\(what)")
        }
      }
    }
  }
}
