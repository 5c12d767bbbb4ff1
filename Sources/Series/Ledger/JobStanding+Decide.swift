extension JobStanding {
  /// The rules: what a command makes of the job with this number. Whatever happens to a job by it
  /// is an event, and `apply` says where that brings the job.
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
  /// | confirm   | bound, held, written; the same tag      | what it was                   |
  ///
  /// Time alone changes nothing that is bound: `claim` is the only one that looks at a lease to
  /// take a job from another bench, and a job that is bound has none.
  package func decide(_ command: LedgerCommand, on job: Int, _ facts: LedgerFacts)
    -> LedgerDecision
  {
    if let known = command.epoch, known > epoch { return .refused(.forgotten) }
    switch command {
    case .claim(let bench, let until):
      guard isFree(facts.now) else { return .refused(.inUse) }
      return handed(.claimed(Claim(bench: bench, lease: .until(until))), epoch + 1)
    case .renew(let bench, let epoch, let until):
      return withClaim(bench, epoch) { claim in
        guard case .until = claim.lease else { return .done }
        return handed(.claimed(Claim(bench: bench, lease: .until(until))), epoch)
      }
    case .entrust(let bench, let epoch):
      return withClaim(bench, epoch) { claim in
        guard claim.lease != .entrusted else { return .done }
        guard claim.lease.isInForce(facts.now) else { return .refused(.leaseOver) }
        return handed(.claimed(Claim(bench: bench, lease: .entrusted)), epoch)
      }
    case .letGo(let bench, let epoch):
      return withClaim(bench, epoch) { _ in handed(.pending, epoch + 1) }
    case .refuse(let bench, let epoch):
      return withClaim(bench, epoch) { _ in happens(.refused(job: job), bench, epoch + 1) }
    case .bind(let bench, let epoch, let tag, let message):
      if case .bound(let known) = state, known.bench == bench, known.tag == tag,
        known.message.digest == message.digest, epoch == self.epoch
      {
        return .done
      }
      // The tag was read at another bench before the first was heard.
      if binding?.tag == tag { return .refused(.superseded) }
      return withClaim(bench, epoch) { claim in
        guard claim.lease.isInForce(facts.now) else { return .refused(.leaseOver) }
        if let refusal = facts.refusal(of: job) { return .refused(refusal) }
        return happens(.reserved(job: job, tag: tag, message), bench, epoch)
      }
    case .takeOver, .release, .retry: return decideAnew(command, on: job, facts)
    case .finish, .hold, .giveBack: return decideBound(command, on: job)
    case .recall(let bench, let tag, let message, let epoch):
      return decideRecall(
        of: job, bench, tag, message, epoch, isTagFree: facts.refusal(of: job) == nil)
    case .confirm(let bench, let tag):
      return binding?.bench == bench && binding?.tag == tag ? .done : .refused(.superseded)
    }
  }

  /// Returns what commands make of the job, one after the other: all of it, or the first refusal.
  /// Behind one that finds it out, they are said in the epoch that the job has then, and a tag that
  /// has got the job by that one gets it no second time.
  package func decide(
    _ commands: [LedgerCommand], on job: Int, _ facts: LedgerFacts
  ) -> LedgerDecision {
    var (steps, findsEpoch): ([JobStep], Bool) = ([], false)
    for command in commands {
      let standing = after(steps)
      if findsEpoch, let tag = command.binding?.tag, standing.binding?.tag == tag { continue }
      let next = findsEpoch ? command.said(in: standing.epoch) : command
      findsEpoch = findsEpoch || command.findsEpoch
      switch standing.decide(next, on: job, facts) {
      case .changed(let next): steps += next
      case .done: continue
      case .refused(let refusal): return .refused(refusal)
      }
    }
    return steps.isEmpty ? .done : .changed(steps)
  }

  /// What the bench that has bound the job says of its tag.
  private func decideBound(_ command: LedgerCommand, on job: Int) -> LedgerDecision {
    switch command {
    case .finish(let bench, let epoch, let tag, let digest, let locks):
      return withBinding(bench, epoch, tag) { binding in
        guard binding.message.digest == digest else { return .refused(.otherMessage) }
        if isWritten { return .done }
        return happens(.written(job: job, tag: tag, digest: digest, locks), bench, epoch)
      }
    case .hold(let bench, let epoch, let tag):
      return withBinding(bench, epoch, tag) { _ in
        guard case .bound = state else { return .done }
        return happens(.held(job: job, tag: tag), bench, epoch)
      }
    case .giveBack(let bench, let epoch, let tag, let isScrap):
      // Who says that a tag does not hold a job that is not his any more says nothing new.
      guard binding?.bench == bench, epoch == self.epoch else { return .refused(.superseded) }
      return withBinding(bench, epoch, tag) { _ in
        if isWritten { return .refused(.notSo) }
        return happens(.returned(job: job, tag: tag, setsAside: isScrap), bench, epoch + 1)
      }
    default: return .refused(.notSo)
    }
  }

  /// Returns what gives a job to other hands.
  private func decideAnew(
    _ command: LedgerCommand, on job: Int, _ facts: LedgerFacts
  ) -> LedgerDecision {
    switch command {
    case .takeOver(_, _, _, let epoch?) where epoch != self.epoch,
      .release(_, let epoch?) where epoch != self.epoch:
      return .refused(.superseded)
    default: break
    }
    switch (command, state) {
    case (.takeOver(let bench, let tag, let message, _), _):
      guard let binding else { return .refused(.notSo) }
      guard binding.tag == tag else { return .refused(.otherTag) }
      if case .bound = state, facts.isAtWork, binding.bench != bench { return .refused(.inUse) }
      if let message, message.digest != binding.message.digest {
        if facts.keepsMessages { return .refused(.otherMessage) }
        if let refusal = facts.refusal(of: job) { return .refused(refusal) }
      }
      guard message != nil || isWritten else {
        return happens(.resumed(job: job, tag: tag), bench, epoch + 1)
      }
      return happens(
        .reserved(
          job: job, tag: tag,
          (message ?? binding.message).filled(from: binding.message)), bench, epoch + 1)
    case (.release(let whoeverWorks, _), .claimed), (.release(let whoeverWorks, _), .bound):
      guard whoeverWorks || !facts.isAtWork else { return .refused(.inUse) }
      guard let binding else { return handed(.pending, epoch + 1) }
      return happens(.released(job: job, tag: binding.tag), nil, epoch + 1)
    case (.release, .held(let binding)):
      return happens(.released(job: job, tag: binding.tag), nil, epoch + 1)
    case (.retry, .failed): return happens(.retried(job: job), nil, epoch + 1)
    default: return .refused(.notSo)
    }
  }

  /// Returns whether a bench may claim the job.
  private func isFree(_ now: Int64) -> Bool {
    if case .claimed(let claim) = state { !claim.lease.isInForce(now) } else { isPending }
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
    guard let binding, binding.tag == tag else { return .refused(.fenced) }
    guard binding.bench == bench, epoch == self.epoch else { return .refused(.superseded) }
    return decide(binding)
  }

  /// The job changes hands in a new epoch, or stays in those that have it.
  private func handed(_ state: JobState, _ epoch: Int64) -> LedgerDecision {
    .changed([
      .handed(
        JobStanding(state, epoch: epoch, recalled: epoch == self.epoch ? recalled : nil))
    ])
  }

  /// Decides that `what` happens to the job, in a new epoch or in the present one. `bench`: whose
  /// the job is then.
  private func happens(_ what: Happening, _ bench: String?, _ epoch: Int64) -> LedgerDecision {
    .changed([
      .happened(
        Event(
          what, bench: bench, epoch: epoch, recalled: epoch == self.epoch ? recalled : nil))
    ])
  }
}
