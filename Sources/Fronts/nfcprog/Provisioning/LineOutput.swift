import Provisioning
import Synchronization
import TagMemory
import TagProgramming
import UniversalLinks
import Wording

/// What a line says as it works: a live view on a terminal, a line for each tag elsewhere, JSON for
/// programs.
final class LineOutput: Sendable {
  private let console: Console
  private let command: String
  private let readers: [String]
  /// As people call the stations; nil: by their numbers.
  private let names: [String]?
  private let screen: LiveScreen?
  /// Is true if verdicts stand in large letters on a terminal that cannot draw over itself.
  private let hasBanners: Bool
  /// Is true if a MIFARE Classic is warned of.
  private let warnsOfClassics: Bool
  private let hasWarned = Mutex(false)
  /// The codes of what was said of a good tag.
  private let noted = Mutex<Set<String>>([])

  /// `view` is drawn where a person looks at standard error.
  init(
    _ console: Console, command: String = "provision", readers: [String], names: [String]?,
    view: LiveView, isSilent: Bool,
    warnsOfClassics: Bool = false
  ) {
    (self.console, self.command) = (console, command)
    (self.readers, self.names) = (readers, names)
    self.warnsOfClassics = warnsOfClassics
    screen =
      Self.isLive(on: console)
      ? LiveScreen(view, LiveScreen.Look(Console.environment.variables, isSilent: isSilent)) : nil
    hasBanners = console.showsProgress && screen == nil
  }

  /// Returns whether the screen is drawn over, so that nothing else may write to it.
  static func isLive(on console: Console) -> Bool {
    console.showsProgress && Console.environment["TERM"] != "dumb"
  }

  func take(_ event: LineEvent) {
    let warning = warning(event)
    if console.json, let read = CollectedJSON(event, command, reader: readers[event.station]) {
      console.json(read)
    } else if console.json,
      var object = LineJSON(
        event, reader: readers[event.station], advice: \.advice)
    {
      object.command = command
      let findings =
        (warning.map { [LinkJSON.Finding($0)] } ?? []) + notes(event).map { LinkJSON.Finding($0) }
      object.findings = findings.isEmpty ? nil : findings
      console.json(object)
    }
    defer {
      if let warning { warn(warning) }
      note(notes(event))
    }
    if let screen { return screen.take(event) }
    let station = station(event.station)
    guard let line = Self.line(event) else {
      if case .progress(let progress) = event.kind, let text = Self.detail(progress) {
        console.detail("\(station): \(text)")
      }
      return
    }
    if hasBanners { for line in Self.banner(event) { console.remark(line) } }
    if console.quiet, case .finished(let outcome) = event.kind, outcome.verdict == .passed {
      return
    }
    let whole = "\(station): \(line)"
    if console.json { console.remark(whole) } else { console.result(whole) }
  }

  /// What may go wrong with a good tag in a run whose links are held to wake an iPhone's app.
  private func warning(_ event: LineEvent) -> Finding? {
    guard warnsOfClassics, case .finished(let outcome) = event.kind, outcome.verdict == .passed,
      outcome.tagType.flatMap(Product.named)?.classicSectorCount != nil
    else { return nil }
    return BackgroundReading.classicCarrier
  }

  /// Says it once: of each further tag the summary and the JSON tell.
  private func warn(_ finding: Finding) {
    let isFirst = hasWarned.withLock { hasWarned in
      defer { hasWarned = true }
      return !hasWarned
    }
    if isFirst { complain(finding.message) }
  }

  /// What is unusual about a good tag, such as a lock that whoever has a public key can take off.
  private func notes(_ event: LineEvent) -> [TagDescription.Finding] {
    guard ["provision", "rewrite"].contains(command), case .finished(let outcome) = event.kind
    else { return [] }
    return outcome.findings
  }

  /// Says each once: of each further tag the JSON tells.
  private func note(_ findings: [TagDescription.Finding]) {
    guard !console.quiet else { return }
    for finding in findings where noted.withLock({ $0.insert(finding.code).inserted }) {
      let text = "Note (\(finding.code)): \(finding.sentence(RemedyText.option))"
      if let screen { screen.say(text) } else { console.remark(text) }
    }
  }

  /// `station 2`, `station 2, right`.
  private func station(_ number: Int) -> String {
    "station \(number + 1)" + (names.map { ", \($0[number])" } ?? "")
  }

  /// The verdict in large letters of ASCII, for a terminal that only scrolls.
  static func banner(_ event: LineEvent) -> [String] {
    let word: StationWord
    switch event.kind {
    case .finished(let outcome): word = StationWord(outcome.verdict, cause: outcome.trouble?.known)
    case .inspection(let inspection): word = StationWord(inspection)
    case .severalTags: word = .several
    case .lost: word = .lost
    case .scanWanted: word = .scan
    case .labelScanWanted: word = .scanLabel
    case .scannerLost: word = .scannerLost
    case .printerWanted: word = .printer
    case .scanned(_, let answer):
      guard let refusal = ScanText.word(answer) else { return [] }
      word = refusal
    case .ready, .stands, .answered, .early, .same, .found, .progress, .printerReady, .back,
      .codeDropped, .scannerBack, .ended:
      return []
    }
    let letters = BlockLetters.lines(word.text, symbol: word.symbol, width: 79, height: 5)
    return [""] + (letters ?? []).map(\.plain)
  }

  func complain(_ text: String) {
    if let screen { screen.say(text) } else { console.complain("nfcprog: \(text)") }
  }

  func end() { screen?.end() }

  private static func detail(_ progress: JobProgress) -> String? {
    switch progress {
    case .step(let number, let count, let step): "\(number)/\(count) \(step)"
    case .retrying(let failure, let attempt): "attempt \(attempt): \(failure.what)"
    case .identified(let product): "\(product)"
    case .waiting, .found, .planned: nil
    }
  }
}
