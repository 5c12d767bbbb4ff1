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
  private(set) var store = Copy(ledger: MemoryLedger(jobs: 1), last: [0, 0, 0])
  private(set) var copies: [Copy] = []
  /// By bench.
  private(set) var own: [[Own]] = [[], [], []]
  /// Where the job stands by the events of each, and those that it has heard of.
  private var standings = Array(repeating: JobStanding(), count: 3)

  /// So many things happen to the job, by chance.
  init(_ count: Int, seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    while copies.count < count { step(&numbers) }
  }

  private mutating func step(_ numbers: inout SeededGenerator) {
    let index = Int.random(in: 0..<3, using: &numbers)
    let (bench, standing) = (Self.names[index], store.ledger[1])
    // The tag that the job was on last, or another one.
    let last = store.ledger.events.last?.tag
    let isNew = last == nil || Bool.random(using: &numbers)
    let tag = standing.binding?.tag ?? (isNew ? [UInt8(copies.count)] : last ?? [])
    let message = standing.binding?.message ?? MessageFacts(digest: [UInt8(index)])
    var what: Happening?
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0 where standing.isPending:
      _ = store.ledger.perform(.claim(bench: bench, until: 0), on: 1, now: 1)
      what = .reserved(job: 1, tag: tag, message)
    case 0 where standing.isWritten: what = .reserved(job: 1, tag: tag, message)
    case 0 where standing.binding != nil: what = .resumed(job: 1, tag: tag)
    case 1, 2:
      what = .written(
        job: 1, tag: tag, digest: message.digest, TagLocks(isLocked: false, isProtected: false))
    case 3: what = .held(job: 1, tag: tag)
    default: what = .returned(job: 1, tag: tag, setsAside: false)
    }
    guard let what else { return }
    var event = Event(what, station: bench, started: 1)
    event.claim = store.ledger[1].epoch
    guard let command = event.command(of: bench, before: standing, epoch: store.ledger[1].epoch),
      case .changed = store.ledger.perform(command, on: 1, telling: event)
    else { return }
    own[index].append(Own(event: event, before: standing))
    store.last[index] += 1
    copies.append(store)
  }

  var told: String {
    store.ledger.events.map {
      "\($0.station ?? "") \($0.what.word) \($0.tag ?? []) \($0.claim ?? 0)>\($0.epoch ?? 0)"
    }
    .joined(separator: ", ")
  }

  /// A bench begins with a restored store. `fault`: what it does wrong.
  func tell(_ index: Int, to store: inout Copy, _ fault: Fault? = nil) -> Set<[UInt8]> {
    var aside: Set<[UInt8]> = []
    var start = fault == .otherLast ? store.last[(index + 1) % 3] : store.last[index]
    if fault == .leavesOut { start += 1 }
    for known in own[index].dropFirst(start) {
      let commands = known.event.commandsAgain(of: Self.names[index], before: known.before)
      let decision = store.ledger.carryOut(commands, known.event)
      if let tag = decision.setAside, tag != known.event.tag { aside.insert(tag) }
    }
    store.last[index] = own[index].count
    return aside
  }

  enum Fault: CaseIterable { case leavesOut, otherLast }
}

extension MemoryLedger {
  fileprivate mutating func carryOut(_ commands: [LedgerCommand], _ event: Event) -> LedgerDecision
  {
    perform(commands, on: 1, as: EventID(), telling: event)
  }
}

@Suite("Benches that tell a restored store what it lacks of each")
struct RetellingTests {
  static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  /// What is wrong first; nil: nothing. `look`: what is held against what was before the restore.
  private func fault(_ seeds: Range<UInt64>, _ fault: TellingBenches.Fault? = nil) -> String? {
    var (count, found) = (0, String?.none)
    for seed in seeds where found == nil {
      let benches = TellingBenches(8, seed: seed)
      let wanted = benches.store.ledger[1]
      for (place, copy) in benches.copies.enumerated() {
        for order in Self.orders {
          var store = copy
          var aside: Set<[UInt8]> = []
          for index in order { aside.formUnion(benches.tell(index, to: &store, fault)) }
          count += 1
          let standing = store.ledger[1]
          let what =
            "\(benches.told) seed \(seed), copy \(place), order \(order): \(standing), not \(wanted)"
          if wanted.binding?.tag != standing.binding?.tag
            || wanted.isWritten != standing.isWritten || wanted.bench != standing.bench
          {
            if wanted.binding != nil { found = found ?? what }
          } else if let tag = wanted.binding?.tag, aside.contains(tag) {
            found = found ?? "\(what): its tag is set aside"
          }
        }
      }
    }
    #expect(found != nil || count > 1000)
    return found
  }

  @Test("the job is on the tag that it was on, in whichever order they begin")
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
