/// A series that is kept in memory: the rules without a disk. The other stores decide as it does.
package struct MemoryLedger: Hashable, Sendable {
  package internal(set) var jobs: [JobStanding]
  /// Tags that are not to be used.
  package internal(set) var scrap: Set<[UInt8]> = []
  package internal(set) var events: [Event] = []

  /// The store's clock in milliseconds.
  private var now: Int64

  /// Is true if several benches share it: then the message of a job stays what it is for as long as
  /// its tag has it, and a tag that was set aside gets none.
  private let isShared: Bool

  /// Jobs are numbered from 1.
  package init(jobs count: Int, isShared: Bool = true, now: Int64 = 0) {
    jobs = Array(repeating: JobStanding(), count: count)
    (self.isShared, self.now) = (isShared, now)
  }

  /// Every lease ends so many milliseconds earlier.
  package mutating func endLeases(earlierBy milliseconds: Int64) {
    for index in jobs.indices {
      guard case .claimed(var claim) = jobs[index].state, case .until(let end) = claim.lease
      else { continue }
      claim.lease = .until(end - milliseconds)
      jobs[index].state = .claimed(claim)
    }
  }

  package subscript(job: Int) -> JobStanding { jobs[job - 1] }

  /// Carries commands out, as far as the rules let them. `isAtWork`: whether the bench that has the
  /// job in hand may be at work on it.
  package mutating func perform(
    _ commands: LedgerCommand..., on job: Int, now: Int64 = 0, isAtWork: Bool = false,
    telling told: Event = Event(.passed(job: nil, tag: nil, setsAside: false), started: 0)
  ) -> LedgerDecision {
    perform(commands, on: job, now: now, isAtWork: isAtWork, telling: told)
  }

  private mutating func perform(
    _ commands: [LedgerCommand], on job: Int, now: Int64, isAtWork: Bool, telling told: Event
  ) -> LedgerDecision {
    var facts = LedgerFacts()
    (facts.now, facts.isAtWork, facts.keepsMessages) = (now, isAtWork, isShared)
    if let (tag, digest) = commands.compactMap(\.binding).last {
      facts.jobOfTag = jobs(where: .onTag(tag)).first
      facts.jobOfMessage = jobs(where: .holding(digest)).first
      facts.isTagScrap = isShared && isScrap(tag)
    }
    let decision = self[job].decide(commands, on: job, facts)
    guard case .changed(let steps) = decision else { return decision }
    for (index, step) in steps.enumerated() {
      switch step {
      case .handed(let next): jobs[job - 1] = next
      case .happened(let what):
        var event = what.told(as: index == steps.count - 1 ? told : told.before(commands))
        event.number = Int64(events.count + 1)
        _ = jobs[job - 1].apply(event)
        scrap.take(event)
        events.append(event)
      }
    }
    return decision
  }
}

extension MemoryLedger: SeriesStore {
  package typealias Failure = Never

  package mutating func perform(
    _ commands: [LedgerCommand], on job: Int, as id: EventID, telling told: Event
  ) -> LedgerDecision {
    perform(commands, on: job, now: now, isAtWork: false, telling: told)
  }

  package func standing(ofJob number: Int) -> JobStanding? {
    jobs.indices.contains(number - 1) ? self[number] : nil
  }

  package func jobs(where condition: JobCondition) -> [Int] {
    jobs.indices.map { $0 + 1 }.filter { job in
      switch condition {
      case .onTag(let tag): self[job].binding?.tag == tag
      case .holding(let digest): self[job].binding?.message.digest == digest
      case .failed: self[job].state == .failed
      }
    }
  }

  package func events(after number: Int64, limit: Int) -> [Event] {
    Array(events.lazy.filter { $0.number > number }.prefix(limit))
  }

  package func isScrap(_ tag: [UInt8]) -> Bool { scrap.contains(tag) }
}

extension Set<[UInt8]> {
  /// Tags that are not to be used, by what happened: one that was set aside, until it gets a job.
  package mutating func take(_ event: Event) {
    guard let tag = event.tag else { return }
    if event.what.setsAside {
      insert(tag)
    } else if case .reserved = event.what {
      remove(tag)
    }
  }
}
