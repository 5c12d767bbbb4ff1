import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A job on a tag whose cells fail in one place, then the same job again.
///
/// What the tag holds is judged from its memory alone: success may be told only where it is what an undisturbed run leaves.
struct CellTrial {
  private(set) var tally = FaultTally()
  private let item: FaultCase
  private let rehearsal: Rehearsal
  private let fault: CellFault
  private let unit: Range<Int>
  /// Whether it is the first write of the job that is struck.
  private let isFirst: Bool
  /// What the first run said that failed.
  private var told: ProgramFailure?
  private let what: String
  private let bench: Bench

  init(_ item: FaultCase, _ rehearsal: Rehearsal, _ fault: CellFault, at place: CellFault.Place)
    throws
  {
    (self.item, self.rehearsal, self.fault) = (item, rehearsal, fault)
    unit = rehearsal.writes[place.write]
    isFirst = place.write == 0
    what =
      "\(item.testDescription), \(fault.rawValue) at \(unit.lowerBound + place.byte).\(place.bit)"
    var plan = FaultPlan()
    fault.arm(place, rehearsal, &plan)
    bench = try Bench(item.product, faults: plan)
    bench.tag.eeprom.load(rehearsal.before)
    tally.places = 1
    judge()
  }

  private mutating func judge() {
    let first = run()
    if let failure = first.failure {
      told = failure
      judge(failure, first)
    } else {
      judgeSuccess(first, orElse: \.recovered)
      return
    }
    bench.chip.field.place([bench.tag])
    let again = run()
    guard let failure = again.failure else { return judgeSuccess(again, orElse: \.finished) }
    guard !fault.isPermanent else { return }
    if isLost {
      tally.destroyed = 1
    } else {
      tally.unfinished = 1
      // Nothing is written before the first block of a blank tag, so what a torn write leaves there cannot be told from
      // somebody's data; the run that left it says so, and what helps.
      let next = first.failure?.next ?? ""
      let isForeseen =
        failure.kind == .refused && (isFirst || !item.isClassic)
        && ["--overwrite", "--force"].contains(where: next.contains)
      #expect(isForeseen || isIrreversible, "again after \(what): \(failure.message)")
    }
  }

  private func run() -> TagReport {
    bench.run(item.job) {
      $0.patience = .zero
      $0.credentials = item.credentials
    }
  }

  /// A failure says what the tag holds and what to do next, and that the tag is unchanged only where it is.
  private mutating func judge(_ failure: ProgramFailure, _ report: TagReport) {
    tally.failed = 1
    #expect(report.result == .failed && !report.verified, "\(what)")
    #expect(failure.next != nil && failure.tagHolds != nil, "\(what): \(failure)")
    if failure.tagHolds == "unchanged." {
      #expect(bench.memory == rehearsal.before, "said to be unchanged: \(what)")
    }
    // A cell that failed is no refusal of the tag's, but for a key that nobody knows any more.
    let kinds: Set<ProgramFailure.Kind> = [.tagTrouble, .noTag, .mismatch]
    let isShut = item.isClassic ? isTrailer : isIrreversible
    #expect(kinds.contains(failure.kind) || isShut, "\(what): \(failure)")
  }

  private mutating func judgeSuccess(
    _ report: TagReport, orElse column: WritableKeyPath<FaultTally, Int>
  ) {
    let found = item.isClassic ? TagImage.settingTornByte(ofClassic: bench.memory) : bench.memory
    if report.verified, found == rehearsal.wanted || isLostWithBlock {
      tally[keyPath: column] += 1
    } else if isLost, !report.findings.isEmpty, isContentTold(report) || isOnlyLabelled(report) {
      tally.destroyed = 1
    } else if column == \.finished, isUnseen {
      tally.destroyed = 1
    } else {
      tally.lies = 1
      Issue.record("success is told: \(what)")
    }
  }

  /// A MIFARE Classic's sector whose trailer was struck: nothing brings back its keys or access bits.
  private var isLost: Bool {
    isTrailer && bench.memory[unit] != rehearsal.wanted[unit]
  }

  /// Readers find what was wanted; a message that lay in the lost sector is gone with it, which is said.
  private func isContentTold(_ report: TagReport) -> Bool {
    let found = content(bench.memory)
    return found == content(rehearsal.wanted)
      || found == .message([]) && report.findings.contains { $0.code == "message-lost" }
  }

  /// Locked for good, with a general purpose byte that says otherwise: nothing can change it, and it is said.
  private func isOnlyLabelled(_ report: TagReport) -> Bool {
    differences == [unit.lowerBound + 9] && report.findings.contains { $0.code == "lock-byte" }
  }

  /// What a later start cannot see, or readers give no meaning, once the run that wrote it has named the block: key B, which
  /// never shows and may be the operator's own; in sector 0 the bits beside DA and ADV of the general purpose byte.
  private var isUnseen: Bool {
    guard isTrailer, let told, told.kind == .mismatch,
      told.what.lowercased().contains("block \(unit.lowerBound / 16)")
    else { return false }
    let isKeyB = differences.allSatisfy { (unit.lowerBound + 10..<unit.upperBound).contains($0) }
    return isKeyB || differences == [57] && (bench.memory[57] ^ rehearsal.wanted[57]) & 0x83 == 0
  }

  /// What only the torn block knew: whether a TLV of another's stands before the message, or the directory's info byte. Readers
  /// find what was wanted.
  private var isLostWithBlock: Bool {
    guard item.isClassic, fault == .scrambled || fault == .scrambledPutBack,
      content(bench.memory) == content(rehearsal.wanted),
      !TagImage.hasBadDirectory(bench.memory)
    else { return false }
    return switch unit.lowerBound {
    case 16: differences.allSatisfy { $0 == 16 || $0 == 17 }
    case 64: differences.allSatisfy { $0 >= 64 }
    default: false
    }
  }

  private var differences: [Int] {
    bench.memory.indices.filter { bench.memory[$0] != rehearsal.wanted[$0] }
  }

  private var isTrailer: Bool {
    guard item.isClassic else { return false }
    return unit.lowerBound < 2048
      ? unit.lowerBound % 64 == 48 : unit.lowerBound % 256 == 240
  }

  /// One-time programmable bits, lock bits and the configuration with its password of a Type 2 tag: what was stored there by
  /// mistake may be for ever.
  private var isIrreversible: Bool {
    !item.isClassic && !rehearsal.userMemory.contains(unit.lowerBound)
  }

  private func content(_ memory: [UInt8]) -> TagImage.Content {
    item.isClassic ? TagImage.content(ofClassic: memory) : TagImage.content(ofType2: memory)
  }
}
