/// A verdict in words of the line: where the tag in the hand goes, and why. No pages and no
/// hexadecimal; those are in the journal, the report and the lines without a live view.
package struct LineWords: Hashable, Sendable {
  /// Where the tag goes, in two or three words: `good`, `tag worn: bin it`, `foreign`.
  package let bin: String
  /// Why, in a clause.
  package let reason: String

  private init(_ bin: String, _ reason: String) { (self.bin, self.reason) = (bin, reason) }

  package init(_ outcome: TagOutcome) {
    self.init(
      outcome.verdict, cause: outcome.trouble?.cause, isScrap: outcome.isScrap,
      wasThere: outcome.wasThere)
  }

  /// The same of a verdict that was written down: why the tag did not pass, whether it was set
  /// aside, and whether it held its message already.
  package init(
    _ verdict: TagOutcome.Verdict, cause: String?, isScrap: Bool, wasThere: Bool = false
  ) {
    let cause = cause ?? ""
    switch verdict {
    case .passed: self.init("good", wasThere ? "it already held its job" : "")
    case .held: self.init("again", Self.held[cause] ?? "it may hold its job")
    case .failed where cause == "conflict": self = Self.contradicted
    case .failed where isScrap:
      self.init("tag worn: bin it", Self.worn[cause] ?? "it is damaged")
    case .failed:
      self = Self.failed[cause] ?? Self("set it aside", "it failed; the report says why")
    case .left:
      self = Self.left[cause] ?? Self("set it aside", "it was not changed; the report says why")
    }
  }

  private static let contradicted = Self(
    "bin it", "the database contradicts this bench about its job; nobody may use it")

  private static let worn = [
    "refused": "it does not accept writes", "mismatch": "it does not keep the written data",
  ]

  private static let held = [
    "lost": "it was removed too early and may hold its job",
    "journal": "the journal cannot be written; set the tag aside and call the line engineer",
    "reader": "the reader failed; it may hold its job",
    "interrupted": "it is not finished and may hold its job",
  ]

  private static let failed: [String: Self] = [
    "lost": Self("lay it down again", "it was removed too early; nothing was written"),
    "no-tag": Self("lay it down again", "it was removed too early; nothing was written"),
    "reader": Self("lay it down again", "the reader failed; nothing was written"),
    "interrupted": Self("lay it down again", "the run ends; nothing was written"),
    "refused": Self("set it aside", "it is locked or has a password"),
    "mismatch": Self("set it aside", "it does not keep the written data"),
    "unsuited": Self("wrong type", "it cannot take its job"),
    "released": Self("bin it", "its job was given to another tag"),
    "journal": Self("set it aside", "the journal cannot be written; call the line engineer"),
  ]

  private static let left: [String: Self] = [
    "written": Self("good already", "it holds its job; put it with the good tags"),
    "scrap": Self("bin it", "it was set aside before"),
    "foreign": Self("foreign", "it holds another message; it was not changed"),
    "copy": Self("foreign, a copy", "it holds the message of another tag"),
    "wrong-type": Self("wrong type", "no job fits this type of tag"),
    "unsuited": Self("wrong type", "it cannot take its job"),
    "random-uid": Self("wrong type", "its number changes each time"),
    "not-genuine": Self("not genuine", "its maker's signature is missing or wrong"),
    "no-job": Self("not needed", "no job is left; keep it for another list"),
    "changed": Self("set it aside", "its content differs from its job"),
    "unread": Self("lay it down again", "it cannot be read"),
    "lost": Self("lay it down again", "it was removed too early; nothing was written"),
    "no-tag": Self("lay it down again", "it was removed too early; nothing was written"),
    "reader": Self("lay it down again", "the reader failed; nothing was written"),
    "interrupted": Self("lay it down again", "the run ends; nothing was written"),
    "journal": Self("lay it down again", "the journal cannot be written; call the line engineer"),
    "no-scan": Self("lay it down again", "no code was scanned for it"),
    "other-journal": Self("set it aside", "another journal was used with this list"),
    "in-use": Self("wait", "another station has a tag with this number"),
  ]
}
