import AppLinks
import Bench
import RecordText
import UniversalLinks

/// What is to be said of what was given: nothing goes onto a tag otherwise than it was given
/// without a word.
struct InputRemarks {
  /// Addresses that are written otherwise than they were given.
  var altered: [AlteredAddress] = []
  /// What was found out about the link.
  var link: LinkCheck?
  /// This is what was found out about the link for Android phones.
  var android: AppLinkCheck?

  mutating func take(_ verdicts: LinkVerdicts) {
    (link, android) = (verdicts.iphone, verdicts.android)
  }

  /// A line each.
  var lines: [String] {
    altered.map { "Note (url-altered): \($0)" }
      + LinkCheck.lines((link?.findings ?? []) + (android?.findings ?? []))
  }

  /// Says all of it on standard error.
  func show(on console: Console) {
    for line in lines { console.remark(line) }
  }
}

extension InputRemarks {
  init(_ verdicts: LinkVerdicts) { take(verdicts) }
}
