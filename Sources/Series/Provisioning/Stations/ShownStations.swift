import Dispatch
import Foundation
import Ledger
import LedgerSQLite
import Synchronization

/// Keeps in the journal what the stations of a line show, for whoever looks at the line from
/// elsewhere.
///
/// No station waits for that: a thread of its own writes, at most four times a second and for all
/// of them together.
final class ShownStations: Sendable {
  private struct State {
    var views: [StationView]
    /// When the word of each began to be so. Milliseconds since 1970; never less than before, nor
    /// than the end of its last tag, though the clock be set back: what is newer has to show.
    var since: [Int64]
    var changed: Set<Int> = []
    var isPlanned = false
    var nextTime = DispatchTime.now()
  }

  private let session: JournalSession
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "shown stations")
  private static let pause = DispatchTimeInterval.milliseconds(250)

  init(_ names: [String], _ session: JournalSession) {
    self.session = session
    state = Mutex(
      State(
        views: names.map { StationView(name: $0) },
        since: names.map { _ in session.journal.clock() }))
  }

  func take(_ event: LineEvent) {
    let number = event.station
    let time = state.withLock { state -> DispatchTime? in
      let before = state.views[number]
      state.views[number].take(event.kind)
      guard state.views[number] != before else { return nil }
      if state.views[number].word != before.word {
        let end = if case .finished(let outcome) = event.kind { outcome.end } else { Int64(0) }
        state.since[number] = max(session.journal.clock(), state.since[number], end)
      }
      state.changed.insert(number)
      defer { state.isPlanned = true }
      return state.isPlanned ? nil : state.nextTime
    }
    guard let time else { return }
    queue.asyncAfter(deadline: time) { [weak self] in self?.write() }
  }

  /// Returns when the journal has what they showed last.
  func finish() { queue.sync { write() } }

  private func write() {
    let stations = state.withLock { state in
      defer { (state.changed, state.isPlanned, state.nextTime) = ([], false, .now() + Self.pause) }
      return state.changed.sorted().map {
        ShownStation(state.views[$0], since: state.since[$0], at: $0)
      }
    }
    guard !stations.isEmpty else { return }
    // A station that cannot write to the journal ends the line, and says why.
    try? session.show(stations)
  }
}

extension TagOutcome {
  /// When it was over, as its event has it. Milliseconds since 1970.
  fileprivate var end: Int64 {
    Date(began: started.milliseconds, lasting: Int64((duration / .microseconds(1)).rounded()))
      .milliseconds
  }
}

extension ShownStation {
  init(_ view: StationView, since: Int64, at position: Int) {
    // Where a tag goes is known by its bin; all else that the hand does stands in the text.
    let text = view.box == nil ? Self.text(view.bin, view.reason) : view.reason
    self.init(
      name: view.name, word: view.word.rawValue, bin: view.box?.rawValue,
      text: text.isEmpty ? nil : text, job: view.job?.number, uid: view.uid?.bytes, since: since,
      position: position)
  }

  /// What to do and why, each in a sentence or in a clause. The first may be all that a page has
  /// room for.
  private static func text(_ next: String, _ reason: String) -> String {
    guard !reason.isEmpty, !next.isEmpty else { return next + reason }
    return next.hasSuffix(".") ? "\(next) \(reason)" : "\(next); \(reason)"
  }
}
