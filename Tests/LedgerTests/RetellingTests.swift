import SeededNumbers
import Testing

@testable import Ledger

/// Benches that tell a store all that happens with them, and tell it again what it lacks of it
/// after it was restored from an older copy: each behind the last of its events that the store has.
struct TellingBenches {
  /// What a bench keeps of something that it did.
  struct Own {
    let event: Event
    let before: JobStanding
  }

  /// The store, and how much each bench had told it then.
  struct Copy {
    var ledger: MemoryLedger
    var last: [Int]
  }

  static let names = ["A", "B", "C"]
  static let jobs = 2
  private(set) var store = Copy(ledger: MemoryLedger(jobs: jobs), last: [0, 0, 0])
  private(set) var copies: [Copy] = []
  /// By bench.
  private(set) var own: [[Own]] = [[], [], []]
  /// What each has not found out yet, by job.
  private var released: [[Int: Own]] = [[:], [:], [:]]
  /// Tags that were set aside by the word of a bench, or of the operator of the pool.
  private(set) var aside: Set<[UInt8]> = []

  /// So many things happen to jobs, by chance.
  init(_ count: Int, seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    while copies.count < count { step(&numbers) }
  }

  private mutating func step(_ numbers: inout SeededGenerator) {
    let index = Int.random(in: 0..<3, using: &numbers)
    let job = Int.random(in: 1...Self.jobs, using: &numbers)
    let (bench, standing) = (Self.names[index], store.ledger[job])
    // The tag that the job was on last, or another one.
    let last = store.ledger.events.last { $0.job == job && $0.tag != nil }?.tag
    let isNew = last == nil || Bool.random(using: &numbers)
    let tag = standing.binding?.tag ?? (isNew ? [UInt8(job), UInt8(copies.count)] : last ?? [])
    let message =
      standing.binding?.message ?? MessageFacts(digest: [UInt8(job), UInt8(index)])
    var what: Happening?
    switch Int.random(in: 0..<7, using: &numbers) {
    case 0 where standing.isPending:
      _ = store.ledger.perform(.claim(bench: bench, until: 0), on: job, now: 1)
      what = .reserved(job: job, tag: tag, message)
    case 0 where standing.isWritten: what = .reserved(job: job, tag: tag, message)
    case 0 where standing.binding != nil: what = .resumed(job: job, tag: tag)
    case 1, 2:
      what = .written(
        job: job, tag: tag, digest: message.digest, TagLocks(isLocked: false, isProtected: false))
    case 3: what = .held(job: job, tag: tag)
    // Only its own bench gives a job back on its operator's word.
    case 4 where standing.binding?.bench == bench: what = .released(job: job, tag: tag)
    case 5 where copies.count > 4 && standing.bench != nil && Bool.random(using: &numbers):
      return release(job, standing)
    default: what = .returned(job: job, tag: tag, setsAside: Bool.random(using: &numbers))
    }
    guard let what else { return }
    var event = Event(what, station: bench, started: 1)
    event.claim = store.ledger[job].epoch
    guard
      let command = event.command(of: bench, before: standing, epoch: store.ledger[job].epoch),
      case .changed = store.ledger.perform(command, on: job, telling: event)
    else { return }
    if let echo = released[index].removeValue(forKey: job) { own[index].append(echo) }
    own[index].append(Own(event: event, before: standing))
    store.last[index] = own[index].count
    if what.setsAside { aside.insert(tag) }
    copies.append(store)
  }

  /// The operator of the pool gives the job to another tag. The bench that has the job finds out
  /// before it does anything with it.
  private mutating func release(_ job: Int, _ standing: JobStanding) {
    guard let tag = standing.binding?.tag, !standing.isWritten else { return }
    let event = Event(.released(job: job, tag: tag), started: 1)
    if case .changed = store.ledger.perform(
      .release(whoeverWorks: false), on: job, telling: event)
    {
      aside.insert(tag)
      let index = Self.names.firstIndex(of: standing.bench ?? "") ?? 0
      var echo = Event(.returned(job: job, tag: tag, setsAside: true), started: 1)
      (echo.claim, echo.isEcho) = (standing.epoch, true)
      released[index][job] = Own(event: echo, before: standing)
      copies.append(store)
    }
  }

  var told: String {
    store.ledger.events.map {
      "\($0.station ?? "") \($0.what.word)\($0.what.setsAside ? "!" : "") \($0.tag ?? []) \($0.claim ?? 0)>\($0.epoch ?? 0)"
    }
    .joined(separator: ", ")
  }

