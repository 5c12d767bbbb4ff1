/// An event of a bench's own store, as the bench tells it to the one that it shares with others.
extension Event {
  /// What the bench asks for by it; nil: it changes no job. `before`: where the job stood, by the
  /// bench's own events; `epoch`: the one in which the bench has the job.
  package func command(
    of bench: String, before: JobStanding, epoch: Int64
  ) -> LedgerCommand? {
    switch what {
    case .reserved(_, let tag, let message) where before.isPending:
      .bind(bench: bench, epoch: epoch, tag: tag, message: message)
    case .reserved(_, let tag, let message):
      .takeOver(bench: bench, tag: tag, message: message, epoch: epoch)
    case .resumed(_, let tag): .takeOver(bench: bench, tag: tag, epoch: epoch)
    case .written(_, let tag, let digest, let locks):
      .finish(bench: bench, epoch: epoch, tag: tag, digest: digest, locks)
    case .held(_, let tag): .hold(bench: bench, epoch: epoch, tag: tag)
    case .returned(_, let tag, let isScrap):
      .giveBack(bench: bench, epoch: epoch, tag: tag, isScrap: isScrap)
    case .refused: .refuse(bench: bench, epoch: epoch)
    case .released: .release(whoeverWorks: true, epoch: epoch)
    case .retried: .retry
    case .passed, .unknown: nil
    }
  }

  /// Returns whether the job is in the same epoch then as where it stood before.
  package func keepsEpoch(before: JobStanding) -> Bool {
    switch what {
    case .reserved: before.isPending
    case .written, .held, .passed, .unknown: true
    case .resumed, .returned, .refused, .released, .retried: false
    }
  }

  /// What it asks for where the other store may have heard of the event and have forgotten it, as
  /// it was restored from an older copy: the job comes first to where the bench had it.
  ///
  /// The epoch is that of the event's own time (`claim`): of all that benches say of a job, the
  /// latest counts, and what this one said before is as old as it was.
  package func commandsAgain(of bench: String, before: JobStanding) -> [LedgerCommand] {
    let known = claim ?? 0
    guard let command = command(of: bench, before: before, epoch: known) else { return [] }
    func recall(_ tag: [UInt8], _ message: MessageFacts?, _ epoch: Int64) -> LedgerCommand {
      .recall(bench: bench, tag: tag, message: message, epoch: epoch)
    }
    switch what {
    case .reserved(_, let tag, let message):
      // Whoever goes on with a tag has its job in the next epoch.
      return [
        recall(tag, message, before.isPending ? known : known + 1),
        .bind(bench: bench, epoch: known, tag: tag, message: message),
      ]
    case .resumed(_, let tag):
      guard let message = before.binding?.message else { return [] }
      return [
        recall(tag, message, known + 1),
        .bind(bench: bench, epoch: known, tag: tag, message: message),
      ]
    case .written(_, let tag, _, _), .held(_, let tag):
      return [recall(tag, before.binding?.message, known), command]
    case .returned(_, let tag, _), .released(_, let tag):
      return [.confirm(bench: bench, tag: tag), command]
    case .refused: return [recall([], nil, known), command]
    case .retried: return [command]
    case .passed, .unknown: return []
    }
  }

  /// Returns whether its tag is not to be used where the store refuses the event: so it was once,
  /// where the store had taken the event before it was restored (`isHeard`), or had said so itself.
  package func setsAsideAgain(isHeard: Bool) -> Bool { (isHeard || isEcho) && what.setsAside }
}
