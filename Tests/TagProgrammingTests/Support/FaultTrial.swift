import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// An undisturbed run of a job: the memory before and after it, and how many places for faults it
/// has.
struct Rehearsal {
  let before: [UInt8]
  let wanted: [UInt8]
  /// The pages or blocks that are programmed, in their order, as offsets into the memory.
  let writes: [Range<Int>]
  /// The bytes that hold data of the user.
  let userMemory: Range<Int>
  private let item: FaultCase
  private let places: FaultPlaces
  private let commands: Int

  init(_ item: FaultCase) throws {
    let prepared = try Bench(item.product)
    item.prepare(prepared)
    before = prepared.memory
    let bench = try Bench(item.product)
    bench.tag.eeprom.load(before)
    var writes: [Range<Int>] = []
    let eeprom = bench.tag.eeprom
    eeprom.onProgrammed = { [unowned eeprom] in
      if let unit = eeprom.lastUnit { writes.append(unit) }
    }
    let report = bench.run(item.job) { $0.credentials = item.credentials }
    eeprom.onProgrammed = nil
    (self.item, self.writes) = (item, writes)
    userMemory = try TagCatalog.tag(item.product).userMemory
    if let failure = report.failure { throw failure }
    (wanted, places, commands) = (bench.memory, bench.chip.places, report.counts.frames)
  }

  /// The bytes of `unit` that a write changes: the first half of page 2 is the UID's, the last byte
  /// of the lock page and the second half of PACK's page are fixed.
  func writable(_ unit: Range<Int>) -> Range<Int> {
    guard isType2 else { return 0..<unit.count }
    if unit.lowerBound == 8 { return 2..<4 }
    if unit.lowerBound == lockOffset { return 0..<3 }
    if hasKey, 168..<176 ~= unit.lowerBound { return 0..<1 }
    // The last page is PACK's where there is one.
    return hasPassword && unit.upperBound == before.count ? 0..<2 : 0..<4
  }

  /// Where the dynamic lock bytes of a Type 2 tag begin: chips with more than 20 pages have them
  /// behind the user memory.
  var lockOffset: Int? { before.count > 80 ? userMemory.upperBound : nil }

  private var hasPassword: Bool {
    item.product.hasPrefix("ntag21") || item.product.hasPrefix("ultralight-ev1")
  }

  /// Whether it is a MIFARE Classic 4K.
  var isLarge: Bool { item.product == "classic4k" }

  var isType2: Bool { Product.named(item.product)?.type2 != nil }

  /// Whether `unit` is of a Type 2 tag and no user memory.
  func isBeside(_ unit: Range<Int>) -> Bool {
    isType2 && !userMemory.contains(unit.lowerBound)
  }

  /// Whether nothing reads or writes the byte at `offset`: the second half of PACK's page
  /// (NTAG213/215/216, 8.5.7).
  func isOutOfReach(_ offset: Int) -> Bool {
    if hasKey, 168..<176 ~= offset { return offset % 4 != 0 }
    return hasPassword && offset >= before.count - 2
  }

  /// What `byte` at `offset` means: of an Ultralight C's key DES leaves out each byte's lowest bit
  /// (FIPS 46-3).
  func meaning(of byte: UInt8, at offset: Int) -> UInt8 {
    hasKey && 176..<192 ~= offset ? byte & 0xFE : byte
  }

  func meaning(of memory: [UInt8]) -> [UInt8] {
    hasKey ? memory.enumerated().map { meaning(of: $1, at: $0) } : memory
  }

  /// An Ultralight C, which has AUTH0 and AUTH1 in the first bytes of pages 42 and 43, and behind
  /// them its key (MF0ICU2, 7.5.7 and 7.5.8).
  private var hasKey: Bool { item.product == "ultralight-c" }

  func count(of place: FaultKind.Place) -> Int {
    switch place {
    case .exchange: places.exchanges
    case .programming: places.eepromWrites
    case .command: commands
    }
  }
}

/// A job with one fault in it, then the same job again without.
struct FaultTrial {
  private var tally = FaultTally()
  private let item: FaultCase
  private let rehearsal: Rehearsal
  private let kind: FaultKind
  private let what: String
  private let bench: Bench
  /// A tag that some faults put in the place of the job's.
  private let stranger: any StoredTag
  /// The unit whose write was struck.
  private let struck: Range<Int>?
  private var retries = 0

  init(_ item: FaultCase, _ rehearsal: Rehearsal, _ kind: FaultKind, at place: Int) throws {
    (self.item, self.rehearsal, self.kind) = (item, rehearsal, kind)
    what = "\(item.testDescription), \(kind.name) at \(place)"
    struck =
      kind.place == .programming && place < rehearsal.writes.count ? rehearsal.writes[place] : nil
    stranger = try TagCatalog.tag(item.product, index: 7)
    var plan = FaultPlan()
    kind.arm(place, &plan, stranger)
    var bench = try Bench(item.product, faults: plan)
    bench.hostFault = kind.host.map { DirectLink.Fault(place: place, kind: $0) }
    bench.tag.eeprom.load(rehearsal.before)
    self.bench = bench
  }