  /// A bench begins with a restored store. `fault`: what it does wrong. Returns which tags others
  /// lost their jobs on.
  func tell(_ index: Int, to store: inout Copy, _ fault: Fault? = nil) -> Set<[UInt8]> {
    var aside: Set<[UInt8]> = []
    var start = fault == .otherLast ? store.last[(index + 1) % 3] : store.last[index]
    if fault == .leavesOut { start += 1 }
    for known in own[index].dropFirst(start) {
      let commands = known.event.commandsAgain(of: Self.names[index], before: known.before)
      let decision = store.ledger.carryOut(commands, known.event)
      if let tag = decision.setAside, tag != known.event.tag { aside.insert(tag) }
      guard case .refused(let refusal) = decision, fault != .losesMark else { continue }
      let isLast = own[index].last { $0.event.job == known.event.job }?.event == known.event
      store.ledger.keepMark(of: known.event, isContradicted: isLast && refusal != .superseded)
    }
    store.last[index] = own[index].count
    if fault != .looksAfterNone { lookAfter(index, &store) }
    return aside
  }

  /// What the bench has on tags, and lost to others by what they told.
  private func lookAfter(_ index: Int, _ store: inout Copy) {
    for job in 1...Self.jobs {
      let last = own[index].last { $0.event.job == job }?.event
      guard let tag = last?.tag, last?.kind != "returned", last?.kind != "released",
        store.ledger[job].binding?.tag != tag,
        let lost = store.ledger.events.last(where: { $0.tag == tag && $0.what.changesJob }),
        lost.kind == "returned", lost.cause == TagCause.restored.rawValue
      else { continue }
      store.ledger.scrap.insert(tag)
    }
  }

  enum Fault: CaseIterable { case leavesOut, otherLast, losesMark, looksAfterNone }
}

extension MemoryLedger {
  fileprivate mutating func carryOut(_ commands: [LedgerCommand], _ event: Event) -> LedgerDecision
  {
    perform(commands, on: event.job ?? 0, as: EventID(), telling: event)
  }

  /// An event that the store had taken, and refuses now. `isContradicted`: it is the bench's last
  /// word on a job that is on another tag.
  fileprivate mutating func keepMark(of event: Event, isContradicted: Bool) {
    guard isContradicted || event.setsAsideAgain(isHeard: true), let tag = event.tag,
      jobs(where: .onTag(tag)).isEmpty
    else { return }
    scrap.insert(tag)
  }
}

@Suite("Benches that tell a restored store what it lacks of each")
struct RetellingTests {
  static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  /// What is wrong first; nil: nothing. What is there is held against what was before the restore.
  private func fault(_ seeds: Range<UInt64>, _ fault: TellingBenches.Fault? = nil) -> String? {
    var (count, found) = (0, String?.none)
    for seed in seeds where found == nil {
      let benches = TellingBenches(8, seed: seed)
      for (place, copy) in benches.copies.enumerated() {
        for order in Self.orders {
          var store = copy
          var aside: Set<[UInt8]> = []
          // Each tells what the store lacks, and then they work again.
          for index in order + order { aside.formUnion(benches.tell(index, to: &store, fault)) }
          count += 1
          guard let wrong = Self.difference(of: store, from: benches, aside) else { continue }
          found = found ?? "\(benches.told) seed \(seed), copy \(place), order \(order): \(wrong)"
        }
      }
    }
    #expect(found != nil || count > 1000)
    return found
  }

  /// `aside`: tags that lost their jobs to others.
  private static func difference(
    of store: TellingBenches.Copy, from benches: TellingBenches, _ aside: Set<[UInt8]>
  ) -> String? {
    for job in 1...TellingBenches.jobs {
      let (standing, wanted) = (store.ledger[job], benches.store.ledger[job])
      guard let tag = wanted.binding?.tag else { continue }
      if tag != standing.binding?.tag || wanted.isWritten != standing.isWritten
        || wanted.bench != standing.bench
      {
        return "\(standing), not \(wanted)"
      }
      if aside.contains(tag) || store.ledger.isScrap(tag) { return "\(tag) is set aside" }
    }
    // What the operator has said may be forgotten: then the tag has its job.
    let lost = benches.aside.subtracting(store.ledger.scrap).filter {
      store.ledger.jobs(where: .onTag($0)).isEmpty
    }
    return lost.isEmpty ? nil : "\(lost) can be used"
  }

  @Test("each job is on the tag that it was on, in whichever order they begin")
  func lastTag() {
    #expect(fault(0..<400) == nil)
  }

  @Test(
    "that is so only where each tells all behind the last of its own events",
    arguments: TellingBenches.Fault.allCases)
  func broken(_ broken: TellingBenches.Fault) {
    #expect(fault(0..<400, broken) != nil)
  }
}
