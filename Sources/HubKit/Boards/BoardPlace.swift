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
  /// The tag of the last verdict, where the pool contradicts that.
  private var contradicted: [UInt8]?

  init(_ key: Key) {
    self.key = key
    station = BoardStation(bench: key.bench, station: key.station, word: .place, since: 0)
  }

  /// Takes in what the station shows, where that is not older than its last event. A verdict and
  /// its event have the same time, rounded.
  mutating func take(_ shown: HubStation) {
    guard let word = StationWord(rawValue: shown.shown.word),
      shown.shown.since + 2 >= station.since
    else { return }
    if shown.run != run { (run, station.written, station.failed) = (shown.run, 0, 0) }
    (station.word, station.since) = (word, shown.shown.since)
    station.bin = shown.shown.bin.flatMap(TagOutcome.Bin.init)
    station.text = shown.shown.text
    (station.job, station.jobName) = (shown.shown.job, shown.jobName)
    station.uid = shown.shown.uid.map { UID($0) }
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
    case .failed, .held: station.failed += isRepeated(event) ? 0 : 1
    case .left: break
    }
    contradicted = event.isContradiction ? event.event.tag : nil
  }

  /// Whether the event says once more of a tag that the pool contradicts its bench about it.
  func isRepeated(_ event: HubEvent) -> Bool {
    event.isContradiction && event.event.tag == contradicted
  }
}

extension BoardStation {
  /// Its run has ended.
  mutating func end(at time: Int64) {
    (word, since) = (.ended, max(since, time))
    (bin, text, job, jobName, uid) = (nil, nil, nil, nil, nil)
  }

  /// Stations are mostly numbered: 2 comes before 10, and st-2 before st-10.
  var order: StationOrder { StationOrder(bench: bench, station: station) }
}

/// Stations by bench and name, in the order in which people count.
struct StationOrder: Hashable, Comparable {
  let bench: String
  let station: String

  static func < (one: Self, other: Self) -> Bool {
    if one.bench != other.bench { return isBefore(one.bench, other.bench) }
    return isBefore(one.station, other.station)
  }

  /// Digits that stand together count as a number; where nothing else differs, `1` is before `01`.
  private static func isBefore(_ one: String, _ other: String) -> Bool {
    var (left, right) = (one.utf8[...], other.utf8[...])
    while let first = left.first, let second = right.first {
      if isDigit(first), isDigit(second) {
        let numbers = (number(&left), number(&right))
        // Of two numbers without leading zeros the longer one is the larger.
        if numbers.0.count != numbers.1.count { return numbers.0.count < numbers.1.count }
        if !numbers.0.elementsEqual(numbers.1) {
          return numbers.0.lexicographicallyPrecedes(numbers.1)
        }
      } else if first != second {
        return first < second
      } else {
        (left, right) = (left.dropFirst(), right.dropFirst())
      }
    }
    guard left.isEmpty, right.isEmpty else { return left.isEmpty }
    return (one.utf8.count, one) < (other.utf8.count, other)
  }

  /// Takes the number from the beginning, and gives it without its leading zeros.
  private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text[digits.endIndex...]
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
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
    // Of a tag that was set aside because the pool contradicts its bench.
    case "passed" where event.cause == "conflict": .failed
    case "passed": .left
    default: nil
    }
  }

  /// Whether the pool contradicts what the bench says of the tag. That is said of each thing that
  /// the bench did with it.
  var isContradiction: Bool { event.kind == "passed" && event.cause == "conflict" }

  /// Whether a bench begins to write the tag.
  var beginsWork: Bool { event.kind == "reserved" || event.kind == "resumed" }
}
