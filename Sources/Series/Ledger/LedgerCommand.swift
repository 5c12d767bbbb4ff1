/// What can be done with one job. Benches name themselves, and the epoch in which they got it.
package enum LedgerCommand: Hashable, Sendable {
  /// The bench wants the job; the lease ends when the store's clock shows more than `until`.
  case claim(bench: String, until: Int64)
  /// The bench still wants it.
  case renew(bench: String, epoch: Int64, until: Int64)
  /// The bench has the claim on its own disk and may go on without the store from now on.
  case entrust(bench: String, epoch: Int64)
  /// The bench does not need the job; no tag was bound to it.
  case letGo(bench: String, epoch: Int64)
  /// A tag is about to be written.
  case bind(bench: String, epoch: Int64, tag: [UInt8], message: MessageFacts)
  /// The tag was read back, and holds the message of this digest and has these locks.
  case finish(bench: String, epoch: Int64, tag: [UInt8], digest: [UInt8], TagLocks)
  /// The tag went away and may hold the message.
  case hold(bench: String, epoch: Int64, tag: [UInt8])
  /// The tag was read and does not hold the message; `isScrap`: it is not to be used again.
  case giveBack(bench: String, epoch: Int64, tag: [UInt8], isScrap: Bool)
  /// No message can be made of the job.
  case refuse(bench: String, epoch: Int64)
  /// The job's tag lies on a reader of this bench, which goes on with it. `message`: it is written
  /// anew, with this message. `epoch`: as the bench knew the job; it may say so late, and others
  /// may have gone on with the tag since.
  case takeOver(bench: String, tag: [UInt8], message: MessageFacts? = nil, epoch: Int64? = nil)
  /// An operator's word: what the job is bound to is not used. `whoeverWorks`: also where a bench
  /// may be at work on it. `epoch`: as for `takeOver`.
  case release(whoeverWorks: Bool, epoch: Int64? = nil)
  /// An operator has repaired the cause of its failure.
  case retry
  /// The bench had the job on the tag in this epoch, and the store knows nothing of that: it was
  /// restored from an older copy (`decideRecall`). `message`: what the tag holds or may hold; nil:
  /// the job only was the bench's.
  case recall(bench: String, tag: [UInt8], message: MessageFacts?, epoch: Int64)
  /// Is the job on the tag, by this bench's word? Nothing changes by that.
  case confirm(bench: String, tag: [UInt8])

  /// The tag, and the digest of the message, that the job is to get.
  package var binding: (tag: [UInt8], digest: [UInt8])? {
    switch self {
    case .bind(_, _, let tag, let message), .takeOver(_, let tag, let message?, _),
      .recall(_, let tag, let message?, _):
      (tag, message.digest)
    default: nil
    }
  }

  /// The epoch in which a bench has got the job from the store, as it says.
  var epoch: Int64? {
    switch self {
    case .renew(_, let epoch, _), .entrust(_, let epoch), .letGo(_, let epoch),
      .bind(_, let epoch, _, _), .finish(_, let epoch, _, _, _), .hold(_, let epoch, _),
      .giveBack(_, let epoch, _, _), .refuse(_, let epoch):
      epoch
    case .takeOver(_, _, _, let epoch), .release(_, let epoch): epoch
    case .claim, .retry, .recall, .confirm: nil
    }
  }

  /// What is asked for, in another epoch.
  func said(in epoch: Int64) -> LedgerCommand {
    switch self {
    case .bind(let bench, _, let tag, let message):
      .bind(bench: bench, epoch: epoch, tag: tag, message: message)
    case .finish(let bench, _, let tag, let digest, let locks):
      .finish(bench: bench, epoch: epoch, tag: tag, digest: digest, locks)
    case .hold(let bench, _, let tag): .hold(bench: bench, epoch: epoch, tag: tag)
    case .giveBack(let bench, _, let tag, let isScrap):
      .giveBack(bench: bench, epoch: epoch, tag: tag, isScrap: isScrap)
    case .refuse(let bench, _): .refuse(bench: bench, epoch: epoch)
    case .release(let whoeverWorks, _): .release(whoeverWorks: whoeverWorks, epoch: epoch)
    default: self
    }
  }

  /// Is true if it is the word of a bench to a store that was restored.
  var isRecall: Bool { if case .recall = self { true } else { false } }

  /// Is true if what comes behind it is said in the epoch that the job has then.
  var findsEpoch: Bool {
    if case .confirm = self { true } else { isRecall }
  }
}

/// What a decision needs to know beside the job.
package struct LedgerFacts: Hashable, Sendable {
  /// The store's clock in milliseconds; no bench's.
  package var now: Int64 = 0
  /// The job of the tag that is to be bound, if it has one.
  package var jobOfTag: Int?
  /// The job that has the message that is to be bound, if one has it.
  package var jobOfMessage: Int?
  /// Is true if the tag that is to be bound was set aside, and nobody said that it may be used
  /// again.
  package var isTagScrap = false
  /// Is true if the bench that has the job in hand may be at work on it.
  package var isAtWork = false
  /// Is true if the message of a job stays what it is for as long as its tag has it: so where
  /// several benches make messages.
  package var keepsMessages = false

  package init() {}

  /// Why the tag cannot have the job with this number, if so.
  func refusal(of job: Int) -> LedgerRefusal? {
    if let other = jobOfTag, other != job { return .tagTaken(job: other) }
    if isTagScrap { return .tagScrap }
    if let other = jobOfMessage, other != job { return .messageTaken(job: other) }
    return nil
  }
}

/// What comes of a command.
package enum LedgerDecision: Hashable, Sendable {
  /// These steps are to be made, one after the other, all of them or none.
  case changed([JobStep])
  /// It was done before: nothing changes.
  case done
  case refused(LedgerRefusal)

  /// The job's epoch from then on; nil: nothing changes.
  package var epoch: Int64? {
    guard case .changed(let steps) = self else { return nil }
    return switch steps.last {
    case .handed(let standing): standing.epoch
    case .happened(let event): event.epoch
    case nil: nil
    }
  }

  /// The tag that is not to be used any more.
  package var setAside: [UInt8]? {
    guard case .changed(let steps) = self else { return nil }
    return steps.lazy.compactMap { step in
      if case .happened(let event) = step, event.what.setsAside { event.tag } else { nil }
    }.first
  }
}

/// Why a command changes nothing.
package enum LedgerRefusal: Error, Hashable, Sendable {
  /// The job has changed hands since, and is not on this tag: what the tag holds may be on another
  /// one, too.
  case fenced
  /// The job's tag was read at another bench, which goes on with it: what the first says is void,
  /// and nothing is wrong.
  case superseded
  /// The claim's lease has run out.
  case leaseOver
  /// Somebody may be at work on it.
  case inUse
  /// The tag has this job, or may have it.
  case tagTaken(job: Int)
  /// The tag was set aside: it may hold a job that another tag has.
  case tagScrap
  /// This job has the same message.
  case messageTaken(job: Int)
  /// What was read back is another message.
  case otherMessage
  /// The tag is another one than the job's.
  case otherTag
  /// Nothing of the kind can be done with a job that stands there.
  case notSo
  /// The store has not given out the job in so late an epoch: it was restored from an older copy.
  case forgotten
}
