import Provisioning
import TagProgramming

/// What a line says as it works: a live view on a terminal, a line for each tag elsewhere, JSON for programs.
final class LineOutput: Sendable {
  private let console: Console
  private let readers: [String]
  private let screen: LiveScreen?

  /// `view` is drawn where a person looks at standard error.
  init(_ console: Console, readers: [String], view: LiveView, isSilent: Bool) {
    (self.console, self.readers) = (console, readers)
    let isCapable = Console.environment("TERM") != "dumb"
    screen =
      console.showsProgress && isCapable
      ? LiveScreen(
        view, isStyled: Console.environment("NO_COLOR") == nil, isSilent: isSilent) : nil
  }

  /// Whether the screen is drawn over, so that nothing else may write to it.
  var isLive: Bool { screen != nil }

  func take(_ event: LineEvent) {
    if console.json, let object = LineJSON(event, reader: readers[event.station]) {
      console.json(JSONLine.text(object))
    }
    if let screen { return screen.take(event) }
    guard let line = Self.line(event) else {
      if case .progress(let progress) = event.kind, let text = Self.detail(progress) {
        console.detail("station \(event.station + 1): \(text)")
      }
      return
    }
    if console.json { console.remark(line) } else { console.result(line) }
  }

  func complain(_ text: String) {
    if let screen { screen.say(text) } else { console.complain("nfcprog: \(text)") }
  }

  func end() { screen?.end() }

  /// What is said of an event where there is no live view.
  static func line(_ event: LineEvent) -> String? {
    let station = "station \(event.station + 1): "
    switch event.kind {
    case .ready, .found, .progress, .ended: return nil
    case .finished(let outcome): return station + line(outcome)
    case .crowd(let uids):
      let names = uids.map(\.description).joined(separator: " and ")
      return station + "ONE TAG ONLY  several tags lie there, \(names); none was touched"
    case .lost(let reason): return station + "READER AWAY  \(reason)"
    case .back: return station + "READER BACK"
    }
  }

  static func line(_ outcome: TagOutcome) -> String {
    let tag = [outcome.tagType, outcome.uid.description].compactMap(\.self).joined(separator: " ")
    let job = outcome.job.map { "job \($0.number) \($0.name)" }
    let reason = outcome.trouble?.text
    switch outcome.verdict {
    case .passed:
      let time = "\(Int(outcome.duration / .milliseconds(1))) ms"
      return
        (["PASS  \(tag)", job, outcome.wasThere ? "it held this already" : nil, time] as [String?])
        .compactMap(\.self).joined(separator: "  ")
    case .failed:
      return
        (["FAIL  \(tag)", reason, outcome.isScrap ? "Set aside as scrap." : nil, outcome.next]
        as [String?])
        .compactMap(\.self).joined(separator: "  ")
    case .held:
      return (["AGAIN  \(tag)", job, reason, outcome.next] as [String?]).compactMap(\.self)
        .joined(separator: "  ")
    case .left: return "NOT WRITTEN  \(tag)  \(reason ?? "")"
    }
  }

  private static func detail(_ progress: Progress) -> String? {
    switch progress {
    case .step(let number, let count, let step): "\(number)/\(count) \(step)"
    case .retrying(let reason, let attempt): "attempt \(attempt): \(sentence(reason))"
    case .identified(let product): "\(product)"
    case .waiting, .found, .planned: nil
    }
  }
}
