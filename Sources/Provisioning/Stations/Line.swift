import Dispatch
import Readers
import TagMemory

/// A bench line: one station for each reader, which share a list of jobs and its journal.
///
/// Each station works in its own time on a thread of its own: it takes a job when a tag lies on its reader, writes it,
/// reads it back, enters it in the journal and waits for the tag to be taken away. Trouble with one reader or tag
/// does not stop the others.
public final class Line: Sendable {
  let session: JournalSession
  let source: JobSource
  let options: LineOptions
  let labels: LabelFile?
  let state: LineState
  private let readers: [any StationReader]
  private let tellAll: @Sendable (LineEvent) -> Void
  private let wantsEnd: @Sendable () -> Bool

  /// `readers` are open, the journal has adopted the jobs of `source`. `tell` is called by the stations' threads;
  /// `shouldStop` is asked between steps: true ends the run at a point from which another goes on.
  public init(
    readers: [any StationReader], session: JournalSession, source: JobSource, options: LineOptions,
    labels: LabelFile? = nil, tell: @escaping @Sendable (LineEvent) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws(JournalError) {
    (self.readers, self.session, self.source, self.options) = (readers, session, source, options)
    (self.labels, tellAll, wantsEnd) = (labels, tell, shouldStop)
    let waiting = try session.journal.reservations().filter(\.holder.isAbsent)
    state = LineState(
      options, pending: try session.journal.tally().pending, waitedFor: Set(waiting.map(\.uid)))
  }

  /// Runs until the jobs are done, or the run ends for another reason. Blocks.
  public func run() -> LineSummary {
    endIfDone()
    let group = DispatchGroup()
    for (number, reader) in readers.enumerated() {
      // A queue of its own for each: stations block most of the time.
      let queue = DispatchQueue(label: "station \(number)")
      queue.async(group: group) { [self] in Station(number, reader, on: self).run() }
    }
    group.wait()
    if let tally = try? session.journal.tally() { state.note(pending: tally.pending) }
    return state.summary
  }

  /// Ends the run when the journal, too, says that nothing is left to do.
  func endIfDone() {
    guard state.mayBeDone else { return }
    do throws(JournalError) {
      let journal = session.journal
      let waiting = try journal.reservations().filter(\.holder.isAbsent)
      state.endIfDone(pending: try journal.tally().pending, waitedFor: Set(waiting.map(\.uid)))
    } catch {
      state.end(.journal(error))
    }
  }

  func tell(_ station: Int, _ kind: LineEvent.Kind) {
    tellAll(LineEvent(station: station, kind: kind))
  }

  /// Whether somebody asked for the end; a tag that is being written is left at its next safe point.
  func isInterrupted() -> Bool {
    guard wantsEnd() else { return false }
    state.end(.interrupted)
    return true
  }

  /// Whether no further tag is begun.
  func isOver() -> Bool { isInterrupted() || state.isOver }
}
