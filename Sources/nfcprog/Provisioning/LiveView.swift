import Provisioning
import TagProgramming

/// What a line looks like at one moment, for the people who stand at it: from events to lines of text.
struct LiveView {
  /// One station.
  struct Place: Hashable {
    let name: String
    var word = Word.starting
    /// What the word is about: a job, a reason.
    var detail = ""
  }

  /// What an operator has to know of a station, in large plain words.
  enum Word: String, Hashable {
    case starting = "…"
    case place = "PLACE TAG"
    case looking = "LOOKING"
    case writing = "WRITING"
    case verifying = "CHECKING"
    case pass = "REMOVE – PASS"
    case fail = "REMOVE – FAIL"
    case again = "LAY DOWN AGAIN"
    case left = "REMOVE – NOT WRITTEN"
    case several = "ONE TAG ONLY"
    case lost = "READER AWAY"
    case ended = "ENDED"

    /// Colour helps; the words alone say everything.
    var style: Console.Style? {
      switch self {
      case .pass: .good
      case .fail, .again, .left, .several, .lost: .bad
      case .place: .bold
      case .starting, .looking, .writing, .verifying, .ended: nil
      }
    }
  }

  /// A line in parts, so that what a terminal shows can be cut without cutting into its colours.
  struct Span: Hashable {
    let text: String
    var style: Console.Style?
  }

  private(set) var places: [Place]
  let title: String
  /// Good tags that are asked for.
  let goal: Int
  /// Of these, how many there were before this run.
  private let before: Int
  private(set) var passed = 0
  private(set) var failed = 0
  private(set) var held = 0
  private(set) var left = 0
  /// The last troubles, the newest first.
  private(set) var troubles: [String] = []

  init(title: String, stations: [String], goal: Int, before: Int = 0) {
    (self.title, self.goal, self.before) = (title, goal, before)
    places = stations.map { Place(name: $0) }
  }

  // MARK: Events

  mutating func take(_ event: LineEvent) {
    let number = event.station
    switch event.kind {
    case .ready: set(number, .place)
    case .found(let uid): set(number, .looking, "\(uid)")
    case .progress(let progress): take(progress, number)
    case .finished(let outcome): finish(outcome, number)
    case .crowd: set(number, .several, "several tags lie there; none was touched")
    case .lost(let reason): set(number, .lost, reason)
    case .back: set(number, .starting)
    case .ended: set(number, .ended)
    }
  }

  private mutating func take(_ progress: Progress, _ number: Int) {
    guard case .step(let step, let count, let what) = progress else { return }
    set(number, what.isWrite ? .writing : .verifying, "\(step) of \(count)")
  }

  private mutating func finish(_ outcome: TagOutcome, _ number: Int) {
    let job = outcome.job.map { "\($0.name) " } ?? ""
    let reason = outcome.trouble.map(Self.words) ?? ""
    switch outcome.verdict {
    case .passed:
      passed += 1
      set(number, .pass, job)
    case .failed:
      failed += 1
      set(number, .fail, reason)
    case .held:
      held += 1
      set(number, .again, "\(job)\(outcome.uid)")
    case .left:
      left += 1
      set(number, .left, reason)
    }
    guard outcome.verdict != .passed else { return }
    troubles.insert(
      "\(number + 1)  \(outcome.uid)  \(outcome.trouble?.text ?? "")", at: 0)
    if troubles.count > 50 { troubles.removeLast() }
  }

  /// A cause in a few plain words; the whole sentence stands below.
  private static func words(_ trouble: TagTrouble) -> String {
    switch trouble.cause {
    case "refused": "it does not take what is written"
    case "mismatch": "it does not keep what is written"
    case "lost": "it went away, or answers badly"
    case "written": "it has its job already"
    case "scrap": "it was set aside before"
    case "foreign": "it holds another message"
    case "copy": "it is a copy of another tag"
    case "wrong-type": "no job is for this type of tag"
    case "no-job": "no job is left"
    case "unsuited": "it cannot take its job"
    case "random-uid": "its UID is another each time"
    case "in-use": "another station has a tag with this UID"
    case "reader": "the reader failed"
    default: trouble.text
    }
  }

  private mutating func set(_ number: Int, _ word: Word, _ detail: String = "") {
    places[number].word = word
    places[number].detail = detail
  }

