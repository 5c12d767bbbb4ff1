/// A store that was restored from an older copy knows less than those who have used it.
extension JobStanding {
  /// What a store makes of the word of a bench that had the job on a tag in this epoch, and of
  /// which the store knows nothing.
  ///
  /// | the job is                                   | it is then                              |
  /// | -------------------------------------------- | --------------------------------------- |
  /// | pending, failed, claimed                     | claimed, entrusted                      |
  /// | on the same tag, by an earlier word          | bound                                   |
  /// | on another tag, by an earlier word           | claimed, entrusted; a finished or held  |
  /// |                                              | tag is set aside                        |
  /// | on a tag by the same word, or a later one    | what it was                             |
  ///
  /// The later of two words is the one of the later epoch, so that whatever several benches say of
  /// one job, the latest word counts, in whichever order they say it. Claims count for nothing
  /// there: those who start before others have spoken claim jobs that are on tags. As each claim
  /// makes the store's epoch grow, a recalled job keeps beside it the one that its bench has named
  /// (`recalled`), and the next word is compared with that.
  func decideRecall(bench: String, tag: [UInt8], epoch known: Int64) -> LedgerDecision {
    func claim(_ least: Int64) -> JobStanding {
      let claim = JobState.claimed(Claim(bench: bench, lease: .entrusted))
      return JobStanding(claim, epoch: max(least, known), recalled: known)
    }
    switch state {
    case .claimed(let holder) where holder.bench == bench: return .changed(claim(epoch))
    case .pending: return .changed(claim(epoch + 1))
    case .failed, .claimed: return .changed(claim(epoch + 2))
    case .bound(let binding), .held(let binding), .written(let binding):
      let isLater = known > recalled ?? epoch
      guard binding.tag == tag else {
        guard isLater else { return .refused(.fenced) }
        // A bound one may have been given back since, and have another job.
        let scrap = if case .bound = state { nil as [UInt8]? } else { binding.tag }
        return .changed(claim(epoch + 2), scrap: scrap)
      }
      // A bench that was recalled has the store's epoch since.
      if binding.bench == bench, !isLater || known == epoch { return .done }
      guard isLater else { return .refused(.superseded) }
      let again = Binding(bench: bench, tag: tag, message: binding.message)
      return .changed(
        JobStanding(.bound(again), epoch: max(epoch + 1, known), recalled: known))
    }
  }

  /// How a job gets there, for a store that lets a job change hands only once at a time: where it
  /// stands after each step, and what happens with it (`EventKind`); nil: nothing to a tag.
  package func wayBack(to end: JobStanding) -> [(standing: JobStanding, kind: String?)] {
    let freed = JobStanding(.pending, epoch: epoch + 1)
    switch (state, end.state) {
    case (.written, .bound): return [(end, "reserved")]
    case (_, .bound): return [(end, "resumed")]
    case (.claimed(let old), .claimed(let new)) where old.bench == new.bench: return [(end, nil)]
    case (.pending, _): return [(end, nil)]
    case (.claimed, _): return [(freed, nil), (end, nil)]
    case (.failed, _): return [(freed, "retried"), (end, nil)]
    case (.bound, _): return [(freed, "returned"), (end, nil)]
    case (.held(let binding), _), (.written(let binding), _):
      return [
        (
          JobStanding(.bound(binding), epoch: epoch, recalled: recalled),
          isWritten ? "reserved" : "resumed"
        ),
        (freed, "returned"), (end, nil),
      ]
    }
  }

  /// Whether a tag holds the job, read back.
  package var isWritten: Bool { if case .written = state { true } else { false } }
}
