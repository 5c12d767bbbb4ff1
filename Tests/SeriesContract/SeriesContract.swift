import Ledger
import SeededNumbers

/// What every store of a series keeps to: it decides as the rules do, its events bring each job
/// where it says that the job stands, and what was told is what is read.
///
/// Random commands of two benches are carried out by a store and by the rules in memory, and the
/// two are compared after each.
package struct SeriesContract<Store: SeriesStore> {
  /// The store as each bench has it, or as both have it.
  private var stores: [Store]
  private let benches: [Teller]
  /// Whether benches share the store, which keeps claims then and knows of restores.
  private let isShared: Bool
  private let jobs: Int
  private var model: MemoryLedger
  private var numbers: SeededGenerator
  /// When claims run out: milliseconds since 1970.
  private let soon: Int64
  /// Has every lease of a store end so many milliseconds earlier.
  private let endLeases: ((inout Store, Int64) throws(Store.Failure) -> Void)?
  /// How many leases have run out.
  private var over = 0

  /// What the store's events say.
  private var standings: [Int: JobStanding] = [:]
  private var scrap: Set<[UInt8]> = []
  private var last: Int64 = 0
  private var kinds: Set<String> = []
  private var seen = 0
  /// What is wrong: sentences.
  private var faults: [String] = []

  /// Who says what happens.
  package struct Teller {
    /// As the rules know it.
    let name: String
    let station: String
    let run: [UInt8]?

    package init(_ name: String, station: String, run: [UInt8]?) {
      (self.name, self.station, self.run) = (name, station, run)
    }
  }

  /// `stores`: one that has these many jobs, of which nothing is known yet. `now`: what the store's
  /// clock shows in milliseconds; a claim runs out five minutes later. `endLeases` has every lease
  /// end so many milliseconds earlier; nil: the store keeps none.
  package init(
    _ stores: [Store], of benches: [Teller], jobs: Int, isShared: Bool, now: Int64 = 0,
    seed: UInt64, endLeases: ((inout Store, Int64) throws(Store.Failure) -> Void)? = nil
  ) {
    (self.stores, self.benches, self.jobs) = (stores, benches, jobs)
    (self.isShared, soon, self.endLeases) = (isShared, now + 300_000, endLeases)
    model = MemoryLedger(jobs: jobs, isShared: isShared, now: now)
    numbers = SeededGenerator(seed: seed)
  }

  /// What a store breaks of the contract within so many commands; empty: nothing.
  package mutating func faults(in commands: Int) throws(Store.Failure) -> [String] {
    for _ in 0..<commands {
      try runLeasesOut()
      try carryOutOne()
      // What follows from a fault is none of its own.
      guard faults.isEmpty else { break }
    }
    if faults.isEmpty, kinds.count < 3 || seen < commands / 20 {
      faults.append("Only \(seen) of \(kinds) happened.")
    }
    if faults.isEmpty, endLeases != nil, isShared, over == 0 {
      faults.append("No lease has run out.")
    }
    return faults
  }

  /// Now and then an hour passes while a job is claimed by a bench that asks before it binds.
  private mutating func runLeasesOut() throws(Store.Failure) {
    let claimed = model.jobs.count { job in
      if case .claimed(let claim) = job.state { claim.lease == .until(soon) } else { false }
    }
    guard let endLeases, claimed > 0, over == 0 || random(0...1) == 0 else { return }
    let hour: Int64 = 3_600_000
    over += claimed
    model.endLeases(earlierBy: hour)
    try endLeases(&stores[0], hour)
    try compareJobs(stores[0], [4, 0], "An hour passes")
  }

  private mutating func carryOutOne() throws(Store.Failure) {
    let job = random(1...jobs)
    let index = teller(of: job)
    let tag = [UInt8(4), UInt8(random(0...6))]
    let make = Ask(job: job, tag: tag, self, &numbers)
    var told = Event(
      .passed(job: job, tag: tag, setsAside: false), station: benches[index].station,
      reader: "sim", cause: ["lost", nil].randomElement(using: &numbers) ?? nil,
      text: "\(random(1...9)) “ü”", started: Int64(random(0...99)), duration: Int64(random(0...99)))
    told.tagType = ["ntag213", "ntag215", nil].randomElement(using: &numbers) ?? nil
    (told.run, told.steps) = (benches[index].run, "{\"write\":5}")
    let place = index % stores.count
    guard let standing = try stores[place].standing(ofJob: job) else {
      return faults.append("Job \(job) is missing.")
    }
    let name = benches[index].name
    let commands = make.commands(of: name, standing, soon)
    let wanted = model.perform(
      make.commands(of: name, model[job], soon), on: job, as: EventID(), telling: told)
    let decision = try stores[place].perform(commands, on: job, as: EventID(), telling: told)
    let what = "\(commands) on job \(job) at \(standing)"
    if outline(decision) != outline(wanted) {
      faults.append("\(what): it says \(decision), the rules say \(wanted).")
    }
    try compareEvents(stores[place], what)
    try compareJobs(stores[place], tag, what)
  }

  /// Mostly the bench that has the job.
  private mutating func teller(of job: Int) -> Int {
    let holder = benches.firstIndex { $0.name == model[job].bench }
    return random(0...3) == 0 ? random(0...1) : holder ?? random(0...1)
  }

  mutating func random(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &numbers)
  }

  /// All of a decision but the epochs, which each store counts for itself.
  private func outline(_ decision: LedgerDecision) -> String {
    guard case .changed(let steps) = decision else { return "\(decision)" }
    return steps.map { step in
      if case .happened(let event) = step {
        "\(event.what)"
      } else {
        "handed"
      }
    }.joined(separator: ", ")
  }

  private mutating func compareEvents(
    _ store: Store, _ what: String
  ) throws(Store.Failure) {
    let there = try store.events(after: last, limit: 99)
    let wanted = model.events(after: Int64(seen), limit: 99)
    if there.count != wanted.count {
      faults.append("\(what): \(there) in place of \(wanted).")
    }
    for (event, told) in zip(there, wanted) {
      var same = event
      // A store has its own names for these; whose a job is shows in where it stands.
      (same.number, same.epoch, same.recalled) = (told.number, told.epoch, told.recalled)
      (same.bench, same.run) = (told.bench, told.run)
      if same != told { faults.append("\(what): \(event), not \(told).") }
      if event.number <= last { faults.append("\(what): \(event) has an earlier number.") }
      (last, seen) = (event.number, seen + 1)
      kinds.insert(event.kind)
      scrap.take(event)
      guard let job = event.job else { continue }
      if !standings[job, default: JobStanding()].apply(event) {
        faults.append("\(what): \(event) contradicts what happened before.")
      }
    }
  }

  private mutating func compareJobs(
    _ store: Store, _ tag: [UInt8], _ what: String
  ) throws(Store.Failure) {
    for job in 1...jobs {
      let (there, wanted) = (try store.standing(ofJob: job), model[job])
      let told = standings[job] ?? JobStanding()
      if there?.state != wanted.state || isShared && there != wanted {
        faults.append("\(what): job \(job) is \(String(describing: there)), not \(wanted).")
      } else if let there, there.isPending ? !told.isPending : there != told {
        faults.append("\(what): job \(job) is \(there), and its events say \(told).")
      }
    }
    let conditions: [JobCondition] =
      [.onTag(tag), .failed] + (1...jobs).map { .holding(Ask.message($0).digest) }
    for condition in conditions
    where try store.jobs(where: condition) != model.jobs(where: condition) {
      faults.append("\(what): \(condition) finds \(try store.jobs(where: condition)).")
    }
    let isScrap = try store.isScrap(tag)
    if isScrap != model.isScrap(tag) || isScrap != scrap.contains(tag) {
      faults.append("\(what): tag \(tag) is \(isScrap ? "" : "not ")scrap.")
    }
  }

  /// Something that is asked of a job, in whichever epoch it is.
  private struct Ask {
    let job: Int
    let tag: [UInt8]
    private let kind: Int
    private let message: MessageFacts
    private let given: MessageFacts?
    private let flags: [Bool]
    private let isShared: Bool
    /// Now and then somebody comes with what he knew before.
    private let delay: Int64
    private let recalled: Int64

    init(
      job: Int, tag: [UInt8], _ contract: SeriesContract, _ numbers: inout SeededGenerator
    ) {
      (self.job, self.tag, isShared) = (job, tag, contract.isShared)
      // Each run begins with a claim that runs out.
      let isFirst = contract.isShared && contract.over == 0 && contract.endLeases != nil
      kind = isFirst ? 12 : Int.random(in: 0..<(contract.isShared ? 20 : 12), using: &numbers)
      message = Self.message(job)
      let other = Self.message(job + 9)
      given = [nil, message, other].randomElement(using: &numbers) ?? nil
      flags = (0..<3).map { _ in Bool.random(using: &numbers) }
      delay = Int.random(in: 0..<6, using: &numbers) == 0 ? 1 : 0
      recalled = Int64.random(in: -2...3, using: &numbers)
    }

    static func message(_ job: Int) -> MessageFacts {
      MessageFacts(
        digest: Array(repeating: UInt8(job), count: 32), length: 20 + job,
        uri: "https://example.com/\(job)", day: job % 2 == 0 ? "2026-11-26" : nil)
    }

    func commands(of name: String, _ standing: JobStanding, _ soon: Int64) -> [LedgerCommand] {
      let epoch = standing.epoch - delay
      let bound = standing.binding?.tag ?? tag
      let claim = LedgerCommand.claim(bench: name, until: soon)
      switch kind {
      case 0, 1, 2:
        return [claim, .bind(bench: name, epoch: epoch + 1, tag: tag, message: message)]
      case 3, 4:
        return [
          .finish(
            bench: name, epoch: epoch, tag: bound, digest: message.digest,
            TagLocks(isLocked: flags[0], isProtected: flags[1]))
        ]
      case 5: return [.hold(bench: name, epoch: epoch, tag: bound)]
      case 6:
        return [
          .giveBack(bench: name, epoch: epoch, tag: bound, isScrap: flags[0] && flags[1])
        ]
      case 7: return [.takeOver(bench: name, tag: flags[0] ? bound : tag, message: given)]
      case 8: return [.takeOver(bench: name, tag: bound, epoch: epoch)]
      case 9: return [claim, .refuse(bench: name, epoch: epoch + 1)]
      case 10: return [.release(whoeverWorks: flags[0], epoch: flags[1] ? epoch : nil)]
      case 11: return [.retry]
      case 12, 17, 18, 19: return [claim]
      case 13: return [.entrust(bench: name, epoch: epoch)]
      case 14: return [.bind(bench: name, epoch: epoch, tag: tag, message: message)]
      case 15: return [.letGo(bench: name, epoch: epoch)]
      default:
        return [
          .recall(
            bench: name, tag: flags[0] ? tag : bound, message: given, epoch: epoch + recalled)
        ]
      }
    }
  }
}
