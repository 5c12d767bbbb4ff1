/// Which job is on which tag, kept in memory: the rules without a disk. Stores decide as this does.
package struct MemoryLedger: Hashable, Sendable {
  package internal(set) var jobs: [JobStanding]
  /// Tags that are not to be used.
  package internal(set) var scrap: Set<[UInt8]> = []

  /// Jobs are numbered from 1.
  package init(jobs count: Int) { jobs = Array(repeating: JobStanding(), count: count) }

  package subscript(job: Int) -> JobStanding { jobs[job - 1] }

  /// The job that a tag has, or may have.
  package func job(ofTag tag: [UInt8]) -> Int? {
    jobs.firstIndex { $0.state.binding?.tag == tag }.map { $0 + 1 }
  }

  /// The job that has a message.
  package func job(ofMessage message: [UInt8]) -> Int? {
    jobs.firstIndex { $0.state.binding?.message == message }.map { $0 + 1 }
  }

  /// Carries a command out, as far as the rules let it. `isAtWork`: whether the bench that has the
  /// job in hand may be at work on it.
  package mutating func perform(
    _ command: LedgerCommand, on job: Int, now: Int64 = 0, isAtWork: Bool = false
  ) -> LedgerDecision {
    var facts = LedgerFacts()
    (facts.now, facts.isAtWork) = (now, isAtWork)
    if let (tag, message) = command.binding {
      (facts.jobOfTag, facts.jobOfMessage) = (self.job(ofTag: tag), self.job(ofMessage: message))
      facts.isTagScrap = scrap.contains(tag)
    }
    let decision = self[job].decide(command, on: job, facts)
    if case .changed(let standing, let scrapped) = decision { put(standing, scrapped, at: job) }
    return decision
  }

  private mutating func put(_ standing: JobStanding, _ scrapped: [UInt8]?, at job: Int) {
    jobs[job - 1] = standing
    if let scrapped { scrap.insert(scrapped) }
  }
}
