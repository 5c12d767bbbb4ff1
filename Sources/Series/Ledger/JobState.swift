/// Where a job stands: which tag has it, may have it, or may get it.
package enum JobState: Hashable, Sendable {
  /// It waits for a bench.
  case pending
  /// A bench may put it on a tag; nothing is bound to it, so no tag holds it.
  case claimed(Claim)
  /// A bench works on the tag, which may hold the job from now on.
  case bound(Binding)
  /// The tag may hold the job, and nobody works on it: it is waited for.
  case held(Binding)
  /// The tag holds the job, read back.
  case written(Binding)
  /// No message can be made of it.
  case failed

  /// The tag that has the job, or may have it.
  package var binding: Binding? {
    switch self {
    case .pending, .claimed, .failed: nil
    case .bound(let binding), .held(let binding), .written(let binding): binding
    }
  }

  /// The bench that has the job in hand, or had it last.
  package var bench: String? {
    if case .claimed(let claim) = self { claim.bench } else { binding?.bench }
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
}

/// A tag and the message that it holds or is to hold.
package struct Binding: Hashable, Sendable {
  package let bench: String
  /// The tag's UID.
  package let tag: [UInt8]
  /// SHA-256 of the message.
  package let message: [UInt8]

  package init(bench: String, tag: [UInt8], message: [UInt8]) {
    (self.bench, self.tag, self.message) = (bench, tag, message)
  }
}

/// A job's state and its epoch: a number that grows whenever the job changes hands. A bench names
/// the epoch in which it got the job in everything that it does with it; what comes from an earlier
/// epoch is refused, however late it comes.
package struct JobStanding: Hashable, Sendable {
  package var state: JobState
  package var epoch: Int64
  /// The epoch in which its bench had the job before the store was restored from an older copy
  /// (`decideRecall`); nil where it has changed hands since, or was never recalled.
  package var recalled: Int64?

  package init(_ state: JobState = .pending, epoch: Int64 = 0, recalled: Int64? = nil) {
    (self.state, self.epoch, self.recalled) = (state, epoch, recalled)
  }
}
