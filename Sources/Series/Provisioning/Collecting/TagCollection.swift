import Foundation
import Ledger
import LedgerSQLite
import Readers
import Synchronization
import TagMemory
import TagProgramming
import Wording

/// What the stations of a line find that only read: each tag once, what is wrong with the others,
/// and which of the expected ones have come. No tag is written to.
package final class TagCollection: Sendable {
  /// What is asked of the tags.
  package struct Settings: Sendable {
    /// The type that each is to be of; nil: any.
    package var product: Product?
    /// Is true if the maker must have signed each UID.
    package var mustBeGenuine = false
    /// The tags that are to come; nil: any.
    package var expectation: TagExpectation?
    /// The keys by which tags prove themselves; nil: proofs are not checked.
    package var keys: (any ProofKeys)?

    package init() {}
  }

  private let settings: Settings
  private let file: CollectedFile?
  private let state: Mutex<CollectionState>

  /// `file` gets a row for each good tag, and has those of earlier runs.
  package init(_ settings: Settings = Settings(), into file: CollectedFile? = nil) {
    (self.settings, self.file) = (settings, file)
    let expected: ExpectedTags? =
      if case .list(let list)? = settings.expectation { ExpectedTags(list) } else { nil }
    state = Mutex(CollectionState(earlier: file?.earlier ?? [], expected))
  }

  /// Reads a tag, which is the station's `number`th, and judges it. Ends the line where that cannot
  /// be recorded.
  func read(
    _ tag: Target, number: Int, on station: Station, with programmer: Programmer
  ) -> TagOutcome {
    let started = Date()
    let report = programmer.run(.info, on: tag)
    station.watch.stop()
    var outcome = TagOutcome(verdict: .passed, uid: tag.uid)
    (outcome.read, outcome.tagType, outcome.counts) = (report, report.product?.name, report.counts)
    (outcome.started, outcome.steps) = (started, station.watch.steps)
    outcome.duration = station.watch.total
    outcome.readerFailure = report.failure?.cause.readerFailure
    do throws(LineFailure) {
      let reading = TagReading(report, tag.uid, keys: settings.keys)
      // One that shows which tag it is has a UID of its own.
      let isRandom = reading.uid == tag.uid && station.place.reader.hasRandomUID(tag)
      let known = report.failure == nil && !isRandom ? try audit(reading) : nil
      var trouble = trouble(with: report, isRandom, expectsMessage: known?.isOfMemory != true)
      if trouble == nil {
        outcome.audit = known
        trouble = outcome.audit?.trouble
      }
      outcome.trouble = try record(
        reading.uid,
        CollectedRow(
          report, tag.uid, at: started, station: station.name, reader: station.place.name),
        report, .init(number: number, station: station.name), trouble)
    } catch {
      station.line.state.end(error.ending)
      outcome.trouble = TagTrouble(.journal, error.text)
    }
    outcome.count = outcome.trouble == nil ? .success : .failure
    guard outcome.trouble != nil else { return outcome }
    outcome.verdict = .failed
    outcome.next =
      outcome.bin == .again ? "Put it on a reader again." : "Set it aside and take another tag."
    return outcome
  }

  /// What was found. Throws where a journal cannot say which of its tags have not come.
  package func result() throws(JournalError) -> CollectionResult {
    try state.withLock { state throws(JournalError) in
      guard case .journal(let journal)? = settings.expectation else {
        var result = state.result
        result.expected = try settings.expectation?.count()
        return result
      }
      // The copy lets the result be asked for again.
      var found = state
      for tag in file?.earlier ?? [] {
        let audit = try journal.audit(TagReading(tag))
        if let trouble = audit.trouble { found.refuse(tag.uid, trouble) }
      }
      var result = found.result
      result.expected = try settings.expectation?.count()
      result.missing = try journal.writtenTags().map(\.uid).filter { !found.hasCome($0) }
        .map { .tag($0) }
      return result
    }
  }

  /// Enters a tag, and appends its row where it is as wanted; why it is not.
  private func record(
    _ uid: UID, _ row: CollectedRow, _ report: TagReport, _ place: CollectionState.Place,
    _ found: TagTrouble?
  ) throws(LineFailure) -> TagTrouble? {
    guard report.target != nil, report.failure?.kind != .interrupted else { return found }
    return try state.withLock { state throws(LineFailure) in
      let message = report.content.stored ?? []
      if let trouble = state.take(uid, holding: message, at: place, found) { return trouble }
      do throws(CollectedFileError) {
        try file?.append(row)
      } catch {
        state.withdraw(uid)
        throw LineFailure(ending: .collection(error), text: error.description)
      }
      return nil
    }
  }

  private func audit(_ reading: TagReading) throws(LineFailure) -> TagAudit? {
    guard case .journal(let journal)? = settings.expectation else { return nil }
    do throws(JournalError) {
      return try journal.audit(reading)
    } catch {
      throw LineFailure(ending: .journal(error), text: error.description)
    }
  }

  /// What cannot be recorded, and how the line ends by it.
  private struct LineFailure: Error {
    let ending: LineEnding
    let text: String
  }
}

/// What is wrong with a tag by itself.
extension TagCollection {
  private func trouble(
    with report: TagReport, _ hasRandomUID: Bool, expectsMessage: Bool
  ) -> TagTrouble? {
    if let failure = report.failure { return TagTrouble(failure) }
    if hasRandomUID {
      return TagTrouble(
        .randomUID,
        "The tag has a random UID, so the program cannot distinguish it from others.")
    }
    if expectsMessage, let reason = report.unreadable { return TagTrouble(.unread, reason) }
    if let wanted = settings.product, report.product?.name != wanted.name {
      let found = report.product?.displayName ?? "not known"
      return TagTrouble(
        .wrongType, "Its type is \(found), and \(wanted.displayName) is expected.")
    }
    guard settings.mustBeGenuine, let failure = report.notGenuine else { return nil }
    return TagTrouble(.notGenuine, failure.what)
  }
}

extension TagReport {
  /// Why what the tag holds is not known; nil where it is.
  fileprivate var unreadable: String? {
    switch description.content {
    case .notLookedAt: "What the tag holds was not read."
    case .unreadable(let obstacle): "What the tag holds cannot be read: \(obstacle.sentence)"
    case .lost(let lost): "The message cannot be read: \(lost.reason)."
    case .message(let held): held.fault.map { "The message cannot be read: \($0)" }
    case .empty, .unformatted, .blank, .foreign: nil
    }
  }
}
