import Dispatch
import Synchronization

/// One line that tells what a run does before its first tag, drawn over again while it lasts: a
/// long list takes a while.
final class StartProgress: @unchecked Sendable {
  // Sendable by hand: the timer is made and ended under the lock.
  private struct State {
    var work = ""
    var unit = ""
    var total: Int?
    var count = 0
    var begun = ContinuousClock.now
    var timer: (any DispatchSourceTimer)?
  }

  private let state = Mutex(State())
  private let isShown: Bool

  init(isShown: Bool) { self.isShown = isShown }

  deinit { end() }

  /// Draws `work` from now on, with the time that it takes; `total`: how many `unit` there are,
  /// where that is known.
  func begin(_ work: String, _ unit: String, of total: Int? = nil) {
    guard isShown else { return }
    state.withLock { state in
      (state.work, state.unit, state.total) = (work, unit, total)
      (state.count, state.begun) = (0, .now)
      Self.draw(state)
      guard state.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "start"))
      timer.schedule(deadline: .now() + .milliseconds(200), repeating: .milliseconds(200))
      timer.setEventHandler { [weak self] in self?.state.withLock { Self.draw($0) } }
      timer.resume()
      state.timer = timer
    }
  }

  /// So many are done.
  func advance(to count: Int) {
    guard isShown else { return }
    state.withLock { $0.count = count }
  }

  /// Takes the line away.
  func end() {
    state.withLock { state in
      guard let timer = state.timer else { return }
      timer.cancel()
      state.timer = nil
      OutputFile.standardError.write("\r\u{1B}[K")
    }
  }

  private static func draw(_ state: State) {
    guard state.timer != nil || state.count == 0, !state.work.isEmpty else { return }
    let seconds = Int(state.begun.duration(to: .now) / .seconds(1))
    let line = text(state.work, state.unit, state.count, of: state.total, seconds: seconds)
    OutputFile.standardError.write("\r\(line)\u{1B}[K")
  }

  /// `Checking the list: 120,000 rows, 3 s`.
  static func text(
    _ work: String, _ unit: String, _ count: Int, of total: Int?, seconds: Int
  ) -> String {
    let rows =
      total.map { "\(grouped(count)) of \(grouped($0)) \(unit)" } ?? "\(grouped(count)) \(unit)"
    return "\(work): \(rows), \(seconds) s"
  }

  /// `120,000`.
  private static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return digits
  }
}
