import NDEF
import PN532Simulator
import Testing

@testable import TagProgramming

/// Every job on every board and tag that differs from its data sheet. `OddBenchTests` puts some of
/// them behind libnfc.
@Suite("Jobs on boards and tags that differ from their data sheets")
struct DeviatingBenchTests {
  /// Options of `sim:` that make such boards and tags; those of the wire need a wire. SAKs are
  /// those of cards that exist.
  private static func tags(_ item: FaultCase) -> [String] {
    options(item).map { "\(item.product),\($0)" }
  }

  private static func options(_ item: FaultCase) -> [String] {
    let all = ["chip=clone", "polls=wupa", "halts=no", "com=slow"]
    if item.isFeliCa { return ["chip=clone", "com=slow"] }
    guard item.isClassic else {
      // Tags with random UIDs know GET_VERSION (Ultralight AES); an ST25TA has none, and is known
      // by its UID.
      let isSilent =
        ["ultralight", "ultralight-c", "ntag203"].contains(item.product)
        || item.product.hasPrefix("st25")
      // The answers that prove an AES key have 17 bytes.
      return all + (isSilent ? [] : ["uid=random"])
        + ["answers=64", item.product == "ultralight-aes" ? "answers=17" : "answers=16"]
        + ["fastread=no", "chip=clone,halts=no,com=slow,fastread=no"]
    }
    let saks = ["classic1k": ["28", "53", "88"], "classic4k": ["38"]][
      item.product, default: []]
    return all + ["uid=random", "auth14=yes", "chip=clone,auth14=yes,halts=no,com=slow"]
      + saks.map { "sak=\($0)" }
  }

  @Test("end as on a genuine board", arguments: Array(FaultCase.all.enumerated()))
  func jobs(_ number: Int, _ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    let tags = Self.tags(item)
    // Three of them for each job, others for every job.
    let sample = (0..<min(3, tags.count)).map { tags[(number * 3 + $0) % tags.count] }
    for tag in Exhaustive.isAsked ? tags : sample { try run(item, rehearsal, on: tag) }
  }

  @Test(
    "end as on the card that it is, whatever it calls itself",
    arguments: FaultCase.all.filter { $0.product == "classic1k" })
  func sizes(_ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    // A card with more memory than its SAK says is one of those that it calls itself; what is
    // behind stays.
    for tag in ["classic1k,sak=18", "classic4k,sak=08"] { try run(item, rehearsal, on: tag) }
  }

  private func run(_ item: FaultCase, _ rehearsal: Rehearsal, on tag: String) throws {
    let what = "\(item.testDescription), \(tag)"
    var tally = FaultTally()
    tally.places = 1
    let bench = try Bench(deviating: tag)
    let behind = bench.memory.dropFirst(rehearsal.before.count)
    bench.tag.eeprom.load(rehearsal.before + behind)
    let report = bench.run(item.job) { $0.credentials = item.credentials }
    let isWanted = bench.memory == rehearsal.wanted + behind
    if let failure = report.failure {
      tally.failed = 1
      tally.unfinished = 1
      Issue.record("\(what): \(failure)")
    } else if isWanted, report.verified {
      tally.recovered = 1
    } else {
      tally.lies = 1
      Issue.record("success is told: \(what)")
    }
    let option = tag.split(separator: ",", maxSplits: 1).last ?? ""
    tally.print("sim: \(option)", item.testDescription)
  }

  @Test(
    "never claim a memory that is not there",
    arguments: FaultCase.all.filter { !$0.isClassic && !$0.isFeliCa && !$0.isType4 })
  func lessMemory(_ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    let sizes = Exhaustive.isAsked ? Array(4..<rehearsal.before.count / 4) : [6, 16, 45]
    for rows in sizes where rows * 4 < rehearsal.before.count {
      let bench = try Bench(deviating: "\(item.product),rows=\(rows)")
      bench.tag.eeprom.load(rehearsal.before)
      let report = bench.run(item.job) { $0.credentials = item.credentials }
      guard report.failure == nil else { continue }
      #expect(bench.memory == rehearsal.wanted, "\(item.testDescription), \(rows) rows")
    }
  }
}
