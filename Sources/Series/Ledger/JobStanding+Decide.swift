extension JobStanding {
  /// The rules: what a command makes of the job with this number.
  ///
  /// | command   | from                                    | to                            |
  /// | --------- | --------------------------------------- | ----------------------------- |
  /// | claim     | pending; claimed, its lease run out     | claimed, a new epoch          |
  /// | renew     | claimed                                 | claimed                       |
  /// | entrust   | claimed, its lease in force             | claimed, entrusted            |
  /// | letGo     | claimed                                 | pending, a new epoch          |
  /// | bind      | claimed, entrusted or lease in force    | bound                         |
  /// | finish    | bound, held                             | written                       |
  /// | hold      | bound                                   | held                          |
  /// | giveBack  | bound, held                             | pending, a new epoch          |
  /// | refuse    | claimed                                 | failed, a new epoch           |
  /// | takeOver  | bound, held, written; the same tag      | bound, a new epoch            |
  /// | release   | claimed, bound, held                    | pending, a new epoch          |
  /// | retry     | failed                                  | pending, a new epoch          |
  /// | recall    | any                                     | see `decideRecall`            |
  ///
  /// Time alone changes nothing that is bound: `claim` is the only one that looks at a lease to
  /// take a job from another bench, and a job that is bound has none.
  package func decide(_ command: LedgerCommand, on job: Int, _ facts: LedgerFacts)
    -> LedgerDecision
  {
    switch command {
    case .claim(let bench, let until):
      guard isFree(facts.now) else { return .refused(.inUse) }
      return .changed(next(.claimed(Claim(bench: bench, lease: .until(until)))))
    case .renew(let bench, let epoch, let until):
      return withClaim(bench, epoch) { claim in
        guard case .until = claim.lease else { return .done }
        return .changed(same(.claimed(Claim(bench: bench, lease: .until(until)))))
      }
    case .entrust(let bench, let epoch):
      return withClaim(bench, epoch) { claim in
        guard claim.lease != .entrusted else { return .done }
        guard claim.lease.isInForce(facts.now) else { return .refused(.leaseOver) }
        return .changed(same(.claimed(Claim(bench: bench, lease: .entrusted))))
      }
    case .letGo(let bench, let epoch):
      return withClaim(bench, epoch) { _ in .changed(next(.pending)) }
    case .refuse(let bench, let epoch):
      return withClaim(bench, epoch) { _ in .changed(next(.failed)) }
    case .bind(let bench, let epoch, let tag, let message):
      let binding = Binding(bench: bench, tag: tag, message: message)
      if state == .bound(binding), epoch == self.epoch { return .done }
      // The tag was read at another bench before the first was heard.
      if state.binding?.tag == tag { return .refused(.superseded) }
      return withClaim(bench, epoch) { claim in
        guard claim.lease.isInForce(facts.now) else { return .refused(.leaseOver) }
        if let refusal = facts.refusal(of: job) { return .refused(refusal) }
        return .changed(same(.bound(binding)))
      }
    case .takeOver, .release, .retry: return decideAnew(command, facts)
    case .finish, .hold, .giveBack: return decideBound(command)
    case .recall(let bench, let tag, let message, let epoch):
      return decideRecall(
        bench, tag, message, epoch, isTagFree: facts.refusal(of: job) == nil)
    }
  }

  /// What the bench that has bound the job says of its tag.
  private func decideBound(_ command: LedgerCommand) -> LedgerDecision {
    switch command {
    case .finish(let bench, let epoch, let tag, let message):
      return withBinding(bench, epoch, tag) { binding in
        guard binding.message == message else { return .refused(.otherMessage) }
        if case .written = state { return .done }
        return .changed(same(.written(binding)))
      }
    case .hold(let bench, let epoch, let tag):
      return withBinding(bench, epoch, tag) { binding in
        guard case .bound = state else { return .done }
        return .changed(same(.held(binding)))
      }
    case .giveBack(let bench, let epoch, let tag, let isScrap):
      // Who says that a tag does not hold a job that is not his any more says nothing new.
      guard state.binding?.bench == bench, epoch == self.epoch else { return .refused(.superseded) }
      return withBinding(bench, epoch, tag) { binding in
        if case .written = state { return .refused(.notSo) }
        return .changed(next(.pending), scrap: isScrap ? binding.tag : nil)
      }
    default: return .refused(.notSo)
    }
  }

  /// What gives a job to other hands.
  private func decideAnew(_ command: LedgerCommand, _ facts: LedgerFacts) -> LedgerDecision {
    switch command {
    case .takeOver(_, _, let epoch?) where epoch != self.epoch,
      .release(_, let epoch?) where epoch != self.epoch:
      return .refused(.superseded)
    default: break
    }
    switch (command, state) {
    case (.takeOver(let bench, let tag, _), .bound(let binding)):
      guard binding.tag == tag else { return .refused(.otherTag) }
      guard !facts.isAtWork || binding.bench == bench else { return .refused(.inUse) }
      return .changed(next(.bound(Binding(bench: bench, tag: tag, message: binding.message))))
    case (.takeOver(let bench, let tag, _), .held(let binding)),
      (.takeOver(let bench, let tag, _), .written(let binding)):
      guard binding.tag == tag else { return .refused(.otherTag) }
      return .changed(next(.bound(Binding(bench: bench, tag: tag, message: binding.message))))
    case (.release(let whoeverWorks, _), .claimed), (.release(let whoeverWorks, _), .bound):
      guard whoeverWorks || !facts.isAtWork else { return .refused(.inUse) }
      return .changed(next(.pending), scrap: state.binding?.tag)
    case (.release, .held(let binding)): return .changed(next(.pending), scrap: binding.tag)
    case (.retry, .failed): return .changed(next(.pending))
    default: return .refused(.notSo)
    }
  }

  /// Whether a bench may claim the job.
  private func isFree(_ now: Int64) -> Bool {
    switch state {
    case .pending: true
    case .claimed(let claim): !claim.lease.isInForce(now)
    case .bound, .held, .written, .failed: false
    }
  }

  /// What is decided where the bench has a claim on the job in this epoch.
  private func withClaim(
    _ bench: String, _ epoch: Int64, _ decide: (Claim) -> LedgerDecision
  ) -> LedgerDecision {
    guard case .claimed(let claim) = state, claim.bench == bench, epoch == self.epoch else {
      return .refused(.fenced)
    }
    return decide(claim)
  }

  /// What is decided where the bench has bound the job to this tag in this epoch.
  private func withBinding(
    _ bench: String, _ epoch: Int64, _ tag: [UInt8], _ decide: (Binding) -> LedgerDecision
  ) -> LedgerDecision {
    guard let binding = state.binding, binding.tag == tag else { return .refused(.fenced) }
    guard binding.bench == bench, epoch == self.epoch else { return .refused(.superseded) }
    return decide(binding)
  }

  private func same(_ state: JobState) -> JobStanding {
    JobStanding(state, epoch: epoch, recalled: recalled)
  }

  /// The job changes hands.
  private func next(_ state: JobState) -> JobStanding { JobStanding(state, epoch: epoch + 1) }
}

extension Lease {
  /// Whether the claim still holds when the store's clock shows `now`.
  package func isInForce(_ now: Int64) -> Bool {
    switch self {
    case .until(let end): now <= end
    case .entrusted: true
    }
  }
}
