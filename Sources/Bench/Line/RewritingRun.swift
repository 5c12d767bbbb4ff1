import Bench
import JobLists
import LedgerSQLite
import NDEF
import Provisioning
import TagProgramming

/// A run over tags from the field: each gets the new link that rules make of its own, or gets back
/// what it held before.
package final class RewritingRun: Sendable {
  /// The settings say what the run is asked for.
  package struct Settings: Sendable {
    /// The journal's file.
    package var journal: String
    /// The rules; nil: tags get back what they held.
    package var rules: ChangeRules?
    package var line = LineOptions()
    /// Who works, and with which command of which version: for the journal.
    package var operatorName = ""
    package var commandLine = ""
    package var version = ""
    /// The variables that name a person's folders.
    package var environment = Environment()

    package init(journal: String, rules: ChangeRules?) {
      (self.journal, self.rules) = (journal, rules)
    }
  }

  private let settings: Settings
  private let changes: TagChanges
  private let tell: @Sendable (ProvisioningEvent) -> Void
  private let shouldStop: @Sendable () -> Bool

  /// `wake`: what every new link is held to; `tell` gets all events, those of stations from their
  /// threads; `shouldStop` is asked between steps. Fails for a journal that is no file.
  package init(
    _ settings: Settings, wake: WakeCheck? = nil,
    tell: @escaping @Sendable (ProvisioningEvent) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws(BenchError) {
    guard !PoolSeries.isPool(settings.journal) else {
      throw BenchError(
        .usage, "Tags from the field have a journal in a file, and no batch of a database.")
    }
    (self.settings, self.tell, self.shouldStop) = (settings, tell, shouldStop)
    changes = TagChanges(settings.rules) { wake?.refusal(of: VaryingMessage($0)) }
  }

  /// Rewrites tag after tag, with a station for each of `readers`.
  package func work(on choices: LineReaders) throws(BenchError) -> LineSummary {
    let journal = try BenchError.journaled { () throws(JournalError) in try open() }
    let trail = try BenchError.journaled { () throws(JournalError) in
      let state = settings.environment.stateHome ?? "/.local/state"
      let trail = try JournalTrail(of: journal, beside: nil, state: state)
      try trail.check()
      return trail
    }
    tell(.prepared)
    tell(.workBegan("Opening the readers", unit: "readers", count: choices.count))
    let readers = try choices.open { [tell] in tell(.workAdvanced($0)) }
    defer { for reader in readers { try? reader.session.close() } }
    tell(.workEnded)
    // Tags of all types come from the field.
    for reader in readers { reader.reader.look(for: nil) }
    let session = try BenchError.journaled { () throws(JournalError) in
      try journal.begin(
        operator: settings.operatorName, command: settings.commandLine, version: settings.version,
        afterEach: { trail.note($0) })
    }
    defer { try? session.end() }
    let line = try BenchError.journaled { () throws(JournalError) in
      let waiting = try journal.reservations().filter(\.holder.isAbsent).map {
        ($0.uid, $0.job.number)
      }
      let all = changes.isBack ? try journal.changedTags() : 0
      let goal = settings.line.count ?? all
      tell(
        .opened(
          ProvisioningOverview(
            jobs: goal, readers: readers.map(\.name), stationNames: choices.stationNames,
            goal: goal, done: 0, waiting: Dictionary(waiting) { first, _ in first },
            interrupts: readers.map(\.session.interrupt))))
      var options = settings.line
      options.stationNames = choices.stationNames
      return try StationLine(
        readers: readers, session: session, changing: changes, options: options,
        tell: { [tell] in tell(.line($0)) }, shouldStop: shouldStop)
    }
    tell(.started(line))
    let summary = line.run()
    tell(.ended)
    return summary
  }

  private func open() throws(JournalError) -> Journal {
    let journal = try Journal(
      at: settings.journal, access: .readWrite(creating: settings.rules != nil))
    if let bench = try journal.benchName() {
      throw .benchesJournal(settings.journal, bench: bench)
    }
    try journal.adopt(changes: settings.rules?.description)
    return journal
  }

  /// Returns the job that a run would do on the tag that lies there, and the change of its link.
  /// Writes nothing, not even to the journal. Fails, and says why, where a run would leave the tag
  /// alone. `secondsSince1970`: now.
  package func plan(
    for tag: TagFound, at secondsSince1970: Int64
  ) throws(BenchError) -> (job: Job, change: String?) {
    let decision = try BenchError.journaled { () throws(JournalError) in
      try changes.decide(
        tag.target.uid, holding: tag.content, by: try known(),
        on: TagFields.day(secondsSince1970))
    }
    switch decision {
    case .leave(let trouble, _):
      throw BenchError(trouble.known?.readingCode ?? .badInput, trouble.text)
    case .write(let message, let bytes, _, let text):
      return (TagChanges.job(message, bytes, isBegun: false), text)
    }
  }

  /// The journal, to look at; nil where a run would make it. Throws where a run would refuse it.
  private func known() throws(JournalError) -> Journal? {
    guard settings.rules == nil || Files.exists(settings.journal) else { return nil }
    let journal = try Journal(at: settings.journal, access: .readOnly)
    guard let known = try journal.source()?.description else { return journal }
    let isOther =
      settings.rules.map { !$0.description.differences(from: known).isEmpty }
      ?? (known.kind != ChangeRules.kind)
    guard !isOther else {
      throw .sourceFailed("The journal is one of other changes, or of a list.")
    }
    return journal
  }
}