  // MARK: Lines

  /// At most `height` lines, none wider than `width` columns; `elapsed` since the start.
  func lines(width: Int, height: Int, elapsed: Duration) -> [[Span]] {
    var lines = [
      [Span(text: title, style: .bold)], [Span(text: progress(width))],
      [Span(text: rate(elapsed))], [],
    ]
    // Two lines stay free for the troubles where there is room.
    let room = max(1, height - lines.count - (height > 12 ? 4 : 0))
    lines += stations(width: width, room: room)
    var rest = height - lines.count - 2
    if rest > 0, !troubles.isEmpty {
      lines += [[], [Span(text: "Not passed, the last ones:")]]
      rest -= 1
      for trouble in troubles.prefix(max(0, rest)) { lines.append([Span(text: "  \(trouble)")]) }
    }
    return lines.prefix(max(1, height)).map { Self.cut($0, to: width) }
  }

  private func progress(_ width: Int) -> String {
    let done = before + passed
    let filled = goal > 0 ? min(20, 20 * done / goal) : 20
    let bar = String(repeating: "#", count: filled) + String(repeating: "·", count: 20 - filled)
    var parts = ["\(done) of \(goal) done", "\(failed) failed"]
    if held > 0 { parts.append("\(held) to lay down again") }
    if left > 0 { parts.append("\(left) not written") }
    return "[\(bar)] " + parts.joined(separator: ", ")
  }

  private func rate(_ elapsed: Duration) -> String {
    let seconds = elapsed / .seconds(1)
    guard passed > 0, seconds > 1 else { return "running \(Self.clock(elapsed))" }
    let hourly = Double(passed) * 3600 / seconds
    let remaining = Double(max(0, goal - before - passed)) * seconds / Double(passed)
    return
      "running \(Self.clock(elapsed)), \(Int(hourly)) tags an hour, about \(Self.clock(.seconds(Int(remaining)))) left"
  }

  /// A line for each station, in columns side by side where they are too many.
  private func stations(width: Int, room: Int) -> [[Span]] {
    let columns = (places.count + room - 1) / room
    let rows = (places.count + columns - 1) / columns
    let columnWidth = width / columns
    let numberWidth = String(places.count).count
    let nameWidth = columns > 1 ? 0 : min(width / 3, places.map(\.name.count).max() ?? 0)
    return (0..<rows).map { row in
      (0..<columns).flatMap { column -> [Span] in
        let index = column * rows + row
        guard places.indices.contains(index) else { return [] }
        let place = places[index]
        var spans = [Span(text: Self.padded("\(index + 1)", numberWidth) + "  ")]
        if nameWidth > 0 { spans.append(Span(text: Self.padded(place.name, nameWidth) + "  ")) }
        spans += [
          Span(
            text: Self.padded(place.word.rawValue, columns > 2 ? 0 : 20), style: place.word.style),
          Span(text: "  " + place.detail),
        ]
        guard columns > 1 else { return spans }
        let cut = Self.cut(spans, to: columnWidth - 2)
        let used = cut.reduce(0) { $0 + $1.text.count }
        return cut + [Span(text: String(repeating: " ", count: max(0, columnWidth - used)))]
      }
    }
  }

  /// `text` with spaces behind, or cut, to `width`.
  private static func padded(_ text: String, _ width: Int) -> String {
    if width == 0 { return text }
    let cut = text.count > width ? text.prefix(width - 1) + "…" : text[...]
    return cut + String(repeating: " ", count: max(0, width - cut.count))
  }

  private static func cut(_ spans: [Span], to width: Int) -> [Span] {
    var room = width
    var result: [Span] = []
    for span in spans {
      // What tags and tables say may hold anything.
      let text = String(
        span.text.map {
          $0.isNewline || $0.asciiValue.map { $0 < 32 || $0 == 127 } == true ? " " : $0
        })
      guard text.count > room else {
        result.append(Span(text: text, style: span.style))
        room -= text.count
        continue
      }
      if room > 0 { result.append(Span(text: text.prefix(room - 1) + "…", style: span.style)) }
      break
    }
    return result
  }

  /// `1:02:03`, `2:03`.
  static func clock(_ duration: Duration) -> String {
    let seconds = Int(duration / .seconds(1))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}
