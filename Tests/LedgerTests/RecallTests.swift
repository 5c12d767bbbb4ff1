import Testing

@testable import Ledger

/// A job that went from bench to bench: each but the last had to give it up without hearing of it,
/// and still believes that its tag has the job.
struct JobHistory {
  /// What a bench does with the job, which another one had before.
  struct Step: Hashable {
    /// Whether it finishes its tag.
    let isWritten: Bool
    let tag: Tag
  }

  /// Which tag a bench has the job on.
  enum Tag: CaseIterable {
    case other
    /// It goes on with the last one's.
    case same
    /// The last one's, which was given back first, with another message.
    case sameAgain
  }

  /// What a bench remembers.
  struct Word: Hashable {
    let bench: String
    let tag: [UInt8]
    let message: [UInt8]
    let epoch: Int64
    let isWritten: Bool
    /// How much had happened then.
    let moment: Int
  }

  private(set) var ledger = MemoryLedger(jobs: 1)
  /// The store after each thing that happened: a backup may be any of them.
  private(set) var copies: [MemoryLedger] = []
  private(set) var words: [Word] = []

  /// By bench.
  init(_ steps: [Step]) {
    copies = [ledger]
    for (index, step) in steps.enumerated() { hand(index, step) }
  }

  /// All that three benches can do.
  static let all: [JobHistory] = {
    var histories: [[Step]] = [[]]
    for index in 0..<3 {
      let tags = index > 0 ? Tag.allCases : [.other]
      histories = histories.flatMap { steps in
        tags.flatMap { tag in
          [false, true].map { steps + [Step(isWritten: $0, tag: tag)] }
        }
      }
    }
    return histories.map { JobHistory($0) }
  }()

  private mutating func act(_ command: LedgerCommand) {
    // Each step of a history has to be one that the rules allow.
    let decision = ledger.perform(command, on: 1)
    guard case .changed = decision else {
      Issue.record("\(command): \(decision)")
      return
    }
    copies.append(ledger)
  }

  private mutating func hand(_ index: Int, _ step: Step) {
    let bench = String("ABC"[index])
    if step.tag == .same, let last = ledger[1].binding {
      act(.takeOver(bench: bench, tag: last.tag))
    } else {
      let tag = step.tag == .other ? [UInt8(index)] : giveBack()
      if step.tag == .other, index > 0 { release() }
      act(.claim(bench: bench, until: 0))
      act(
        .bind(
          bench: bench, epoch: ledger[1].epoch, tag: tag, message: .init(digest: [UInt8(index)])))
    }
    let epoch = ledger[1].epoch
    guard let binding = ledger[1].binding else { return }
    let (tag, message) = (binding.tag, binding.message.digest)
    if step.isWritten {
      act(.finish(bench: bench, epoch: epoch, tag: tag, digest: message, World.locks))
    }
    words.append(
      Word(
        bench: bench, tag: tag, message: message, epoch: epoch, isWritten: step.isWritten,
        moment: copies.count - 1))
  }

  /// Another bench has read that the tag does not hold the job. Which tag it is.
  private mutating func giveBack() -> [UInt8] {
    guard let tag = ledger[1].binding?.tag else { return [] }
    act(.takeOver(bench: "other", tag: tag))
    act(.giveBack(bench: "other", epoch: ledger[1].epoch, tag: tag, isScrap: false))
    return tag
  }

