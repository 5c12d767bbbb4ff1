/// What can happen; `JobStanding.apply` says which change of a job's state goes with it.
package enum EventKind: String, CaseIterable, Sendable {
  case reserved, resumed, written, returned, held, passed, refused, released, retried
}

/// How an event counts in the figures of a series.
package enum EventCount: String, Hashable, Sendable, CaseIterable {
  /// A tag holds its job, read back.
  case success
  /// An attempt failed.
  case failure
  /// A tag was left alone.
  case leftAlone
  /// It is no matter of a tag that somebody laid down, or was counted before.
  case none
}

/// What an event says of its tag.
package enum EventVerdict: String, Hashable, Sendable, CaseIterable {
  case passed, failed, held, left
}

extension EventKind {
  /// How an event of this kind counts. `setsAside`: whether its tag is scrap by this very event.
  ///
  /// A pool contradicts its bench in each thing that the bench says of a tag: the event by which
  /// the tag is set aside is the one that counts.
  package func count(_ cause: TagCause?, setsAside: Bool) -> EventCount {
    let row = cause?.row ?? TagCause.unnamed
    switch self {
    case .written: return .success
    case .returned: return row.begun
    case .held: return row.begun == .failure ? .failure : .none
    case .passed where cause == .conflict: return setsAside ? .failure : .none
    case .passed: return row.untouched
    case .reserved, .resumed, .refused, .released, .retried: return .none
    }
  }

  /// Returns what such an event says of its tag; nil: nothing yet, or it is no matter of a station.
  /// `hasJob`: it names the job that the tag may hold.
  package func verdict(_ cause: TagCause?, hasJob: Bool) -> EventVerdict? {
    let row = cause?.row ?? TagCause.unnamed
    switch self {
    case .written: return .passed
    case .returned: return row.begun == .failure ? .failed : .left
    case .held: return .held
    case .passed where row.untouched == .failure:
      // Of a tag that was begun before, and may hold its job.
      return hasJob && ![.conflict, .released].contains(cause) ? .held : .failed
    case .passed: return .left
    case .reserved, .resumed, .refused, .released, .retried: return nil
    }
  }
}
