import LedgerSQLite
import Readers
import TagMemory

extension Station {
  /// Returns whether `reason` calls for an inspection of the tag that is about to be finished; nil:
  /// it is not to be inspected. `isRepaired`: it has failed an inspection before.
  func inspectionReason(isRepaired: Bool) -> InspectionReason? {
    guard let every = line.options.inspectEvery else { return nil }
    let count = goodTags + 1
    return isRepaired ? .again : count == 1 ? .first : count.isMultiple(of: every) ? .every : nil
  }

  /// Says that the tag of `outcome` has to be put on a reader again, where it is to be inspected.
  func askForInspection(of outcome: TagOutcome) {
    guard outcome.needsInspection else { return }
    line.state.noteDue(outcome.uid)
    var wanted = Inspection(.wanted, outcome.uid, outcome.job)
    (wanted.number, wanted.tagType) = (outcome.number, outcome.tagType)
    if let inspector = line.inspectorName {
      wanted.next = "Put it on the inspection reader, \(inspector)."
    } else {
      awaited = wanted
      wanted.next = "Remove it, then put it on this reader again: it is read once more."
    }
    line.tell(number, .inspection(wanted))
  }

  /// Asks for tags of earlier runs that were not inspected any more, such as after a crash.
  func askForEarlierInspections() {
    for written in line.dueBefore(atStation: number) {
      var wanted = wanted(written)
      wanted.tagType = written.tagType
      wanted.next =
        isInspector
        ? "Put tag \(written.uid) on this reader: an earlier run ended before its inspection."
        : "Put tag \(written.uid) on this reader: an earlier run ended before its inspection, and no other tag is written here until then."
      if !isInspector { awaitedNext.append(wanted) }
      line.tell(number, .inspection(wanted))
    }
    awaitNext()
  }

  /// Awaits the next tag of an earlier run that still waits for its inspection.
  private func awaitNext() {
    while awaited == nil, !awaitedNext.isEmpty {
      let next = awaitedNext.removeFirst()
      if line.state.isDue(next.uid) { awaited = next }
    }
  }

  /// Inspects `tag`, where it is its turn, and says what was found; nil where it is an ordinary tag
  /// of this line.
  func inspection(of tag: Target) -> Inspection? {
    guard line.inspects, let series = line.series else { return nil }
    watch = StepWatch(clock)
    do throws(JournalError) {
      guard let written = try dueTag(tag, series.session.journal) else {
        if isInspector { return strange(tag) }
        return early(tag)
      }
      if let awaited, awaited.uid == written.uid { self.awaited = nil }
      let inspection = TagInspector(tag, of: series, on: self, watch: watch).inspect(written)
      line.state.finish(inspection, of: written.uid)
      if inspection.verdict == .again, !isInspector { awaited = awaited ?? wanted(written) }
      awaitNext()
      return inspection
    } catch {
      line.state.end(.journal(error))
      return nil
    }
  }

  /// The finished tag that `tag` is, where it is to be inspected here.
  private func dueTag(
    _ tag: Target, _ journal: Journal
  ) throws(JournalError) -> WrittenTag? {
    if case .written(let written)? = try journal.localHistory(of: tag.uid) {
      return isInspector || line.state.isDue(written.uid) ? written : nil
    }
    // A tag that shows a random UID is known by its message.
    guard place.reader.hasRandomUID(tag) else { return nil }
    let read = programmer(runOptions).run(.read, on: tag)
    guard let message = read.content.held?.stored,
      let number = try journal.jobs(where: .holding(digest(of: message))).first,
      let written = try journal.writtenTag(ofJob: number)
    else { return nil }
    return isInspector || line.state.isDue(written.uid) ? written : nil
  }

  private func wanted(_ written: WrittenTag) -> Inspection {
    Inspection(.wanted, written.uid, TagOutcome.Job(written.job))
  }

  /// While a tag of this station waits for its inspection, no other is begun: the reel may be bad.
  private func early(_ tag: Target) -> Inspection? {
    if let awaited, !line.state.isDue(awaited.uid) { self.awaited = nil }
    awaitNext()
    guard let awaited else { return nil }
    var inspection = Inspection(.again, tag.uid, awaited.job)
    let name = awaited.number > 0 ? "tag \(awaited.number)" : "tag \(awaited.uid)"
    inspection.trouble = TagTrouble(
      .inspectFirst, "Another tag waits for its inspection; this one was not changed.")
    inspection.next = "Put \(name) on the reader first."
    return inspection
  }

  /// A tag on the inspector that the journal does not list as finished.
  private func strange(_ tag: Target) -> Inspection {
    var inspection = Inspection(.unknown, tag.uid)
    inspection.trouble = TagTrouble(
      .unknown, "The journal does not list this tag as finished; it was not changed.")
    inspection.next = "Put it on a reader of the line."
    return inspection
  }
}
