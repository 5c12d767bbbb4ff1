import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Power fails while a block is programmed, and leaves any bytes at all in it: in every block that
/// a job writes.
@Suite("A MIFARE Classic block that is torn to anything")
struct TornBlockTests {
  static let cases = FaultCase.all.filter { item in
    guard item.isClassic, item.product != "classic4k" else { return false }
    return Exhaustive.isAsked || item.product == "mini" || item.name.contains("foreign")
  }

  @Test(
    "is told, and the same command finishes, or says why it never can", arguments: cases,
    [true, false])
  func everyWrite(_ item: FaultCase, putBack: Bool) throws {
    let rehearsal = try Rehearsal(item)
    for place in 0..<rehearsal.count(of: .programming) {
      for seed in 0..<UInt64(Exhaustive.isAsked ? 20 : 2) {
        try tear(item, rehearsal, at: place, seed: seed, putBack: putBack)
      }
    }
  }

  private func tear(
    _ item: FaultCase, _ rehearsal: Rehearsal, at place: Int, seed: UInt64, putBack: Bool
  ) throws {
    let what = "\(item.testDescription), write \(place) torn, seed \(seed), put back \(putBack)"
    var faults = FaultPlan()
    faults.eepromWrites = [
      (.at(place), .scrambled(seed: seed << 16 | UInt64(place), putBack: putBack))
    ]
    let bench = try Bench(item.product, faults: faults)
    bench.tag.eeprom.load(rehearsal.before)
    var written: [UInt8] = rehearsal.before
    var torn: Int?
    let eeprom = bench.tag.eeprom
    eeprom.onProgrammed = { [unowned eeprom] in
      if eeprom.programmingCycles == place + 1 {
        torn = stride(from: 0, to: written.count, by: 16).first {
          eeprom.bytes[$0..<$0 + 16] != written[$0..<$0 + 16]
        }
      }
      written = eeprom.bytes
    }
    func run(_ job: Job) -> TagReport {
      bench.run(job) {
        $0.credentials = item.credentials
        $0.patience = .zero
      }
    }
    let first = run(item.job)
    eeprom.onProgrammed = nil
    if isDone(first, bench, rehearsal, torn: torn, what) { return }
    let failure = try #require(first.failure)
    #expect(failure.remedy != nil && !first.verified, "\(what)")
    bench.chip.field.place([bench.tag])
    let again = run(item.job)
    if isDone(again, bench, rehearsal, torn: torn, what) { return }
    let refusal = try #require(again.failure)
    if isTrailer(torn) {
      // Nothing can guess a key: the sector is lost, and named.
      let sector = torn! / 64
      let said = [refusal.what] + again.findings.map(\.text)
      #expect(
        said.contains { text in
          ["ector \(sector) ", "ector \(sector).", "ector \(sector),"].contains(
            where: text.contains)
            || text.lowercased().contains("block \(torn! / 16)")
        }, "\(what): \(refusal)")
      return
    }
    // The first block of a blank tag: that was said at the time, with the way out.
    #expect(refusal.kind == .refused, "\(what): \(refusal)")
    #expect(
      putBack || failure.remedy?.permits == true, "\(what): \(failure)")
    #expect(!putBack, "\(what): \(failure)")
    let last = run(item.job.overwriting)
    #expect(
      isDone(last, bench, rehearsal, torn: torn, what), "\(what): \(last.failure as Any)")
  }

  /// Whether `report` says success, which must then be so: as after an undisturbed run, or, with a
  /// trailer torn, with the sector named and readers finding what was wanted.
  private func isDone(
    _ report: TagReport, _ bench: Bench, _ rehearsal: Rehearsal, torn: Int?, _ what: String
  ) -> Bool {
    guard report.failure == nil else { return false }
    if bench.memory == rehearsal.wanted { return true }
    let named = report.findings.contains {
      ["sector-destroyed", "sector-closed"].contains($0.code)
    }
    let (found, wanted) = (
      TagImage.content(ofClassic: bench.memory), TagImage.content(ofClassic: rehearsal.wanted)
    )
    if isTrailer(torn) {
      #expect(named, "success with other bytes: \(what)")
      #expect(found == wanted || found == .message([]), "\(what): \(found)")
      return true
    }
    // What only the torn block knew: a NULL TLV before the message, or the directory's info byte.
    // Its entries are there.
    #expect(found == wanted && !TagImage.hasBadDirectory(bench.memory), "\(what): \(found)")
    let isDirectoryWhole = bench.memory[18..<48] == rehearsal.wanted[18..<48]
    #expect(isDirectoryWhole, "\(what)")
    #expect(torn == 16 || bench.memory[16..<18] == rehearsal.wanted[16..<18], "\(what)")
    return true
  }

  private func isTrailer(_ torn: Int?) -> Bool { torn.map { ($0 / 16) % 4 == 3 } ?? false }
}

extension Job {
  /// The same with the operator's leave.
  fileprivate var overwriting: Job {
    switch self {
    case .formatClassic(var format):
      format.overwrite = true
      return .formatClassic(format)
    case .write(let message, var options):
      options.overwrite = true
      return .write(message, options)
    default: return self
    }
  }
}
