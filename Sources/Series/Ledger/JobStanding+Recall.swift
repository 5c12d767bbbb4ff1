/// A store that was restored from an older copy knows less than those who have used it.
extension JobStanding {
  /// What a store makes of the word of a bench that had the job on a tag in this epoch, and of
  /// which the store knows nothing.
  ///
  /// | the job is                                   | it is then                              |
  /// | -------------------------------------------- | --------------------------------------- |
  /// | pending, failed, claimed                     | bound to the tag                        |
  /// | on the same tag, by an earlier word          | bound to it                             |
  /// | on another tag, by an earlier word           | bound to the tag; the other one is set  |
  /// |                                              | aside where it is finished or held      |
  /// | on a tag, or recalled, by the same word, or  | what it was                             |
  /// | by a later one                               |                                         |
  ///
  /// Where the bench names no message, or the tag cannot have the job, the job is claimed and
  /// entrusted in place of bound.
  ///
  /// The later of two words is the one of the later epoch, so that whatever several benches say of
  /// one job, the latest word counts, in whichever order they say it. Claims count for nothing
  /// there: those who start before others have spoken claim jobs that are on tags. As each claim
  /// makes the store's epoch grow, a recalled job keeps beside it the one that its bench has named
  /// (`recalled`), and the next word is compared with that.
  ///
  /// A job changes hands only once at a time: what has to happen before it gets there, happens to
  /// it first.
  func decideRecall(
    of job: Int, _ bench: String, _ tag: [UInt8], _ message: MessageFacts?, _ known: Int64,
    isTagFree: Bool
  ) -> LedgerDecision {
    func happens(
      _ what: Happening, _ bench: String?, _ epoch: Int64, _ recalled: Int64? = nil
    ) -> JobStep {
      .happened(Event(what, bench: bench, epoch: epoch, recalled: recalled))
    }
    /// Once the job is on no other tag. `freeing`: what happens before.
    func take(_ least: Int64, freeing steps: [JobStep] = []) -> LedgerDecision {
      let epoch = max(least, known)
      let claim = JobState.claimed(Claim(bench: bench, lease: .entrusted))
      var steps = steps + [.handed(JobStanding(claim, epoch: epoch, recalled: known))]
      if let message, isTagFree {
        steps.append(happens(.reserved(job: job, tag: tag, message), bench, epoch, known))
      }
      return .changed(steps)
    }
    /// A bound one may have been given back since, and have another job.
    func takeFromTag(_ binding: Binding) -> LedgerDecision {
      var (before, isScrap) = ([JobStep](), binding.tag != tag)
      if case .bound = state {
        isScrap = false
      } else {
        let again: Happening =
          isWritten
          ? .reserved(job: job, tag: binding.tag, binding.message)
          : .resumed(job: job, tag: binding.tag)
        before = [happens(again, binding.bench, epoch, recalled)]
      }
      let freed = Happening.returned(job: job, tag: binding.tag, setsAside: isScrap)
      return take(epoch + 2, freeing: before + [happens(freed, nil, epoch + 1)])
    }
    switch state {
    case .claimed(let holder) where holder.bench == bench: return take(epoch)
    case .pending: return take(epoch + 1)
    case .claimed where known <= recalled ?? .min: return .refused(.fenced)
    case .claimed:
      return take(epoch + 2, freeing: [.handed(JobStanding(.pending, epoch: epoch + 1))])
    case .failed: return take(epoch + 2, freeing: [happens(.retried(job: job), nil, epoch + 1)])
    case .bound(let binding), .held(let binding), .written(let binding, _):
      let isLater = known > recalled ?? epoch
      guard binding.tag == tag else {
        return isLater ? takeFromTag(binding) : .refused(.fenced)
      }
      if binding.bench == bench, !isLater { return .done }
      guard isLater else { return .refused(.superseded) }
      // It was given back since, and the tag got it once more.
      guard message == nil || message?.digest == binding.message.digest else {
        return takeFromTag(binding)
      }
      let again: Happening =
        isWritten
        ? .reserved(
          job: job, tag: tag, (message ?? binding.message).filled(from: binding.message))
        : .resumed(job: job, tag: tag)
      return .changed([happens(again, bench, max(epoch + 1, known), known)])
    }
  }
}
