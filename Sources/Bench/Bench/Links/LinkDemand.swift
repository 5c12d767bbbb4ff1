import AppLinks
import NDEF
import Readers
import Synchronization
import TagMemory
import TagProgramming
import UniversalLinks

/// Checks the link that each tag is going to show, where the tag fills in a part of it.
package final class LinkDemand: Sendable {
  private let link: LinkPolicy?
  private let android: AndroidLinkPolicy?
  private let latest = Mutex(LinkVerdicts())

  package init(_ link: LinkPolicy?, _ android: AndroidLinkPolicy?) {
    (self.link, self.android) = (link, android)
  }

  /// The verdicts on the link of the last tag.
  package var verdicts: LinkVerdicts { latest.withLock { $0 } }

  /// Fails, and says why, where `message` wakes no app whichever tag it is written on: with
  /// `badInput`, or with `noTag` when that could not be found out.
  package func insist(
    on message: VaryingMessage, isForumTag: Bool = true, otherwise consequence: String
  ) throws(BenchError) -> LinkVerdicts {
    let verdicts = check(message, isForumTag: isForumTag)
    if verdicts.android?.hangsOnTag == false {
      try verdicts.android?.insist(otherwise: consequence)
    }
    if verdicts.iphone?.hangsOnTag == false {
      try verdicts.iphone?.insist(otherwise: consequence)
    }
    return verdicts
  }

  /// Why `job` is not to be done on `target`; nil where it may be, and for messages of which the
  /// tag fills in nothing.
  package func refusal(of job: Job, on target: Target) -> JobFailure? {
    guard case .write(let message, let options) = job,
      options.mirror != nil || options.personalisation != nil
    else { return nil }
    let found = check(
      VaryingMessage(
        options.encoding ?? message.serialize(), mirror: options.mirror,
        provesItself: options.personalisation != nil,
        uid: target.uid.isRandom ? nil : target.uid))
    latest.withLock { $0 = found }
    return (found.android?.refusal ?? found.iphone?.refusal)
      .map { JobFailure(.unwanted(reason: $0)) }
  }

  private func check(_ message: VaryingMessage, isForumTag: Bool = true) -> LinkVerdicts {
    LinkVerdicts(
      iphone: link?.check(message, isForumTag: isForumTag), android: android?.check(message))
  }
}