  /// Runs the job with the fault, and once more where that failed, and judges both.
  @discardableResult
  consuming func judge() -> FaultTally {
    let untouched = stranger.eeprom.bytes
    tally.places = 1
    judgeRuns()
    // A tag that was swapped before the reader met any is simply the tag.
    if !isStranger {
      #expect(Self.isSame(stranger.eeprom.bytes, untouched), "stranger written: \(what)")
    }
    return tally
  }

  private var isStranger = false

  private func isAsWanted() -> Bool {
    // The message's file of a DESFire takes what memory is left, which is another figure once the
    // application is there.
    if item.product.hasPrefix("desfire") {
      return content(bench.memory) == content(rehearsal.wanted)
        && isLocked(bench.memory) == isLocked(rehearsal.wanted)
    }
    let found = TagImage.settingTornByte(bench.memory, of: item.product)
    return Self.isSame(rehearsal.meaning(of: found), rehearsal.meaning(of: rehearsal.wanted))
      || lacksOnlyWhatWasTorn
  }

  /// What only a torn block knew may be gone: the directory's info byte, or a NULL TLV before the
  /// message, which then lies elsewhere. Nothing else differs.
  private var lacksOnlyWhatWasTorn: Bool {
    guard item.isClassic, item.name.contains("foreign"), let struck else { return false }
    let lost = [16..<32: 16..<18, 64..<80: 64..<112][struck]
    return content(bench.memory) == content(rehearsal.wanted)
      && !TagImage.hasBadDirectory(bench.memory)
      && bench.memory.indices.allSatisfy {
        bench.memory[$0] == rehearsal.wanted[$0] || lost?.contains($0) == true
      }
  }

  /// A FeliCa tag's permissions only ever get fewer: torn to anything, they can never be as wanted,
  /// which is said.
  private var hasTornPermissions = false

  /// Without the difference that a failed comparison of arrays would work out.
  private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool { left == right }

  private mutating func judgeRuns() {
    var retries = 0
    let report = bench.run(
      item.job,
      {
        $0.patience = .zero
        $0.credentials = item.credentials
      }, tell: { if case .retrying = $0 { retries += 1 } })
    let met = report.target?.uid
    isStranger = met != nil && met != UID(bench.tag.uid)
    if isStranger {
      tally.recovered = 1
      return
    }
    let isDestroyed = item.isClassic && TagImage.hasDestroyedSector(bench.memory)
    if let failure = report.failure {
      tally.failed = 1
      if case .feliCa(.blockDiffers(0x88, _, _)) = failure.cause { hasTornPermissions = true }
      judge(failure, report, met: met, isDestroyed: isDestroyed)
    } else if isDestroyed {
      judgeDestroyed(report)
    } else {
      let isDone = report.verified && isAsWanted()
      (tally.recovered, tally.lies) = isDone ? (1, 0) : (0, 1)
      #expect(report.verified, "success without a look: \(what)")
      #expect(isAsWanted(), "success is told: \(what)")
    }
    judgeContent()
    guard report.failure != nil else { return }
    runAgain(isDestroyed: isDestroyed)
  }

  // MARK: The first run

