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
  func decideRecall(
    _ bench: String, _ tag: [UInt8], _ message: [UInt8]?, _ known: Int64, isTagFree: Bool
  ) -> LedgerDecision {
    func take(_ least: Int64, scrap: [UInt8]? = nil) -> LedgerDecision {
      let state: JobState =
        if let message, isTagFree {
          .bound(Binding(bench: bench, tag: tag, message: message))
        } else {
          .claimed(Claim(bench: bench, lease: .entrusted))
        }
      return .changed(
        JobStanding(state, epoch: max(least, known), recalled: known), scrap: scrap)
    }
    switch state {
    case .claimed(let holder) where holder.bench == bench: return take(epoch)
    case .pending: return take(epoch + 1)
    case .claimed where known <= recalled ?? .min: return .refused(.fenced)
    case .failed, .claimed: return take(epoch + 2)
    case .bound(let binding), .held(let binding), .written(let binding):
      let isLater = known > recalled ?? epoch
      guard binding.tag == tag else {
        guard isLater else { return .refused(.fenced) }
        // A bound one may have been given back since, and have another job.
        let scrap = if case .bound = state { nil as [UInt8]? } else { binding.tag }
        return take(epoch + 2, scrap: scrap)
      }
      // A bench that was recalled has the store's epoch since.
      if binding.bench == bench, !isLater || known == epoch { return .done }
      guard isLater else { return .refused(.superseded) }
      // It was given back since, and the tag got it once more.
      guard message ?? binding.message == binding.message else { return take(epoch + 2) }
      let again = Binding(bench: bench, tag: tag, message: binding.message)
      return .changed(
        JobStanding(.bound(again), epoch: max(epoch + 1, known), recalled: known))
    }
  }

  /// How a job gets there, for a store that lets a job change hands only once at a time: where it
  /// stands after each step, and what happens with it (`EventKind`); nil: nothing to a tag.
  package func wayBack(to end: JobStanding) -> [(standing: JobStanding, kind: String?)] {
    if let binding = end.state.binding, binding.tag == state.binding?.tag,
      binding.message == state.binding?.message
    {
      return [(end, isWritten ? "reserved" : "resumed")]
    }
    var own = [(standing: end, kind: nil as String?)]
    if let bench = end.state.bench, end.state.binding != nil {
      let claim = JobState.claimed(Claim(bench: bench, lease: .entrusted))
      own = [
        (JobStanding(claim, epoch: end.epoch, recalled: end.recalled), nil), (end, "reserved"),
      ]
    }
    let freed = JobStanding(.pending, epoch: epoch + 1)
    switch state {
    case .pending: return own
    case .claimed(let old) where old.bench == end.state.bench: return own
    case .claimed: return [(freed, nil)] + own
    case .failed: return [(freed, "retried")] + own
    case .bound: return [(freed, "returned")] + own
    case .held(let binding), .written(let binding):
      let bound = JobStanding(.bound(binding), epoch: epoch, recalled: recalled)
      return [(bound, isWritten ? "reserved" : "resumed"), (freed, "returned")] + own
    }
  }

  /// Whether a tag holds the job, read back.
  package var isWritten: Bool { if case .written = state { true } else { false } }
}