  /// An operator's word; a finished tag is first written once more, which fails.
  private mutating func release() {
    if case .written(let binding, _) = ledger[1].state {
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
  typealias Rule = @Sendable (JobStanding, JobHistory.Word, LedgerFacts) -> LedgerDecision

  static let rule: Rule = {
    $0.decide(
      .recall(
        bench: $1.bench, tag: $1.tag, message: MessageFacts(digest: $1.message),
        epoch: $1.epoch), on: 1, $2)
  }

  /// A restored store, and the tags that people were told to set aside.
  struct Restored {
    var ledger: MemoryLedger
    var named: Set<[UInt8]> = []

    /// As a bench tells again what the store has forgotten. `isCutShort`: it dies behind the first
    /// thing that it says.
    mutating func hear(_ word: JobHistory.Word, _ rule: Rule, isCutShort: Bool = false) {
      var facts = LedgerFacts()
      facts.isTagScrap = ledger.scrap.contains(word.tag)
      switch rule(ledger[1], word, facts) {
      case .refused(.superseded): return
      case .refused: named.insert(word.tag)
      case .done: break
      case let decision:
        if case .changed(let steps) = decision { ledger.jobs[0] = ledger[1].after(steps) }
        if let scrap = decision.setAside {
          ledger.scrap.insert(scrap)
          named.insert(scrap)
        }
      }
      guard !isCutShort else { return }
      let epoch = ledger[1].epoch
      if case .claimed = ledger[1].state {
        let bind = LedgerCommand.bind(
          bench: word.bench, epoch: epoch, tag: word.tag,
          message: MessageFacts(digest: word.message))
        guard case .changed = ledger.perform(bind, on: 1) else {
          named.insert(word.tag)
          _ = ledger.perform(.letGo(bench: word.bench, epoch: epoch), on: 1)
          return
        }
      }
      guard ledger[1].binding?.tag == word.tag else { return }
      _ = ledger.perform(
        word.isWritten
          ? .finish(
            bench: word.bench, epoch: epoch, tag: word.tag, digest: word.message, World.locks)
          : .hold(bench: word.bench, epoch: epoch, tag: word.tag), on: 1)
    }
  }

  /// Every history, every backup of it, and every order in which the benches that the store has
  /// forgotten start again.
  static func all(_ look: (JobHistory, Restored, [JobHistory.Word]) -> Void) {
    for history in JobHistory.all {
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

  /// What is wrong first; nil: nothing. `before`: what happens to the restored store before the
  /// benches tell it.
  private func fault(
    _ rule: Rule,
    before: (inout Restored, [JobHistory.Word]) -> Void = { _, _ in }
  ) -> String? {
    var (fault, count): (String?, Int) = (nil, 0)
    Self.all { history, restored, order in
      var restored = restored
      before(&restored, order)
      for word in order { restored.hear(word, rule) }
      count += 1
      let standing = restored.ledger[1]
      let last = order.max { $0.moment < $1.moment }
      guard fault == nil, let last else { return }
      let binding = standing.binding
      if binding?.tag != last.tag || binding?.message.digest != last.message
        || standing.isWritten != last.isWritten
      {
        fault = "\(order): \(standing)"
      } else if restored.named.contains(last.tag) {
        fault = "\(order): the job's tag is set aside"
      } else if standing.recalled ?? standing.epoch != last.epoch {
        fault = "\(order): the next word is compared with \(standing)"
      }
    }
    #expect(count > 1500)
    return fault
  }

  @Test("the last word counts, in whichever order they are said, and whatever the backup had")
  func lastWord() {
    #expect(fault(Self.rule) == nil)
  }

  @Test("must be compared by the epochs that the benches had")
  func ownEpochs() {
    let found = fault { standing, word, facts in
      let decision = Self.rule(standing, word, facts)
      guard case .changed(let steps) = decision else { return decision }
      let end = JobStanding(standing.after(steps).state, epoch: standing.epoch + 1)
      return .changed(steps + [.handed(end)])
    }
    #expect(found != nil)
  }

  /// A bench that knows nothing of the job claims it so often, and gives it back but for the last
  /// time.
  private static func claim(_ count: Int, _ restored: inout Restored, keeping: Bool) {
    for number in 1...count {
      _ = restored.ledger.perform(.claim(bench: "N", until: 0), on: 1)
      guard !keeping || number < count else { return }
      let epoch = restored.ledger[1].epoch
      _ = restored.ledger.perform(.letGo(bench: "N", epoch: epoch), on: 1)
    }
  }

  @Test("the last word counts also where others claimed the job meanwhile", arguments: 1...4)
  func claimedMeanwhile(count: Int) {
    for keeping in [false, true] {
      let fault = fault(Self.rule) { restored, _ in
        Self.claim(count, &restored, keeping: keeping)
      }
      #expect(fault == nil)
    }
  }

  @Test("must be compared with what the benches said, and not with claims that came in between")
  func ownWords() {
    let forgetful: Rule = { Self.rule(JobStanding($0.state, epoch: $0.epoch), $1, $2) }
    let found = fault(forgetful) { restored, _ in
      Self.claim(4, &restored, keeping: false)
    }
    #expect(found != nil)
  }

  @Test("the last word counts also where benches die as they say theirs, and say it again")
  func cutShort() {
    for index in 0..<3 {
      for claims in 0...2 {
        let fault = fault(Self.rule) { restored, order in
          if claims > 0 { Self.claim(claims, &restored, keeping: false) }
          guard order.indices.contains(index) else { return }
          restored.hear(order[index], Self.rule, isCutShort: true)
        }
        #expect(fault == nil)
      }
    }
  }

  @Test("no second tag that may hold a job stays unnamed, also where others claimed it meanwhile")
  func namedTags() {
    for claims in 1...4 {
      Self.all { history, restored, order in
        var restored = restored
        Self.claim(claims, &restored, keeping: false)
        for word in order { restored.hear(word, Self.rule) }
        let tag = restored.ledger[1].binding?.tag
        for word in order {
          #expect(word.tag == tag || restored.named.contains(word.tag), "\(order)")
        }
      }
    }
  }

  @Test("no second tag that may hold a job stays unnamed, also where it got a tag meanwhile")
  func boundMeanwhile() {
    for (claims, isWritten) in [(1, true), (2, false), (4, true), (5, false)] {
      Self.all { history, restored, order in
        var (restored, tag) = (restored, [UInt8(9)])
        Self.claim(claims, &restored, keeping: true)
        let epoch = restored.ledger[1].epoch
        let bind = LedgerCommand.bind(
          bench: "N", epoch: epoch, tag: tag, message: .init(digest: [1]))
        var isBound = false
        if case .changed = restored.ledger.perform(bind, on: 1) { isBound = true }
        if isBound, isWritten {
          _ = restored.ledger.perform(
            .finish(bench: "N", epoch: epoch, tag: tag, digest: [1], World.locks), on: 1)
        }
        var tags = Set(order.map(\.tag))
        if isBound, isWritten { tags.insert(tag) }
        for word in order { restored.hear(word, Self.rule) }
        tag = restored.ledger[1].binding?.tag ?? []
        #expect(tags.subtracting(restored.named).subtracting([tag]) == [], "\(order)")
      }
    }
  }

  @Test("a job comes back by steps that each let it change hands once")
  func steps() {
    let binding = Binding(bench: "A", tag: [1], message: MessageFacts(digest: [1]))
    let states: [JobState] = [
      .pending, .failed, .claimed(Claim(bench: "A", lease: .until(0))),
      .claimed(Claim(bench: "B", lease: .entrusted)), .bound(binding), .held(binding),
      .written(binding, World.locks),
    ]
    let tags: [[UInt8]] = [[1], [2]]
    let messages = [[1], [2], nil].map { $0.map { MessageFacts(digest: $0) } }
    for state in states {
      for (tag, message) in tags.flatMap({ tag in messages.map { (tag, $0) } }) {
        let start = JobStanding(state, epoch: 3)
        let command = LedgerCommand.recall(bench: "B", tag: tag, message: message, epoch: 7)
        guard case .changed(let steps) = start.decide(command, on: 1, LedgerFacts()) else {
          Issue.record("\(state)")
          continue
        }
        let end = start.after(steps)
        #expect(end.epoch == 7 && end.bench == "B")
        if let message {
          #expect(end.state == .bound(Binding(bench: "B", tag: tag, message: message)))
        }
        var last = start
        for step in steps {
          let standing = last.after([step])
          #expect(standing != last)
          #expect(standing.epoch > last.epoch || standing.bench == last.bench)
          last = standing
        }
        #expect(last == end)
      }
    }
  }

  @Test("a job that a bench still has to put on its tag is not taken from it by an earlier word")
  func earlierWord() {
    let claim = JobState.claimed(Claim(bench: "B", lease: .entrusted))
    let standing = JobStanding(claim, epoch: 9, recalled: 7)
    for (epoch, isLater) in [(5, false), (7, false), (8, true)] as [(Int64, Bool)] {
      let message = MessageFacts(digest: [1])
      let command = LedgerCommand.recall(bench: "A", tag: [1], message: message, epoch: epoch)
      let decision = standing.decide(command, on: 1, LedgerFacts())
      guard case .changed(let steps) = decision else {
        #expect(!isLater && decision == .refused(.fenced))
        continue
      }
      let binding = Binding(bench: "A", tag: [1], message: message)
      #expect(isLater)
      #expect(standing.after(steps) == JobStanding(.bound(binding), epoch: 11, recalled: 8))
    }
  }
}