  /// An error says of which kind it is, what the tag holds, and what to do next; all of it true.
  private func judge(
    _ failure: JobFailure, _ report: TagReport, met: UID?, isDestroyed: Bool
  ) {
    #expect(report.result == .failed && !report.verified, "\(what)")
    let isAskedOnce = item.isAskedOnce && failure.isPasswordRefused
    if kind.isPassing, met != nil, !isDestroyed, !isAskedOnce, !hasTornPermissions {
      Issue.record("not recovered: \(what): \(failure)")
    }
    var kinds: Set<JobFailure.Kind> = [.tagTrouble, .noTag]
    if kind.place == .command { kinds.insert(.readerUnavailable) }
    if isAskedOnce { kinds.insert(.refused) }
    if hasTornPermissions { kinds.insert(.mismatch) }
    if !isDestroyed { #expect(kinds.contains(failure.kind), "\(what): \(failure)") }
    #expect(failure.remedy != nil, "\(what): \(failure)")
    guard met != nil else {
      #expect(Self.isSame(bench.memory, rehearsal.before), "written and not told: \(what)")
      return
    }
    let isUnchanged = failure.holds == .unchanged
    #expect(failure.holds != nil, "\(what): \(failure)")
    if isUnchanged {
      #expect(Self.isSame(bench.memory, rehearsal.before), "said to be unchanged: \(what)")
    }
    let now = content(bench.memory)
    guard case .stopped(let unit, let progress) = failure.holds else { return }
    switch (progress, unit) {
    case (.sectorsFormatted, _), (.notFormatted, _):
      #expect(now == .none, "\(progress): \(what)")
    // In the middle of a write nothing else is said of the message that every outcome of it would
    // show.
    case (.emptyMessage, nil): #expect(now == .message([]), "\(progress): \(what)")
    case (.oldMessage, nil): #expect(now == content(rehearsal.before), "\(progress): \(what)")
    case (.allWritten, nil): #expect(now == content(rehearsal.wanted), "\(progress): \(what)")
    default: break
    }
  }

  /// Whoever reads the tag finds the old message, an empty one or the new one; no NDEF tag only
  /// where it was or becomes none. Raw pages are the operator's own, and a page torn in its middle
  /// is nobody's.
  private func judgeContent() {
    if isLocked(bench.memory), !isLocked(rehearsal.before) {
      #expect(content(bench.memory) == content(rehearsal.wanted), "locked early: \(what)")
    }
    if item.isRaw { return }
    guard kind.place != .programming else { return }
    let (old, new) = (content(rehearsal.before), content(rehearsal.wanted))
    let now = content(bench.memory)
    let mayBeNone = old == .none || new == .none || isBetweenDirectories
    let hidden = item.hidden.map { [TagImage.Content.message($0.serialize())] } ?? []
    let allowed = [old, new, .message([])] + hidden + (mayBeNone ? [.none] : [])
    #expect(allowed.contains(now), "\(what): found \(now)")
  }

  /// Whether one of the directory's two blocks is the old one and the other the new one: one
  /// checksum covers both, so no order of writes keeps it right (AN10787, 3.10). Nothing else may
  /// be wrong then.
  private var isBetweenDirectories: Bool {
    guard item.isClassic else { return false }
    let (old, new, now) = (
      rehearsal.before[16..<48], rehearsal.wanted[16..<48], bench.memory[16..<48]
    )
    guard now != old, now != new,
      [16..<32, 32..<48].allSatisfy({ now[$0] == old[$0] || now[$0] == new[$0] })
    else { return false }
    var memory = bench.memory
    memory.replaceSubrange(16..<48, with: old)
    return content(memory) == content(rehearsal.before)
  }

  private func isLocked(_ memory: [UInt8]) -> Bool {
    if item.isType4 { return TagImage.hasLocks(ofType4: memory, product: item.product) }
    return item.isFeliCa
      ? TagImage.hasLocks(ofFeliCa: memory)
      : item.isClassic
        ? TagImage.hasLocks(ofClassic: memory)
        : TagImage.hasLocks(ofType2: memory, dynamicPage: Product.named(item.product)?.lockPage)
  }

  private func content(_ memory: [UInt8]) -> TagImage.Content {
    TagImage.content(memory, of: item.product)
  }

  // MARK: The second run

  /// The operator puts the tag back, plugs the board in again, and runs the same command.
  private mutating func runAgain(isDestroyed: Bool) {
    if kind.place == .command { bench.chip.powerCycle() }
    bench.chip.field.place([bench.tag])
    var bench = bench
    bench.hostFault = nil
    let again = item.runAgain(on: bench)
    if isDestroyed { return judgeDestroyed(again) }
    if hasTornPermissions || staysOpen(again) {
      tally.left[.permissions] = 1
      return
    }
    #expect(again.failure == nil, "again after \(what): \(again.failure?.message ?? "")")
    #expect(isAsWanted(), "again after \(what)")
    let isDone = again.failure == nil && isAsWanted()
    (tally.finished, tally.unfinished) = isDone ? (1, 0) : (0, 1)
  }

  /// A torn write closed the permissions of a FeliCa tag before it took the blocks' away: they stay
  /// open for good, which is said.
  private func staysOpen(_ again: TagReport) -> Bool {
    guard struck == 336..<352, case .feliCa(.openForGood) = again.failure?.cause else {
      return false
    }
    return bench.memory[336..<352] != rehearsal.wanted[336..<352]
  }

  /// A trailer was torn into invalid access bits: silicon has lost that sector. It is named;
  /// without sector 0 there is no NDEF tag, without another one the message lies around it.
  private mutating func judgeDestroyed(_ report: TagReport) {
    tally.left[.sector] = 1
    let names = report.findings.map(\.code) + [report.failure?.what ?? ""]
    #expect(names.contains { $0.contains("destroyed") }, "\(what): \(names)")
    if report.failure == nil {
      #expect(content(bench.memory) == content(rehearsal.wanted), "\(what)")
    } else {
      // What is left may be too small for the message.
      let kinds: [JobFailure.Kind?] = [.refused, .badInput]
      #expect(kinds.contains(report.failure?.kind), "\(what)")
    }
  }
}

extension FaultCase {
  /// The same command once more. A tag that counts wrong passwords, or hides whether it does, gets
  /// none but the one that the operator gives for it: where the new one may be set already, the
  /// command says to give that one, which is what the operator does.
  func runAgain(on bench: Bench) -> TagReport {
    let again = bench.run(job) { $0.credentials = credentials }
    guard again.failure?.remedy == .giveNewPasswordOrRemove,
      let product = Product.named(product), let new = job.lastingPassword(on: product)
    else { return again }
    return bench.run(job) { $0.credentials = Credentials(password: new) }
  }
}
