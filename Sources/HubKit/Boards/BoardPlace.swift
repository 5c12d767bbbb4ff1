import Provisioning
import TagMemory

/// A station as its events show it.
struct BoardPlace: Hashable {
  struct Key: Hashable {
    var bench: String
    var station: String
  }

  let key: Key
  private(set) var station: BoardStation
  /// The run of its last event; nil: not known.
  private(set) var run: String?

  init(_ key: Key) {
    self.key = key
    station = BoardStation(bench: key.bench, station: key.station, word: .place, since: 0)
  }

  /// Takes an event in that begins or ends work on a tag at this station.
  mutating func take(_ event: HubEvent) {
    if event.run != run { (run, station.written, station.failed) = (event.run, 0, 0) }
    (station.job, station.jobName) = (event.event.job, event.jobName)
    station.uid = event.event.tag.map { UID($0) }
    guard let verdict = event.verdict else {
      (station.word, station.since) = (.writing, event.event.started)
      (station.bin, station.text) = (nil, nil)
      return
    }
    (station.word, station.since) = (StationWord(verdict), event.end)
    station.bin = TagOutcome.Bin(verdict, cause: event.event.cause, isScrap: event.isScrap)
    let words = LineWords(verdict, cause: event.event.cause, isScrap: event.isScrap)
    station.text = words.reason.isEmpty ? nil : words.reason
    switch verdict {
    case .passed: station.written += 1
    case .failed, .held: station.failed += 1
    case .left: break
    }
  }
}

extension BoardStation {
  /// Its run has ended.
  mutating func end(at time: Int64) {
    (word, since) = (.ended, max(since, time))
    (bin, text, job, jobName, uid) = (nil, nil, nil, nil, nil)
  }

  /// Stations are mostly numbered: 2 comes before 10.
  var order: (String, Int, String) { (bench, Int(station) ?? .max, station) }
}

extension HubEvent {
  /// When it was over, by the bench's clock. Milliseconds since 1970.
  var end: Int64 { event.started + event.duration / 1000 }

  /// What it says of the tag; nil: nothing yet, or it is no matter of a station.
  var verdict: TagOutcome.Verdict? {
    switch event.kind {
    case "written": .passed
    case "returned": .failed
    case "held": .held
    case "passed": .left
    default: nil
    }
  }

  /// Whether a bench begins to write the tag.
  var beginsWork: Bool { event.kind == "reserved" || event.kind == "resumed" }
}
