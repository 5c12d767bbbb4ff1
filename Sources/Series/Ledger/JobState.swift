/// Where a job stands: which tag has it, may have it, or may get it.
package enum JobState: Hashable, Sendable {
  /// It waits for a bench.
  case pending
  /// A bench may put it on a tag; nothing is bound to it, so no tag holds it. That is no event: by
  /// its events such a job waits.
  case claimed(Claim)
  /// A bench works on the tag, which may hold the job from now on.
  case bound(Binding)
  /// The tag may hold the job, and nobody works on it: it is waited for.
  case held(Binding)
  /// The tag holds the job, read back.
  case written(Binding, TagLocks)
  /// No message can be made of it.
  case failed

  /// A state without what belongs to it, by the word that a pool's database has for it.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case pending, claimed, bound, held, written, failed

    /// The word for it in journals, reports and hubs.
    package var shown: ListedJob.State {
      switch self {
      case .pending, .claimed: .pending
      case .bound, .held: .reserved
      case .written: .written
      case .failed: .failed
      }
    }
  }

  package var kind: Kind {
    switch self {
    case .pending: .pending
    case .claimed: .claimed
    case .bound: .bound
    case .held: .held
    case .written: .written
    case .failed: .failed
    }
  }
}

/// What lets a bench put a job on a tag.
package struct Claim: Hashable, Sendable {
  package let bench: String
  package var lease: Lease

  package init(bench: String, lease: Lease) { (self.bench, self.lease) = (bench, lease) }
}

/// How long a claim holds.
///
/// Whoever gives a job to another bench must be sure that the first has bound it to no tag. Of a
/// bench that binds only by asking the store, the store knows that. A bench that may bind by itself
/// while the store is out of reach can be known only by asking it, so no clock may end its claim.
package enum Lease: Hashable, Sendable {
  /// Until the store's own clock shows more, in milliseconds: the bench asks before it binds.
  case until(Int64)
  /// Until the bench gives the job back, or an operator releases it: the bench may bind it alone.
  case entrusted

  /// Returns whether the claim still holds when the store's clock shows `now`.
  package func isInForce(_ now: Int64) -> Bool {
    switch self {
    case .until(let end): now <= end
    case .entrusted: true
    }
  }
}

/// A tag and the message that it holds or is to hold.
package struct Binding: Hashable, Sendable {
  /// The bench that said so last.
  package let bench: String
  /// The tag's UID.
  package let tag: [UInt8]
  /// Its type, as `sim:` calls it.
  package let type: String?
  package let message: MessageFacts

  package init(bench: String, tag: [UInt8], type: String? = nil, message: MessageFacts) {
    (self.bench, self.tag, self.type, self.message) = (bench, tag, type, message)
  }
}

/// A job's state and its epoch: a number that grows whenever the job changes hands. A bench names
/// the epoch in which it got the job in everything that it does with it; what comes from an earlier
/// epoch is refused, however late it comes.
///
/// It is what the events of the job make of it, one after the other (`apply`); claims alone come
/// and go without an event.
package struct JobStanding: Hashable, Sendable {
  package var state: JobState
  package var epoch: Int64
  /// The epoch in which its bench had the job before the store was restored from an older copy
  /// (`decideRecall`); nil where it has changed hands since, or was never recalled.
  package var recalled: Int64?

  package init(_ state: JobState = .pending, epoch: Int64 = 0, recalled: Int64? = nil) {
    (self.state, self.epoch, self.recalled) = (state, epoch, recalled)
  }

  /// The tag that has the job, or may have it.
  package var binding: Binding? {
    switch state {
    case .pending, .claimed, .failed: nil
    case .bound(let binding), .held(let binding), .written(let binding, _): binding
    }
  }

  /// The bench that has the job in hand, or had it last.
  package var bench: String? {
    if case .claimed(let claim) = state { claim.bench } else { binding?.bench }
  }

  /// Is true if no tag has it, and none had to be given up for that.
  package var isPending: Bool {
    switch state {
    case .pending, .claimed: true
    case .bound, .held, .written, .failed: false
    }
  }

  /// The word for where it stands in journals, reports and hubs.
  package var word: String { state.kind.shown.rawValue }

  package var isHeld: Bool { if case .held = state { true } else { false } }
  /// Is true if a tag holds the job, read back.
  package var isWritten: Bool { if case .written = state { true } else { false } }
  package var locks: TagLocks? { if case .written(_, let locks) = state { locks } else { nil } }
}
