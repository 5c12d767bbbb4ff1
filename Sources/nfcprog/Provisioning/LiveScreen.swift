import Dispatch
import Provisioning
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Draws a live view on the terminal at standard error, over itself, ten times a second at most; and rings its bell.
final class LiveScreen: @unchecked Sendable {
  // Sendable by hand: a timer of Dispatch may be used from any thread; all else is under a lock or never changes.
  private struct State {
    var view: LiveView
    var isStale = true
    /// Lines that are drawn.
    var drawn = 0
    var size = (width: 80, height: 24)
    /// Bells that are to come, one at each drawing.
    var bells = 0
    var lastDrawn = ContinuousClock.now
  }

  private let state: Mutex<State>
  private let isSilent: Bool
  private let isStyled: Bool
  private let start = ContinuousClock.now
  private let timer: any DispatchSourceTimer

  /// Begins to draw. `isStyled`: with colour.
  init(_ view: LiveView, isStyled: Bool, isSilent: Bool) {
    state = Mutex(State(view: view))
    (self.isStyled, self.isSilent) = (isStyled, isSilent)
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "live view"))
    timer.schedule(deadline: .now(), repeating: .milliseconds(100))
    timer.setEventHandler { [weak self] in self?.tick() }
    timer.resume()
  }

  func take(_ event: LineEvent) {
    state.withLock { state in
      state.view.take(event)
      state.isStale = true
      // Passed: one. Anything that somebody has to look at: three.
      switch event.kind {
      case .finished(let outcome): state.bells = outcome.verdict == .passed ? 1 : 5
      case .crowd, .lost: state.bells = 5
      default: break
      }
    }
  }

  /// Writes lines above the view.
  func say(_ line: String) {
    state.withLock { state in
      erase(&state)
      OutputFile.standardError.write(line + "\n")
      draw(&state)
    }
  }

  /// Draws for the last time; what follows stands below.
  func end() {
    timer.cancel()
    state.withLock { state in
      erase(&state)
      draw(&state)
    }
  }

  private func tick() {
    state.withLock { state in
      if state.bells > 0 {
        // Every second tick, so that a terminal does not run them together.
        if !isSilent, state.bells % 2 == 1 { OutputFile.standardError.write("\u{07}") }
        state.bells -= 1
      }
      let size = Self.size
      let isResized = size != state.size
      // The clock goes on without events.
      guard state.isStale || isResized || state.lastDrawn.duration(to: .now) > .seconds(1) else {
        return
      }
      if isResized {
        OutputFile.standardError.write("\u{1B}[2J\u{1B}[H")
        (state.size, state.drawn) = (size, 0)
      }
      draw(&state)
    }
  }

  private func erase(_ state: inout State) {
    guard state.drawn > 0 else { return }
    OutputFile.standardError.write("\u{1B}[\(state.drawn)A\r\u{1B}[J")
    state.drawn = 0
  }

  private func draw(_ state: inout State) {
    // The last column and line stay free, so that nothing scrolls.
    let lines = state.view.lines(
      width: state.size.width - 1, height: state.size.height - 1, elapsed: start.duration(to: .now))
    var text = state.drawn > 0 ? "\u{1B}[\(state.drawn)A\r" : "\r"
    for line in lines {
      for span in line {
        if isStyled, let style = span.style {
          text += "\u{1B}[\(style.rawValue)m\(span.text)\u{1B}[0m"
        } else {
          text += span.text
        }
      }
      text += "\u{1B}[K\n"
    }
    OutputFile.standardError.write(text + "\u{1B}[J")
    (state.drawn, state.isStale, state.lastDrawn) = (lines.count, false, .now)
  }

  private static var size: (width: Int, height: Int) {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
