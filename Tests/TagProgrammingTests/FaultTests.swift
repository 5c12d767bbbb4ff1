import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Every step of every job with every fault at it: the outcome must be told truly, whoever reads the tag finds
/// the old message, an empty one, the new one or no NDEF tag, and the same job finishes it.
@Suite("Jobs with a fault at each of their steps")
struct FaultTests {
  /// A job on a tag in a certain state.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let product: String
    /// Brings a factory tag into the state before the job.
    let prepare: @Sendable (Bench) throws -> Void
    let job: @Sendable () throws -> Job
    /// Every how many places to strike, where there are many alike; the exhaustive run strikes at each.
    var step = 1
    /// The password that the operator gives.
    var password: [UInt8]?
    var testDescription: String { "\(name) on \(product)" }
  }

  static let first = "https://example.com/t/0001"
  static let other = "https://example.com/another/page/0002"

  static let cases = messageCases + sealCases

  static let messageCases: [Case] = [
    Case(name: "first URL", product: "ntag213", prepare: { _ in }, job: { write(first) }),
    Case(
      name: "longer URL", product: "ntag213", prepare: { _ = $0.run(write(first)) },
      job: { write(other) }),
    Case(
      name: "shorter URL", product: "ntag213", prepare: { _ = $0.run(write(other)) },
      job: { write(first) }),
    Case(name: "first URL", product: "ultralight", prepare: { _ in }, job: { write(first) }),
    Case(name: "first URL", product: "ntag203", prepare: { _ in }, job: { write(first) }),
    Case(name: "long message", product: "ntag215", prepare: { _ in }, job: { long(300) }, step: 7),
    Case(
      name: "long after short", product: "ntag216", prepare: { _ = $0.run(write(first)) },
      job: { long(280) }, step: 7),
    Case(
      name: "format", product: "mini", prepare: { _ in },
      job: { .formatClassic(ClassicFormat()) }),
    Case(
      name: "format", product: "classic1k", prepare: { _ in },
      job: { .formatClassic(ClassicFormat()) }, step: 11),
    Case(name: "first URL", product: "mini", prepare: { _ in }, job: { write(first) }),
    Case(
      name: "URL", product: "classic1k",
      prepare: { _ = $0.run(.formatClassic(ClassicFormat())) }, job: { write(first) }),
    Case(
      name: "longer URL", product: "classic1k", prepare: { _ = $0.run(write(first)) },
      job: { write(other) }),
    Case(
      name: "reset", product: "mini", prepare: { _ = $0.run(write(first)) }, job: { .resetClassic }),
    Case(
      name: "pages", product: "ntag213", prepare: { _ in },
      job: { .writePages(PageWrite(start: 6, bytes: Array(1...24), force: false)) }),
  ]

  static func write(_ text: String) -> Job {
    .write(Message(try! URIRecord(text).record), WriteOptions())
  }

  static func long(_ size: Int) -> Job {
    let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    return .write(
      Message(try! Record(.media, type: Array("a/b".utf8), payload: payload)), WriteOptions())
  }

  private static var exchangeFaults: [(String, ExchangeFault)] {
    [
      ("silence", .silence), ("answer lost", .answerLost), ("answer damaged", .answerCorrupt),
      ("NAK", .nak(0)), ("removed before", .removed(afterObeying: false)),
      ("removed after", .removed(afterObeying: true)),
      ("put back, before", .interrupted(afterObeying: false)),
      ("put back, after", .interrupted(afterObeying: true)),
    ]
  }

  @Test("an exchange that fails", arguments: cases)
  func exchanges(_ item: Case) throws {
    let (before, wanted, places) = try rehearse(item)
    for place in stride(from: 0, to: places.exchanges, by: Self.step(item)) {
      for (name, fault) in Self.exchangeFaults {
        var plan = FaultPlan()
        plan.exchanges = [(.at(place), fault)]
        let bench = try Bench(item.product, faults: plan)
        try judge(item, bench, before, wanted, "\(name) at exchange \(place)")
      }
    }
  }

  @Test("power lost while the memory is programmed", arguments: cases)
  func tornWrites(_ item: Case) throws {
    let (before, wanted, places) = try rehearse(item)
    let size = item.product.hasPrefix("classic") || item.product == "mini" ? 16 : 4
    for place in stride(from: 0, to: places.eepromWrites, by: Self.step(item)) {
      for bytes in [0, 1, 2, 3, 5, 7, 9, 15] where bytes < size {
        for putBack in [true, false] {
          var plan = FaultPlan()
          plan.eepromWrites = [
            (.at(place), .torn(afterBytes: bytes, putBack: putBack))
          ]
          let bench = try Bench(item.product, faults: plan)
          try judge(
            item, bench, before, wanted, "torn after \(bytes) bytes at write \(place)", isTorn: true
          )
        }
      }
    }
  }

  @Test("another tag laid in its place or beside it is never written", arguments: cases)
  func otherTags(_ item: Case) throws {
    let (before, wanted, places) = try rehearse(item)
    for place in stride(from: 0, to: places.exchanges, by: Self.step(item)) {
      for isSwap in [true, false] {
        let stranger = try TagCatalog.tag(item.product, index: 7)
        let untouched = stranger.eeprom.bytes
        var plan = FaultPlan()
        plan.exchanges = [(.at(place), isSwap ? .swapped(for: stranger) : .joined(by: stranger))]
        let bench = try Bench(item.product, faults: plan)
        let what = "\(isSwap ? "swapped" : "joined") at exchange \(place)"
        let met = try judge(item, bench, before, wanted, what)
        // A tag that was swapped before the reader met any is simply the tag.
        guard met == UID(bench.tag.uid) else { continue }
        #expect(Self.isSame(stranger.eeprom.bytes, untouched), "stranger written, \(what)")
      }
    }
  }

  /// `NFCPROG_EXHAUSTIVE` in the environment takes every place.
  private static func step(_ item: Case) -> Int {
    unsafe getenv("NFCPROG_EXHAUSTIVE") == nil ? item.step : 1
  }

  // MARK: Judging

  /// The memory before and after an undisturbed run, and how many places for faults it has.
  private func rehearse(_ item: Case) throws -> ([UInt8], [UInt8], FaultPlaces) {
    let prepared = try Bench(item.product)
    try item.prepare(prepared)
    let before = prepared.memory
    let bench = try Bench(item.product)
    bench.tag.eeprom.load(before)
    let report = bench.run(try item.job()) { $0.credentials.password = item.password }
    #expect(report.failure == nil, "\(item)")
    return (before, bench.memory, bench.chip.places)
  }

  /// Without the difference that a failed comparison of arrays would work out.
  private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool { left == right }

  private func isAsWanted(_ bench: Bench, _ wanted: [UInt8], _ item: Case) -> Bool {
    let found = isClassic(item) ? TagImage.settingTornByte(ofClassic: bench.memory) : bench.memory
    return Self.isSame(found, wanted)
  }

  /// Runs the job into its fault and again without; returns the tag that it met.
  @discardableResult
  private func judge(
    _ item: Case, _ bench: Bench, _ before: [UInt8], _ wanted: [UInt8], _ what: String,
    isTorn: Bool = false
  ) throws -> UID? {
    bench.tag.eeprom.load(before)
    let job = try item.job()
    let report = bench.run(job) {
      $0.patience = .zero
      $0.credentials.password = item.password
    }
    let met = report.activation?.uid
    guard met == nil || met == UID(bench.tag.uid) else { return met }
    let isDone = report.failure == nil
    if isDone, isClassic(item), TagImage.hasDestroyedSector(bench.memory) {
      return try judgeDestroyed(item, bench, report, wanted, met)
    } else if isDone {
      #expect(isAsWanted(bench, wanted, item), "\(item.name): success is told, \(what)")
    } else {
      #expect(report.result == .failed)
    }
    if case .writePages = job {
    } else if !isTorn {
      let (old, new, now) = (
        content(before, item), content(wanted, item), content(bench.memory, item)
      )
      let allowed = [old, new, .message([])] + (old == .none || new == .none ? [.none] : [])
      #expect(allowed.contains(now), "\(item.name): \(what), found \(now)")
    }
    if isLocked(bench.memory, item), !isLocked(before, item) {
      #expect(
        content(bench.memory, item) == content(wanted, item), "\(item.name): locked early, \(what)")
    }
    guard !isDone else { return met }
    let isDestroyed = TagImage.hasDestroyedSector(bench.memory) && isClassic(item)
    // The operator puts the tag back and runs the same command again.
    bench.chip.field.place([bench.tag])
    let again = bench.run(job) { $0.credentials.password = item.password }
    if isDestroyed { return try judgeDestroyed(item, bench, again, wanted, met) }
    #expect(again.failure == nil, "\(item.name), again after \(what): \(report.failure!)")
    #expect(isAsWanted(bench, wanted, item), "\(item.name), again after \(what)")
    return met
  }

  /// A trailer was torn into invalid access bits: silicon has lost that sector. It is named; without sector 0 there is no
  /// NDEF tag, without another one the message lies around it.
  private func judgeDestroyed(
    _ item: Case, _ bench: Bench, _ again: TagReport, _ wanted: [UInt8], _ met: UID?
  ) throws -> UID? {
    let names = again.findings.map(\.code) + [again.failure?.what ?? ""]
    #expect(names.contains { $0.contains("destroyed") }, "\(item.name): \(names)")
    if again.failure == nil {
      #expect(content(bench.memory, item) == content(wanted, item))
    } else {
      #expect(again.failure?.kind == .refused)
    }
    return met
  }

  private func isLocked(_ memory: [UInt8], _ item: Case) -> Bool {
    isClassic(item)
      ? TagImage.hasLocks(ofClassic: memory)
      : TagImage.hasLocks(ofType2: memory, dynamicPage: Product.named(item.product)?.lockPage)
  }

  private func isClassic(_ item: Case) -> Bool {
    item.product.hasPrefix("classic") || item.product == "mini"
  }

  private func content(_ memory: [UInt8], _ item: Case) -> TagImage.Content {
    isClassic(item)
      ? TagImage.content(ofClassic: memory) : TagImage.content(ofType2: memory)
  }
}
