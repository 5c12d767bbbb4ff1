@testable import Ledger

/// A tag's own memory: the truth that everything else is held to.
struct ModelTag: Hashable {
  /// The job whose message it holds.
  var content: Int?
  /// It was set aside, on an operator's word or because its bench has lost its job.
  var isAside = false
  /// Two benches say that it has another job: an operator decides.
  var isDoubtful = false

  var isUsed: Bool { !isAside && !isDoubtful }
}

/// Two benches, some tags, and the store between them.
struct World: Hashable {
  typealias Rules = @Sendable (JobStanding, LedgerCommand, Int, LedgerFacts) -> LedgerDecision

  var ledger: MemoryLedger
  var benches: [Bench]
  var tags: [ModelTag]
  /// How many times an operator may still give his word.
  var words: Int

  init(jobs: Int, tags: Int, words: Int) {
    ledger = MemoryLedger(jobs: jobs)
    benches = [Bench("A"), Bench("B")]
    self.tags = Array(repeating: ModelTag(), count: tags)
    self.words = words
  }

  static func uid(_ tag: Int) -> [UInt8] { [UInt8(tag)] }
  static func message(_ job: Int) -> [UInt8] { [UInt8(job)] }
  static let locks = TagLocks(isLocked: false, isProtected: false)
  static func tag(_ uid: [UInt8]) -> Int { Int(uid[0]) }

  var numbers: Range<Int> { 1..<ledger.jobs.count + 1 }

  /// Has the store carry a command out by `rules`.
  mutating func ask(
    _ command: LedgerCommand, _ job: Int, isLate: Bool = false, isAtWork: Bool = false,
    _ rules: @escaping Rules
  ) -> LedgerDecision {
    var facts = LedgerFacts()
    (facts.now, facts.isAtWork) = (isLate ? 1 : 0, isAtWork)
    if let (tag, digest) = command.binding {
      facts.jobOfTag = ledger.jobs(where: .onTag(tag)).first
      facts.jobOfMessage = ledger.jobs(where: .holding(digest)).first
      // An operator who sets a tag aside says so; a conflict is known to the store, too.
      facts.isTagScrap = !tags[Self.tag(tag)].isUsed
    }
    let decision = rules(ledger[job], command, job, facts)
    if case .changed(let steps) = decision {
      ledger.jobs[job - 1] = ledger[job].after(steps)
    }
    return decision
  }

  /// The same world with epochs as small numbers: 1 for a job's own, 0 for any that is over. They
  /// are compared for nothing else.
  var normalized: World {
    var world = self
    func small(_ job: Int, _ epoch: Int64) -> Int64 { epoch == ledger[job].epoch ? 1 : 0 }
    for job in numbers { world.ledger.jobs[job - 1].epoch = 1 }
    for index in benches.indices {
      if let hand = benches[index].hand {
        world.benches[index].hand?.epoch = small(hand.job, hand.epoch)
      }
      if let answer = benches[index].answer {
        world.benches[index].answer?.epoch = small(answer.job, answer.epoch)
      }
      for (place, entry) in benches[index].outbox.enumerated() {
        world.benches[index].outbox[place].epoch = small(entry.job, entry.epoch)
      }
    }
    return world
  }

  /// What is wrong here; nil: nothing.
  var fault: String? {
    for job in numbers {
      let holders = tags.filter { $0.content == job && $0.isUsed }
      if holders.count > 1 { return "job \(job) is on two tags" }
      if case .written(let binding, _) = ledger[job].state {
        let tag = tags[Self.tag(binding.tag)]
        if tag.content != job, !tag.isDoubtful {
          return "job \(job) is said to be on a tag that does not hold it"
        }
        if tag.isAside { return "the tag of job \(job) was set aside, and the job is not free" }
      }
    }
    let bound = ledger.jobs.compactMap(\.binding?.tag)
    if Set(bound).count < bound.count { return "a tag has two jobs" }
    return nil
  }

  /// Whether all jobs are on tags, no tag is left for one, or an operator is asked for who has
  /// given all his words.
  var isFinished: Bool {
    let left = ledger.jobs.count {
      if case .written = $0.state { false } else { true }
    }
    let written = ledger.jobs.count - left
    return left == 0 || tags.count(where: \.isUsed) - written < left
      || words == 0 && numbers.contains(where: isOperatorAsked)
  }

  /// Whether a job is on a tag that was set aside, or claimed by a bench that knows nothing of it.
  private func isOperatorAsked(_ job: Int) -> Bool {
    switch ledger[job].state {
    case .claimed(let claim):
      claim.lease == .entrusted
        && !benches.contains { $0.hand?.job == job || $0.answer?.job == job }
    case .bound(let binding), .held(let binding): !tags[Self.tag(binding.tag)].isUsed
    case .pending, .written, .failed: false
    }
  }
}
