import JobLists
import Ledger
import LedgerSQLite
import NDEF
import TagMemory
import TagProgramming

/// What a line makes of tags from the field: each gets the new link that rules make of its own, or
/// gets back what it held before.
package struct TagChanges: Sendable {
  /// The rules; nil: tags get back what they held.
  package let rules: ChangeRules?
  /// Says why a phone would not take a message as wanted; nil where it does.
  private let refusal: @Sendable (Message) -> String?

  package init(
    _ rules: ChangeRules?, refusal: @escaping @Sendable (Message) -> String? = { _ in nil }
  ) {
    (self.rules, self.refusal) = (rules, refusal)
  }

  /// Is true if tags get back what they held.
  package var isBack: Bool { rules == nil }

  /// What becomes of a tag.
  package enum Decision: Sendable {
    /// It is left alone; `job` is the one that it may hold, unfinished.
    case leave(TagTrouble, job: PlannedJob? = nil)
    /// It is to hold this message, whose bytes these are; `change`: it is not known yet. `text`
    /// says what becomes of its link.
    case write(Message, [UInt8], change: TagChange?, text: String?)
  }

  /// Decides what becomes of a tag by what it holds and what the journal knows of it; `journal`
  /// nil: nothing. `day`: what `{date}` stands for.
  package func decide(
    _ uid: UID, holding content: Content, by journal: Journal?, on day: String
  ) throws(JournalError) -> Decision {
    switch try journal?.history(of: uid) {
    case .written(let written):
      guard let known = try journal?.change(ofJob: written.job.number) else { return Self.strange }
      return again(written, known, content)
    case .reserved(let reserved):
      guard let known = try journal?.change(ofJob: reserved.job.number) else { return Self.strange }
      // What a tag holds in the middle of a write is no other message.
      if let held = content.stored, !held.isEmpty, held != known.before, held != known.after {
        return .leave(
          TagTrouble(
            .changed,
            "The journal has a change of this tag, \(reserved.job.name), that is not finished, but the tag holds another message: it was written again, or it is another tag with a copied UID."
          ), job: reserved.job)
      }
      return write(known, reserved.job)
    case .scrap(let scrap): return .leave(scrap.reason)
    case nil: return anew(uid, content, day)
    }
  }

  private static let strange = Decision.leave(
    TagTrouble(.unknown, "The journal has a job of a list on this tag, and no change."))

  /// A tag whose message was changed, or put back.
  private func again(
    _ written: WrittenTag, _ known: StoredChange, _ content: Content
  ) -> Decision {
    if let obstacle = content.obstacle {
      return .leave(Attempt.unread(written, obstacle.sentence))
    }
    let held = content.stored ?? []
    guard digest(of: held) == written.digest else {
      return .leave(Attempt.reason(written, [.content]))
    }
    guard held == (isBack ? known.before : known.after) else {
      return write(known, written.job)
    }
    return .leave(
      isBack
        ? TagTrouble(
          .written, "This tag holds what it held before, since \(Attempt.text(written.when)).")
        : Attempt.reason(written, []))
  }

  private func write(_ known: StoredChange, _ job: PlannedJob) -> Decision {
    let bytes = isBack ? known.before : known.after
    guard let message = try? Message(parsing: bytes) else {
      return .leave(TagTrouble(.journal, "The message that the journal has of this tag is none."))
    }
    return .write(message, bytes, change: nil, text: text(of: job))
  }

  /// A tag that the journal does not know.
  private func anew(_ uid: UID, _ content: Content, _ day: String) -> Decision {
    guard let rules else {
      return .leave(
        TagTrouble(.unknown, "The journal does not list this tag, so nobody knows what it held."))
    }
    switch Self.message(in: content) {
    case .failure(let trouble): return .leave(trouble.trouble)
    case .success(let (message, bytes)):
      do throws(TagChange.Refusal) {
        let change = try TagChange(
          of: message, stored: bytes, on: uid, by: rules, day: day)
        guard let after = try? Message(parsing: change.after) else {
          return .leave(TagTrouble(.defectiveJob, "No message can be made of its link."))
        }
        if let reason = refusal(after) { return .leave(TagTrouble(.defectiveJob, reason)) }
        return .write(
          after, change.after, change: change, text: text(of: change.job(number: 0)))
      } catch {
        switch error {
        case .noMatch(let text): return .leave(TagTrouble(.noMatch, text))
        case .defective(let text): return .leave(TagTrouble(.defectiveJob, text))
        case .unchanged(let text): return .leave(TagTrouble(.written, text))
        }
      }
    }
  }

  private struct Unfit: Error { let trouble: TagTrouble }

  /// The message that the tag holds, all of which was read.
  private static func message(
    in content: Content
  ) -> Result<(message: Message, bytes: [UInt8]), Unfit> {
    func unfit(_ cause: TagCause, _ text: String) -> Result<
      (message: Message, bytes: [UInt8]), Unfit
    > {
      .failure(Unfit(trouble: TagTrouble(cause, text)))
    }
    switch content {
    case .message(let held):
      guard held.filling == nil else {
        return unfit(
          .unsuited,
          "The tag fills in a part of its message as it is read, such as its UID, so it gets no other."
        )
      }
      guard let message = held.message else {
        return unfit(
          .unread, "Its message cannot be read: \(held.fault.map { "\($0)" } ?? "it is none").")
      }
      return .success((message, held.stored))
    case .empty, .blank, .unformatted: return unfit(.noMatch, "The tag holds no message.")
    case .foreign: return unfit(.foreign, "The tag holds data that are no message.")
    case .lost(let lost): return unfit(.unread, "Its message cannot be read: \(lost.reason).")
    case .unreadable(let obstacle):
      return unfit(.unread, "What the tag holds cannot be read: \(obstacle.sentence)")
    case .notLookedAt: return unfit(.unread, "What the tag holds was not read.")
    }
  }

  /// The job that writes a message to a tag: byte for byte, and nothing else.
  package static func job(_ message: Message, _ bytes: [UInt8], isBegun: Bool) -> Job {
    var write = WriteOptions()
    write.encoding = bytes
    // What a tag holds whose change was begun is a part of it.
    write.overwrite = isBegun
    return .write(message, write)
  }

  /// What became of a tag's link by its job: `https://old.example/1 → https://new.example/1`.
  func text(of job: PlannedJob) -> String? {
    func column(_ name: String) -> String? { job.columns.first { $0.name == name }?.value }
    guard let from = column("from"), let to = column("to") else { return nil }
    let rules = column("rule").map { rule in
      "  by \(rule)" + (column("also").map { "; \($0) would take it, too" } ?? "")
    }
    return (isBack ? "\(to) → \(from)" : "\(from) → \(to)") + (rules ?? "")
  }
}
