import Ledger

/// A verdict in words of the line: where the tag in the hand goes, and why. No pages and no
/// hexadecimal; those are in the journal, the report and the lines without a live view.
package struct LineWords: Hashable, Sendable {
  /// Where the tag goes, in two or three words: `good`, `tag worn: bin it`, `foreign`.
  package let bin: String
  /// Why, in a clause.
  package let reason: String

  private init(_ bin: String, _ reason: String) { (self.bin, self.reason) = (bin, reason) }

  private init(_ advice: TagCause.Advice) { self.init(advice.order, advice.reason) }

  package init(_ outcome: TagOutcome) {
    self.init(
      outcome.verdict, cause: outcome.trouble?.known, isScrap: outcome.isScrap,
      wasThere: outcome.wasThere, isRead: outcome.read != nil)
  }

  /// Makes the words for a verdict that was written down: why the tag did not pass, whether it was
  /// set aside, and whether it held its message already.
  package init(
    _ verdict: TagOutcome.Verdict, cause: TagCause?, isScrap: Bool, wasThere: Bool = false,
    isRead: Bool = false
  ) {
    let row = cause?.row ?? TagCause.unnamed
    switch verdict {
    case .passed: self.init("good", wasThere ? "it already held its job" : "")
    case .held: self.init(row.heldBin == .again ? "again" : "set it aside", row.held)
    case .failed where isRead: self.init(row.read)
    case .failed where cause == .conflict: self.init(row.failed)
    case .failed where isScrap: self.init("tag worn: bin it", row.worn)
    case .failed: self.init(row.failed)
    case .left: self.init(row.left)
    }
  }
}
