/// A store that was restored from an older copy knows less than those who have used it.
extension JobStanding {
  /// What a store makes of the word of a bench that had the job on a tag in this epoch, and of
  /// which the store knows nothing.
  ///
  /// | the job is                                   | it is then                              |
  /// | -------------------------------------------- | --------------------------------------- |
  /// | pending, failed, claimed                     | claimed, entrusted                      |
  /// | on the same tag, in an earlier epoch         | bound                                   |
  /// | on another tag, in an earlier epoch          | claimed, entrusted; a finished or held  |
  /// |                                              | tag is set aside                        |
  /// | on a tag in the same epoch, or a later one   | what it was                             |
  ///
  /// The job gets the bench's epoch again, so that whatever several benches say of one job, the
  /// latest word counts, in whichever order they say it. Claims count for nothing there: those who
  /// start before others have spoken claim jobs that are on tags.
  func decideRecall(bench: String, tag: [UInt8], epoch known: Int64) -> LedgerDecision {
    let claim = JobState.claimed(Claim(bench: bench, lease: .entrusted))
    switch state {
    case .claimed(let holder) where holder.bench == bench:
      return .changed(JobStanding(claim, epoch: max(epoch, known)))
    case .pending: return .changed(JobStanding(claim, epoch: max(epoch + 1, known)))
    case .failed, .claimed: return .changed(JobStanding(claim, epoch: max(epoch + 2, known)))
    case .bound(let binding), .held(let binding), .written(let binding):
      guard binding.tag == tag else {
        guard known > epoch else { return .refused(.fenced) }
        // A bound one may have been given back since, and have another job.
        let scrap = if case .bound = state { nil as [UInt8]? } else { binding.tag }
        return .changed(JobStanding(claim, epoch: max(epoch + 2, known)), scrap: scrap)
      }
      guard known > epoch else {
        return binding.bench == bench ? .done : .refused(.superseded)
      }
      let again = Binding(bench: bench, tag: tag, message: binding.message)
      return .changed(JobStanding(.bound(again), epoch: known))
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
        (JobStanding(.bound(binding), epoch: epoch), isWritten ? "reserved" : "resumed"),
        (freed, "returned"), (end, nil),
      ]
    }
  }

  /// Whether a tag holds the job, read back.
  package var isWritten: Bool { if case .written = state { true } else { false } }
}
