import Dispatch
import Provisioning
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Draws a live view on the terminal at standard error, over itself, ten times a second at most;
/// and rings its bell.
final class LiveScreen: @unchecked Sendable {
  // Sendable by hand: a timer of Dispatch may be used from any thread; all else is under a lock or
  // never changes.
  private struct State {
    var view: LiveView
    var isStale = true
    /// Lines that are drawn.
    var drawn = 0
    var size = (width: 80, height: 24)
    var sounds = SoundQueue()
    var lastDrawn = ContinuousClock.now
    /// Is true if it has drawn for the last time: what stands on the terminal stays there.
    var isOver = false
  }

  private let state: Mutex<State>
  private let look: Look
  private let start = ContinuousClock.now
  private let timer: any DispatchSourceTimer
  /// Writes to the terminal.
  private let terminal: @Sendable (String) -> Void

  /// What the terminal can show, and what its people want.
  struct Look: Hashable {
    var hasColour = true
    /// ASCII only.
    var isPlain = false
    /// No bell.
    var isSilent = false
  }

  /// Begins to draw.
  init(
    _ view: LiveView, _ look: Look,
    terminal: @escaping @Sendable (String) -> Void = { OutputFile.standardError.write($0) }
  ) {
    state = Mutex(State(view: view))
    (self.look, self.terminal) = (look, terminal)
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "live view"))
    timer.schedule(deadline: .now(), repeating: .milliseconds(100))
    timer.setEventHandler { [weak self] in self?.tick() }
    timer.resume()
  }

  func take(_ event: LineEvent) {
    state.withLock { state in
      state.view.take(event, now: start.duration(to: .now))
      state.isStale = true
      switch event.kind {
      case .scanned(_, .taken): break
      // Whoever lays the next tag down too early hears the verdict once more.
      case .finished, .inspection, .early, .severalTags, .lost, .scanned, .scannerLost:
        if let sound = state.view.places[event.station].word.sound { state.sounds.add(sound) }
      default: break
      }
    }
  }

  /// Writes lines above the view.
  func say(_ line: String) {
    state.withLock { state in
      erase(&state)
      terminal(TerminalText.shown(line) + "\n")
      draw(&state)
    }
  }

  /// Draws for the last time, however often it is called; what follows stands below.
  func end() {
    timer.cancel()
    state.withLock { state in
      erase(&state)
      draw(&state)
      (state.isOver, state.drawn) = (true, 0)
    }
  }

  private func tick() {
    state.withLock { state in
      guard !state.isOver else { return }
      if state.sounds.tick(), !look.isSilent { terminal("\u{07}") }
      let size = Self.size
      let isResized = size != state.size
      // The clock goes on without events.
      guard state.isStale || isResized || state.lastDrawn.duration(to: .now) > .seconds(1) else {
        return
      }
      if isResized {
        terminal("\u{1B}[2J\u{1B}[H")
        (state.size, state.drawn) = (size, 0)
      }
      draw(&state)
    }
  }

  private func erase(_ state: inout State) {
    guard state.drawn > 0 else { return }
    terminal("\u{1B}[\(state.drawn)A\r\u{1B}[J")
    state.drawn = 0
  }

  private func draw(_ state: inout State) {
    guard !state.isOver else { return }
    // The last column and line stay free, so that nothing scrolls.
    let lines = state.view.lines(
      width: state.size.width - 1, height: state.size.height - 1, now: start.duration(to: .now))
    var text = state.drawn > 0 ? "\u{1B}[\(state.drawn)A\r" : "\r"
    for line in lines { text += look.text(line) + "\u{1B}[K\n" }
    terminal(text + "\u{1B}[J")
    (state.drawn, state.isStale, state.lastDrawn) = (lines.count, false, .now)
  }

  private static var size: (width: Int, height: Int) { OutputFile.standardError.size ?? (80, 24) }
}

extension LiveScreen.Look {
  /// As the environment has it: NO_COLOR (no-color.org), and a locale that names another character
  /// set than UTF-8.
  init(_ environment: [String: String], isSilent: Bool) {
    self.init()
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    hasColour = value("NO_COLOR") == nil
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? ""
    let set = locale.split(separator: ".").dropFirst().first?.prefix { $0 != "@" }.lowercased()
    isPlain = value("TERM") == "dumb" || ![nil, "utf-8", "utf8"].contains(set)
    self.isSilent = isSilent
  }

  /// A line as the terminal gets it.
  func text(_ line: [StyledText]) -> String {
    (isPlain ? line.plain : line).reduce(into: "") { text, part in
      if hasColour, let style = part.style, !part.text.isEmpty {
        text += "\u{1B}[\(style.rawValue)m\(TerminalText.shown(part.text))\u{1B}[0m"
      } else {
        text += TerminalText.shown(part.text)
      }
    }
  }
}
