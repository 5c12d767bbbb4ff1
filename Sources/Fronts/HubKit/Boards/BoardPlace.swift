import Ledger
import Provisioning
import TagMemory

/// A station as its events show it, and as it says that it shows itself.
struct BoardPlace: Hashable {
  struct Key: Hashable {
    var bench: String
    var station: String
  }

  let key: Key
  private(set) var station: BoardStation
  /// The run of its last event; nil: not known.
  private(set) var run: String?
  /// By how much its run's clock is behind.
  private var clock = BenchClock()
  /// As its last verdict had it.
  private var verdict: BoardStation?
  /// The tag of the last verdict, where the pool contradicts that.
  private var contradicted: [UInt8]?

  init(_ key: Key) {
    self.key = key
    station = BoardStation(bench: key.bench, station: key.station, word: .place, since: 0)
  }

  /// Takes in what the station shows: where that is not older than its last event, or of a run
  /// that is not (`isLater`), as the clock may have been set between two runs. A verdict and its
  /// event have the same time, rounded.
  mutating func take(_ shown: NamedStation, isLater: Bool) {
    guard let word = StationWord(rawValue: shown.shown.word) else { return }
    let isNews = shown.run == run ? shown.shown.since + 2 >= station.since : isLater
    if shown.run == run || isLater { station.position = shown.shown.position }
    guard isNews else { return }
    begin(shown.run)
    (station.word, station.since) = (word, shown.shown.since)
    station.bin = shown.shown.bin.flatMap(TagOutcome.Bin.init)
    (station.text, station.next) = (shown.shown.text, station.bin?.next)
    (station.job, station.jobName) = (shown.shown.job, shown.jobName)
    station.uid = shown.shown.uid.map { UID($0) }
    // A verdict is said in the words of its event; an inspection has none.
    if let verdict, verdict.word == word, verdict.bin == station.bin, verdict.uid == station.uid {
      station.next = verdict.next
    }
  }

  /// Takes an event in that begins or ends work on a tag at this station; gives when that was.
  @discardableResult
  mutating func take(_ event: NamedEvent) -> Int64 {
    begin(event.run)
    let time = clock.time(of: event)
    (station.job, station.jobName) = (event.event.job, event.jobName)
    station.uid = event.event.tag.map { UID($0) }
    guard let verdict = event.verdict else {
      (station.word, station.since) = (.writing, event.event.started)
      (station.bin, station.next, station.text) = (nil, nil, nil)
      return time
    }
    (station.word, station.since) = (StationWord(verdict, cause: event.cause), event.end)
    station.bin = TagBin(verdict, cause: event.cause, isScrap: event.isScrap)
    let words = LineWords(verdict, cause: event.cause, isScrap: event.isScrap)
    (station.next, station.text) = (words.next, words.reason.isEmpty ? nil : words.reason)
    self.verdict = station
    switch event.count {
    case .success: station.written += 1
    case .failure: station.failed += isRepeated(event) ? 0 : 1
    case .leftAlone, .none: break
    }
    contradicted = event.isContradiction ? event.event.tag : nil
    return time
  }

  private mutating func begin(_ run: String?) {
    guard run != self.run else { return }
    (self.run, station.written, station.failed, clock) = (run, 0, 0, BenchClock())
  }

  /// Returns whether the event says once more of a tag that the pool contradicts its bench about
  /// it.
  func isRepeated(_ event: NamedEvent) -> Bool {
    event.isContradiction && event.event.tag == contradicted
  }

  /// The station as it is `now`.
  func shown(at now: Int64) -> BoardStation {
    var station = station
    station.since = shown(station.since, at: now)
    return station
  }

  /// A time of its bench as it is shown `now`.
  func shown(_ time: Int64, at now: Int64) -> Int64 { min(clock.corrected(time), now) }
}

extension BoardStation {
  /// Its run has ended; `wasCutOff`: without saying so.
  mutating func end(at time: Int64, wasCutOff: Bool) {
    (word, since) = (.ended, time)
    next = wasCutOff ? "the run was cut off" : "the run has ended"
    (bin, text, job, jobName, uid) = (nil, nil, nil, nil, nil)
  }

  /// Its bench has said nothing for too long.
  mutating func fallSilent(at time: Int64) {
    (isSilent, since, bin) = (true, time, nil)
    (next, text) = ("look at its bench", "it showed \(word.text) last")
  }
}

extension LineWords {
  /// What stands below the word of a station, as in a terminal.
  fileprivate var next: String { bin == "again" ? TagOutcome.Bin.again.next : bin }
}

extension TagOutcome.Bin {
  /// What the hand does with a tag whose verdict is not known in other words.
  fileprivate var next: String {
    switch self {
    case .good: "good"
    case .again: "try it again"
    case .bin: "bin it"
    case .aside: "set it aside"
    }
  }
}
