import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A write that was acknowledged and stored something else: never somebody's data, never a success.
@Suite("Bad cells of Type 2 tags, at every bit of every page that a job writes")
struct BadPageTests {
  private static let password = Protection(password: [0xA5, 0x5A, 0xC3, 0x3C], pack: [3, 4])

  private static func protected(_ product: String, lock: Bool, protects: Bool) -> FaultCase {
    var options = WriteOptions()
    options.lock = lock
    options.protection = protects ? password : nil
    guard case .write(let message, _) = FaultCase.short else { preconditionFailure() }
    return FaultCase(
      name: "protected URL", product: product, job: .write(message, options))
  }

  private static let old = Protection(password: [1, 2, 3, 4])

  static let cases: [FaultCase] =
    ["ultralight", "ultralight-c", "ntag203", "ntag213"].flatMap { product in
      [
        FaultCase(name: "first URL", product: product, job: FaultCase.short),
        FaultCase(
          name: "longer URL", product: product, prepare: FaultCase.after(FaultCase.short),
          job: FaultCase.other),
        protected(product, lock: true, protects: false),
      ]
    } + [
      protected("ultralight-ev1-21", lock: true, protects: true),
      protected("ntag213", lock: true, protects: true),
      FaultCase(
        name: "first URL, lock TLV of another chip", product: "ntag213",
        prepare: { bench in
          var memory = bench.memory
          memory.replaceSubrange(18..<21, with: [0xA0, 0x10, 0x44])
          bench.tag.eeprom.load(memory)
        }, job: FaultCase.short),
      FaultCase(name: "long message", product: "ntag216", job: FaultCase.long),
      FaultCase(
        name: "another password", product: "ntag213",
        prepare: FaultCase.after(FaultCase.short, .protect(old)),
        credentials: Credentials(password: old.password), job: .protect(password)),
      FaultCase(
        name: "password off", product: "ntag213",
        prepare: FaultCase.after(FaultCase.short, .protect(password)),
        credentials: Credentials(password: password.password), job: .unprotect),
      FaultCase(
        name: "raw pages", product: "ntag213",
        job: .writePages(
          PageWrite(
            start: 40, bytes: [0x01, 0, 0, 0, 0x04, 0, 0, 0xFF, 0x00, 0x05, 0, 0], force: true))),
    ]

  /// A bit that a job sets on its way, and what it sets it to in the end.
  private struct Cell: Hashable {
    let page: Int
    let address: Int
    let bit: Int
    let wanted: UInt8
  }

  /// Every bit of the pages that an undisturbed run writes, but for those that a write never
  /// reaches.
  private static func cells(_ item: FaultCase, _ rehearsal: Rehearsal) throws -> [Cell] {
    let bench = try Bench(item.product)
    bench.tag.eeprom.load(rehearsal.before)
    let report = bench.run(item.job) { $0.credentials = item.credentials }
    let map = try #require(Product.named(item.product)?.type2)
    var cells: [Cell] = []
    for page in Set(report.program?.steps.compactMap(\.page) ?? []).sorted() {
      let written: Range<Int> =
        switch page {
        case .staticLocks: 2..<4
        case map.dynamicLocks?.page: 0..<(map.dynamicLocks?.byteCount ?? 0)
        case map.configuration?.passwordAcknowledge: 0..<2
        default: 0..<4
        }
      for byte in written {
        let address = page.byteOffset + byte
        for bit in 0..<8 {
          let wanted = rehearsal.wanted[address] >> UInt8(bit) & 1
          cells.append(Cell(page: Int(page.number), address: address, bit: bit, wanted: wanted))
        }
      }
    }
    return cells
  }

  @Test(
    "a bit that stays wrong ends with 76 and its page, and is never told as done", arguments: cases)
  func stuck(_ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    let userEnd = try #require(Product.named(item.product)?.type2).user.count + 4
    let cells = try Self.cells(item, rehearsal)
    // Every bit of the tags that are met most; of the others a sample, unless everything is asked
    // for.
    let isWhole = item.name == "first URL" && ["ultralight", "ntag213"].contains(item.product)
    let step = Exhaustive.isAsked || isWhole ? 1 : max(5, cells.count / 30 | 1)
    for cell in stride(from: 0, to: cells.count, by: step).map({ cells[$0] }) {
      let bench = try Bench(item.product)
      bench.tag.eeprom.load(rehearsal.before)
      bench.tag.eeprom.stuckBits = [
        StuckBit(address: cell.address, bit: cell.bit, value: 1 - cell.wanted)
      ]
      let report = bench.run(item.job) { $0.credentials = item.credentials }
      let what = "\(item.testDescription), bit \(cell.bit) of byte \(cell.address)"
      let failure = try #require(report.failure, "said to be done: \(what)")
      #expect(failure.kind == .mismatch, "\(what): \(failure)")
      let names =
        failure.what.contains("page \(cell.page) ") || failure.what.contains("(page \(cell.page))")
      #expect(names, "\(what): \(failure)")
      // A later run knows nothing of this one, and is not taken in by what lies in the data area,
      // either.
      guard 4..<userEnd ~= cell.page, case .write = item.job else { continue }
      let again = bench.run(item.job) { $0.credentials = item.credentials }
      // A TLV before the message may be anybody's: then the message must be there.
      guard case .write(let message, _) = item.job, again.failure == nil else {
        #expect(again.failure?.kind == .mismatch, "again: \(what): \(again.failure!)")
        continue
      }
      let content = TagImage.content(ofType2: bench.memory)
      #expect(content == .message(message.serialize()), "again: \(what)")
    }
  }

  @Test("a bit that was wrong once is put right in the same run", arguments: cases)
  func missed(_ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    let map = try #require(Product.named(item.product)?.type2)
    let bench = try Bench(item.product)
    bench.tag.eeprom.load(rehearsal.before)
    let steps = bench.run(item.job) { $0.credentials = item.credentials }.program?.steps ?? []
    for (cycle, page) in steps.compactMap(\.page).enumerated()
    where Exhaustive.isAsked || cycle < 16 || cycle.isMultiple(of: 13) {
      let isAddingOnly =
        page == .staticLocks || page == .capabilityContainer || page == map.dynamicLocks?.page
      for bit in stride(from: cycle % 3, to: 32, by: Exhaustive.isAsked ? 1 : 11)
      where !isAddingOnly {
        var flipped: [UInt8] = [0, 0, 0, 0]
        flipped[bit / 8] = 1 << UInt8(bit % 8)
        // What freezes a configuration freezes it wrong, too.
        if page == map.configuration?.cfg1, bit == 6 { continue }
        if page == map.configuration?.passwordAcknowledge, bit >= 16 { continue }
        var plan = FaultPlan()
        plan.eepromWrites = [(.at(cycle), .missed(flipped: flipped))]
        let bench = try Bench(item.product, faults: plan)
        bench.tag.eeprom.load(rehearsal.before)
        let report = bench.run(item.job) { $0.credentials = item.credentials }
        let what = "\(item.testDescription), bit \(bit) of cycle \(cycle), \(page)"
        #expect(report.failure == nil, "\(what): \(report.failure?.message ?? "")")
        #expect(bench.memory == rehearsal.wanted, "\(what)")
      }
    }
  }
}

extension TagProgram.Step {
  /// The page that it writes.
  var page: Page? { written?.place.page }
}
