import Testing

@testable import Ledger

/// A job that went from bench to bench: each but the last had to give it up without hearing of it,
/// and still believes that its tag has the job.
struct JobHistory {
  /// What a bench remembers.
  struct Word: Hashable {
    let bench: String
    let tag: [UInt8]
    let epoch: Int64
    let isWritten: Bool
    /// How much had happened then.
    let moment: Int
  }

  private(set) var ledger = MemoryLedger(jobs: 1)
  /// The store after each thing that happened: a backup may be any of them.
  private(set) var copies: [MemoryLedger] = []
  private(set) var words: [Word] = []

  /// `isWritten`: of each bench, whether it finished its tag.
  init(_ isWritten: [Bool]) {
    copies = [ledger]
    for (index, isWritten) in isWritten.enumerated() {
      if index > 0 { release() }
      hand(index, isWritten)
    }
  }

  private mutating func act(_ command: LedgerCommand) {
    // Each step of a history has to be one that the rules allow.
    let decision = ledger.perform(command, on: 1)
    guard case .changed = decision else {
      Issue.record("\(command): \(decision)")
      return
    }
    copies.append(ledger)
  }

  private mutating func hand(_ index: Int, _ isWritten: Bool) {
    let (bench, tag) = (String("ABC"[index]), [UInt8(index)])
    act(.claim(bench: bench, until: 0))
    let epoch = ledger[1].epoch
    act(.bind(bench: bench, epoch: epoch, tag: tag, message: [1]))
    if isWritten { act(.finish(bench: bench, epoch: epoch, tag: tag, message: [1])) }
    words.append(
      Word(bench: bench, tag: tag, epoch: epoch, isWritten: isWritten, moment: copies.count - 1))
  }

  /// An operator's word; a finished tag is first written once more, which fails.
  private mutating func release() {
    if case .written(let binding) = ledger[1].state {
      act(.takeOver(bench: "other", tag: binding.tag))
    }
    act(.release(whoeverWorks: true))
  }
}

extension String {
  fileprivate subscript(index: Int) -> Character { self[self.index(startIndex, offsetBy: index)] }
}

@Suite("What benches say of one job to a store that was restored from an older copy")
struct RecallTests {
  typealias Rule = @Sendable (JobStanding, JobHistory.Word) -> LedgerDecision

  static let rule: Rule = {
    $0.decide(.recall(bench: $1.bench, tag: $1.tag, epoch: $1.epoch), on: 1, LedgerFacts())
  }

  /// A restored store, and the tags that people were told to set aside.
  struct Restored {
    var ledger: MemoryLedger
    var named: Set<[UInt8]> = []

    /// As a bench tells again what the store has forgotten.
    mutating func hear(_ word: JobHistory.Word, _ rule: Rule) {
      let decision = rule(ledger[1], word)
      switch decision {
      case .refused(.superseded): return
      case .refused: named.insert(word.tag)
      case .done: break
      case .changed(let standing, let scrap):
        ledger.jobs[0] = standing
        if let scrap {
          ledger.scrap.insert(scrap)
          named.insert(scrap)
        }
      }
      let epoch = ledger[1].epoch
      if case .claimed = ledger[1].state {
        let bind = LedgerCommand.bind(
          bench: word.bench, epoch: epoch, tag: word.tag, message: [1])
        guard case .changed = ledger.perform(bind, on: 1) else {
          named.insert(word.tag)
          return
        }
      }
      guard ledger[1].state.binding?.tag == word.tag else { return }
      _ = ledger.perform(
        word.isWritten
          ? .finish(bench: word.bench, epoch: epoch, tag: word.tag, message: [1])
          : .hold(bench: word.bench, epoch: epoch, tag: word.tag), on: 1)
    }
  }

  /// Every history, every backup of it, and every order in which the benches that the store has
  /// forgotten start again.
  static func all(_ look: (JobHistory, Restored, [JobHistory.Word]) -> Void) {
    for number in 0..<8 {
      let history = JobHistory((0..<3).map { number >> $0 & 1 == 1 })
      for (moment, copy) in history.copies.enumerated() {
        let forgotten = history.words.filter { $0.moment > moment }
        for order in orders(forgotten) { look(history, Restored(ledger: copy), order) }
      }
    }
  }

  private static func orders(_ words: [JobHistory.Word]) -> [[JobHistory.Word]] {
    guard !words.isEmpty else { return [[]] }
    return words.indices.flatMap { index in
      var rest = words
      let first = rest.remove(at: index)
      return orders(rest).map { [first] + $0 }
    }
  }

  /// What is wrong first; nil: nothing.
  private func fault(_ rule: Rule) -> String? {
    var (fault, count): (String?, Int) = (nil, 0)
    Self.all { history, restored, order in
      var restored = restored
      for word in order { restored.hear(word, rule) }
      count += 1
      let standing = restored.ledger[1]
      let last = order.max { $0.moment < $1.moment }
      guard fault == nil, let last else { return }
      if standing.state.binding?.tag != last.tag || standing.isWritten != last.isWritten {
        fault = "\(order): \(standing)"
      } else if restored.named.contains(last.tag) {
        fault = "\(order): the job's tag is set aside"
      } else if standing.epoch != last.epoch {
        fault = "\(order): the epoch is \(standing.epoch)"
      }
    }
    #expect(count > 150)
    return fault
  }

  @Test("the last word counts, in whichever order they are said, and whatever the backup had")
  func lastWord() {
    #expect(fault(Self.rule) == nil)
  }

  @Test("must be compared by the epochs that the benches had")
  func ownEpochs() {
    let found = fault { standing, word in
      guard case .changed(let next, let scrap) = Self.rule(standing, word) else {
        return Self.rule(standing, word)
      }
      return .changed(JobStanding(next.state, epoch: standing.epoch + 1), scrap: scrap)
    }
    #expect(found != nil)
  }

  @Test("no second tag that may hold a job stays unnamed, also where others claimed it meanwhile")
  func claimedMeanwhile() {
    for claims in 1...4 {
      Self.all { history, restored, order in
        var restored = restored
        for _ in 1...claims {
          _ = restored.ledger.perform(.claim(bench: "N", until: 0), on: 1)
          let epoch = restored.ledger[1].epoch
          _ = restored.ledger.perform(.letGo(bench: "N", epoch: epoch), on: 1)
        }
        for word in order { restored.hear(word, Self.rule) }
        let tag = restored.ledger[1].state.binding?.tag
        for word in order {
          #expect(word.tag == tag || restored.named.contains(word.tag), "\(order)")
        }
      }
    }
  }

  @Test("a job comes back by steps that each let it change hands once")
  func steps() {
    let binding = Binding(bench: "A", tag: [1], message: [1])
    let states: [JobState] = [
      .pending, .failed, .claimed(Claim(bench: "A", lease: .until(0))),
      .claimed(Claim(bench: "B", lease: .entrusted)), .bound(binding), .held(binding),
      .written(binding),
    ]
    let tags: [[UInt8]] = [[1], [2]]
    for (state, tag) in states.flatMap({ state in tags.map { (state, $0) } }) {
      let start = JobStanding(state, epoch: 3)
      let command = LedgerCommand.recall(bench: "B", tag: tag, epoch: 7)
      guard case .changed(let end, _) = start.decide(command, on: 1, LedgerFacts()) else {
        Issue.record("\(state)")
        continue
      }
      #expect(end.epoch == 7 && end.state.bench == "B")
      var last = start
      for (standing, _) in start.wayBack(to: end) {
        #expect(standing.epoch > last.epoch || standing.state.bench == last.state.bench)
        last = standing
      }
      #expect(last == end)
    }
  }
}
