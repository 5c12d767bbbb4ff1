import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A job on a tag whose cells fail in one place, then the same job again.
///
/// What the tag holds is judged from its memory alone: success may be told only where it is what an
/// undisturbed run leaves.
struct CellTrial {
  private var tally = FaultTally()
  private let item: FaultCase
  private let rehearsal: Rehearsal
  private let fault: CellFault
  private let unit: Range<Int>
  /// Whether it is the first write of the job that is struck.
  private let isFirst: Bool
  /// What the first run said that failed.
  private var told: JobFailure?
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
  }

  /// Runs the job on those cells, and once more where that failed, and judges both.
  @discardableResult
  consuming func judge() -> FaultTally {
    tally.places = 1
    judgeRuns()
    return tally
  }

  private mutating func judgeRuns() {
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
    if isLost, !fault.isPermanent {
      let isNamed = names(again)
      #expect(isNamed, "not named: \(what): \(failure.message)")
    }
    guard let remainder = remainder(failure) else {
      tally.unfinished = 1
      Issue.record("not finished by the same command: \(what): \(failure)")
      return
    }
    tally.left[remainder] = 1
  }

  /// Why the same command could not finish and ended with `failure`; nil: for no reason that is
  /// known.
  private func remainder(_ failure: JobFailure) -> Remainder? {
    if fault.isPermanent { return .cell }
    if isLost { return .sector }
    // What is left may be too small for the message.
    let kinds: Set<JobFailure.Kind> = [.refused, .mismatch, .badInput]
    guard kinds.contains(failure.kind) else { return nil }
    // Torn to anything, an attribute block does not say any more that there is a message: what
    // stands behind it may be one that was erased, which no lock makes a message again.
    if item.isFeliCa, unit.lowerBound == 0, fault == .scrambled || fault == .scrambledPutBack,
      case .nothingToLock = failure.cause
    {
      return .foreign
    }
    if item.isFeliCa, Self.permissions == unit {
      return bench.memory[unit] != rehearsal.wanted[unit] ? .permissions : nil
    }
    // The container, in which some chips lock themselves for good.
    if item.isType4, !rehearsal.userMemory.contains(unit.lowerBound) {
      return bench.memory[unit] != rehearsal.wanted[unit] ? .oneWay : nil
    }
    if rehearsal.isBeside(unit) {
      if failure.isOfPassword { return .password }
      return hasOneWayBits ? .oneWay : nil
    }
    // Nothing is written before the first block of a blank tag, so what a torn write leaves there
    // cannot be told from somebody's data; the run that left it says so, and what helps.
    let isForeseen =
      failure.kind == .refused && (isFirst || !item.isClassic) && told?.remedy?.permits == true
    return isForeseen ? .foreign : nil
  }

  /// Whether the struck unit holds other lock bits or another capability container than was wanted,
  /// where bits never clear and block-locking bits keep others from being set; or CFGLCK, bit 6 of
  /// the ACCESS byte that heads the page before the password's (NTAG213/215/216, 8.5.7), of an
  /// Ultralight AES page 42, which freezes the configuration.
  private var hasOneWayBits: Bool {
    if unit.lowerBound == 8 || unit.lowerBound == 12 || unit.lowerBound == rehearsal.lockOffset {
      return bench.memory[unit] != rehearsal.wanted[unit]
    }
    let access = item.product == "ultralight-aes" ? 42 * 4 : bench.memory.count - 12
    return unit.lowerBound == access && bench.memory[access] & 0x40 != 0
  }

  /// The memory configuration of a FeliCa Lite, block 88h.
  private static let permissions = 336..<352

  private func run() -> TagReport {
    bench.run(item.job) {
      $0.patience = .zero
      $0.credentials = item.credentials
    }
  }

  /// A failure says what the tag holds and what to do next, and that the tag is unchanged only
  /// where it is.
  private mutating func judge(_ failure: JobFailure, _ report: TagReport) {
    tally.failed = 1
    #expect(report.result == .failed && !report.verified, "\(what)")
    #expect(failure.remedy != nil && failure.holds != nil, "\(what): \(failure)")
    if failure.holds == .unchanged {
      #expect(bench.memory == rehearsal.before, "said to be unchanged: \(what)")
    }
    // A cell that failed is no refusal of the tag's, but for a key that nobody knows any more.
    let kinds: Set<JobFailure.Kind> = [.tagTrouble, .noTag, .mismatch]
    let isShut = item.isClassic ? isTrailer : isIrreversible
    #expect(kinds.contains(failure.kind) || isShut, "\(what): \(failure)")
  }

  private mutating func judgeSuccess(
    _ report: TagReport, orElse column: WritableKeyPath<FaultTally, Int>
  ) {
    let found = TagImage.settingTornByte(bench.memory, of: item.product)
    let isWanted = rehearsal.isType2 ? differences.isEmpty : found == rehearsal.wanted
    if report.verified, isWanted || isToldAsLost || lacksOnlyNull || isBehindMessage {
      tally[keyPath: column] += 1
    } else if isLost, names(report), isContentTold(report) || isOnlyLabelled(report) {
      tally.left[.sector] = 1
    } else if column == \.finished,
      isUnseen || isOddSector(report) || isOdd(report) || isOtherProtection || isOtherAntenna
        || isElsewhere
    {
      tally.left[.accepted] = 1
    } else {
      tally.lies = 1
      let wrong = differences.map {
        "\($0): \(bench.memory[$0]) for \(rehearsal.wanted[$0])"
      }
      Issue.record(
        "success is told: \(what); \(wrong); \(report.findings); first: \(String(describing: told))"
      )
    }
  }

  /// A MIFARE Classic's sector whose trailer was struck: nothing brings back its keys or access
  /// bits.
  private var isLost: Bool {
    isTrailer && bench.memory[unit] != rehearsal.wanted[unit]
  }

  /// Whether `report` names the struck trailer or its sector.
  private func names(_ report: TagReport) -> Bool {
    let block = unit.lowerBound / 16
    let sector = block < 128 ? block / 4 : 32 + (block - 128) / 16
    let texts = report.findings.map(\.text) + [report.failure?.what ?? ""]
    return texts.contains { Self.numbers(in: $0, of: "sector").contains(sector) }
      || texts.contains { Self.numbers(in: $0, of: "block").contains(block) }
  }

  /// The numbers that stand behind `noun` in `text`: `Sectors 1, 3 to 5 and 7`.
  private static func numbers(in text: String, of noun: String) -> Set<Int> {
    var numbers: Set<Int> = []
    var (isListing, isRun) = (false, false)
    var last: Int?
    for word in text.lowercased().split(separator: " ") {
      let bare = word.filter { !",.:;()".contains($0) }
      if bare == noun || bare == noun + "s" {
        (isListing, isRun, last) = (true, false, nil)
      } else if isListing, let number = Int(bare) {
        numbers.formUnion((isRun ? last ?? number : number)...number)
        (isRun, last) = (false, number)
      } else if bare == "to" {
        isRun = true
      } else if bare != "and" {
        isListing = false
      }
    }
    return numbers
  }

  /// Readers find what was wanted; a message that lay in the lost sector is gone with it, which is
  /// said.
  private func isContentTold(_ report: TagReport) -> Bool {
    let found = content(bench.memory)
    return found == content(rehearsal.wanted)
      || found == .message([]) && report.findings.contains { $0.code == "message-lost" }
  }

  /// Locked for good, with a general purpose byte that says otherwise: nothing can change it, and
  /// it is said.
  private func isOnlyLabelled(_ report: TagReport) -> Bool {
    differences == [unit.lowerBound + 9] && report.findings.contains { $0.code == "lock-byte" }
  }

  /// What a later start does not see, once the run that wrote it has named the block: key B of a
  /// sector that is locked, where it gives no right that key A does not, and can never be changed.
  /// A job that writes a message onto an NDEF tag does not ask for key B at all, and leaves bit 6
  /// of sector 0's general purpose byte (one application or several) as the formatter chose it.
  private var isUnseen: Bool {
    if item.isFeliCa { return isUnseenOnFeliCa }
    guard isTrailer, let told, told.kind == .mismatch,
      told.what.lowercased().contains("block \(unit.lowerBound / 16)")
    else { return false }
    let isKeyB = differences.allSatisfy { (unit.lowerBound + 10..<unit.upperBound).contains($0) }
    let bits = Array(bench.memory[unit.lowerBound + 6..<unit.lowerBound + 9])
    if isKeyB, bits == [0x07, 0x8F, 0x0F] { return true }
    guard case .write = item.job else { return false }
    return isKeyB || differences == [57] && bench.memory[57] ^ rehearsal.wanted[57] == 0x40
  }

  /// The general purpose byte of a sector with the message, which such a job reads and says as a
  /// finding. The run that wrote it has named the block.
  private func isOddSector(_ report: TagReport) -> Bool {
    guard isTrailer, let told, told.kind == .mismatch, case .write = item.job,
      told.what.lowercased().contains("block \(unit.lowerBound / 16)"),
      differences == [unit.lowerBound + 9], content(bench.memory) == content(rehearsal.wanted)
    else { return false }
    return report.findings.contains { $0.code == "sector-byte" }
  }

  /// Bits of the memory configuration, which only ever go one way, and in the attribute block how
  /// many blocks there are: a later start goes by what it finds, and readers find what was wanted.
  /// The run that wrote them has named the block, or lost the tag there.
  private var isUnseenOnFeliCa: Bool {
    guard let told, content(bench.memory) == content(rehearsal.wanted) else { return false }
    let isNamed = told.kind == .mismatch || fault == .scrambled
    let isForeseen = differences.allSatisfy {
      Self.permissions.contains($0) || [4, 14, 15].contains($0)
    }
    let text = told.what + " " + (told.tagHolds ?? "")
    return isNamed && isForeseen && text.lowercased().contains("block")
  }

  /// A bit beside a Type 2 tag's message that nobody asked for and that may be somebody's choice: a
  /// later start finds it odd, and says so. The run that wrote it has ended with a failure. A
  /// mirror of an NTAG210 or NTAG212 is on by one bit, and then lies over what readers find.
  private func isOdd(_ report: TagReport) -> Bool {
    var memory = bench.memory
    if ["ntag210", "ntag212"].contains(item.product), unit.upperBound == memory.count - 12 {
      memory[unit.lowerBound + 2] = rehearsal.wanted[unit.lowerBound + 2]
    }
    guard rehearsal.isBeside(unit), told != nil, content(memory) == content(rehearsal.wanted)
    else {
      return false
    }
    let codes: Set<String> =
      switch unit.lowerBound {
      case 8: ["uid-check", "lock-bits"]
      case 12: ["cc-version", "cc-size", "cc-write-access"]
      case rehearsal.lockOffset: ["lock-bits"]
      default: ["configuration"]
      }
    return report.findings.contains { codes.contains($0.code) }
  }

  /// AUTH0 or PROT, in a page that was written for a mirror's sake: what a password protects is the
  /// operator's choice, and a later start takes it for that. The run that wrote it has named the
  /// page.
  private var isOtherProtection: Bool {
    guard rehearsal.isBeside(unit), let told, told.kind == .mismatch,
      told.what.lowercased().contains("page \(unit.lowerBound / 4)"),
      content(bench.memory) == content(rehearsal.wanted)
    else { return false }
    let cfg1 = bench.memory.count - 12
    return differences.allSatisfy {
      $0 == cfg1 - 1 || ($0 == cfg1 && bench.memory[$0] ^ rehearsal.wanted[$0] == 0x80)
    }
  }

  /// 04 in the first byte of an Ultralight EV1's configuration, which half of them are delivered
  /// with: for an antenna of 50 pF (MF0ULX1, table 8). The run that wrote it has named the page.
  private var isOtherAntenna: Bool {
    guard item.product.hasPrefix("ultralight-ev1"), let told, told.kind == .mismatch else {
      return false
    }
    let cfg0 = bench.memory.count - 16
    return differences == [cfg0] && bench.memory[cfg0] == 0x04
      && told.what.lowercased().contains("page \(cfg0 / 4)")
  }

  /// Before a Type 2 tag's message may stand what somebody left there; then readers find the
  /// message behind it, or in its place.
  private var isElsewhere: Bool {
    rehearsal.isType2 && rehearsal.userMemory.contains(unit.lowerBound)
      && differences.allSatisfy(rehearsal.userMemory.contains)
      && content(bench.memory) == content(rehearsal.wanted)
  }

  /// What only the torn block knew, and the run that was cut short has told: what stood before the
  /// message, or the directory's info byte. Readers find what was wanted.
  private var isToldAsLost: Bool {
    guard item.isClassic, fault == .scrambled || fault == .scrambledPutBack,
      content(bench.memory) == content(rehearsal.wanted),
      !TagImage.hasBadDirectory(bench.memory), let told
    else { return false }
    let bytes = rehearsal.wanted[unit].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return told.tagHolds?.contains(bytes.joined(separator: " ").uppercased()) == true
  }

  /// A NULL TLV before the message means nothing (NFC Forum Type 2 Tag 1.1, 2.3.1): without it the
  /// message may fit around a bad bit.
  private var lacksOnlyNull: Bool {
    item.isClassic && rehearsal.wanted[64] == 0x00 && differences.allSatisfy((64..<112).contains)
      && content(bench.memory) == content(rehearsal.wanted)
  }

  /// Torn bytes may read as TLVs that lead to an older message, whose length the next run sets to 0
  /// before it writes. What stands behind a message's terminator means nothing.
  private var isBehindMessage: Bool {
    guard item.isClassic, fault == .scrambled || fault == .scrambledPutBack,
      case .message(let bytes) = content(rehearsal.wanted), let first = differences.first
    else { return false }
    // Of four blocks of a sector three hold the message; it begins in sector 1.
    let end = 64 + (bytes.count + 5) / 48 * 64 + (bytes.count + 5) % 48
    return first > end && content(bench.memory) == content(rehearsal.wanted)
      && differences.allSatisfy { (64..<1024).contains($0) && $0 / 16 % 4 != 3 }
  }

  /// Where the memory is not as wanted; what no command can reach, the second half of PACK's page,
  /// aside.
  private var differences: [Int] {
    bench.memory.indices.filter {
      rehearsal.meaning(of: bench.memory[$0], at: $0)
        != rehearsal.meaning(of: rehearsal.wanted[$0], at: $0) && !rehearsal.isOutOfReach($0)
    }
  }

  private var isTrailer: Bool {
    guard item.isClassic else { return false }
    return unit.lowerBound < 2048
      ? unit.lowerBound % 64 == 48 : unit.lowerBound % 256 == 240
  }

  /// One-time programmable bits, lock bits and the configuration with its password of a Type 2 tag:
  /// what was stored there by mistake may be for ever.
  private var isIrreversible: Bool {
    !item.isClassic && !rehearsal.userMemory.contains(unit.lowerBound)
  }

  private func content(_ memory: [UInt8]) -> TagImage.Content {
    TagImage.content(memory, of: item.product)
  }
}

extension JobFailure {
  /// Whether the tag asks for a password that it was not given, or answers one wrongly.
  fileprivate var isOfPassword: Bool {
    switch cause {
    case .type2(.passwordRefused), .type2(.passwordNeeded), .type2(.configurationHidden): true
    // Nor does it get one that the job may have replaced.
    case .type2(.passwordWithheld): true
    // What a torn write made of an Ultralight AES: its key opens it, by commands with a CMAC alone.
    case .type2(.secureMessaging), .type2(.keyNeeded): true
    case .step(let failure):
      switch failure.trouble {
      case .newPasswordUnknown, .otherAcknowledge: true
      default: false
      }
    default: false
    }
  }
}
