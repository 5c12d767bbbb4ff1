import Provisioning
import TagMemory

/// What a line looks like at one moment, for the people who stand at it: a value that events change
/// and that is drawn by
/// `lines(width:height:now:)`.
struct LiveView {
  /// A tag that may hold an unfinished job.
  struct Waiting: Hashable {
    /// Where it lay last in this run, and its number there.
    var station: Int?
    var tag: Int?
    /// How people call it: `tag 12 of left`.
    let text: String
  }

  /// What became of a tag.
  struct Verdict: Hashable {
    let word: StationWord
    /// Since the start.
    let when: Duration
    let station: Int
    let tag: Int?
    let job: String?
    let bin: String
  }

  private(set) var places: [StationView]
  let title: String
  /// Good tags that are asked for; 0: no number of them.
  let goal: Int
  /// Of these, how many there were before this run.
  let before: Int
  private(set) var passed = 0
  private(set) var failed = 0
  private(set) var left = 0
  private(set) var waiting: [UID: Waiting]
  /// The last ten verdicts, the newest first.
  private(set) var verdicts: [Verdict] = []

  /// `before`: good tags of earlier runs; `waiting`: tags of these that may hold an unfinished job.
  init(
    title: String, stations: [String], goal: Int, before: Int = 0, waiting: [UID: Waiting] = [:]
  ) {
    (self.title, self.goal, self.before, self.waiting) = (title, goal, before, waiting)
    places = stations.map { StationView(name: $0) }
  }

  /// How many tags are to be laid down again.
  var held: Int { waiting.count }

  // MARK: Events

  /// Takes an event in that happened at `now`, since the start.
  mutating func take(_ event: LineEvent, now: Duration = .zero) {
    let tag = places[event.station].tag
    places[event.station].take(event.kind)
    if case .finished(let outcome) = event.kind { finish(outcome, event.station, tag, now) }
  }

  /// `tag`: its number at the station.
  private mutating func finish(
    _ outcome: TagOutcome, _ number: Int, _ tag: Int?, _ now: Duration
  ) {
    switch outcome.verdict {
    case .passed: passed += 1
    case .failed: failed += 1
    case .held:
      waiting[outcome.uid] = Waiting(
        station: number, tag: tag, text: "tag \(tag ?? 0) of \(places[number].name)")
    case .left: left += 1
    }
    // Finished, or its job went back to the others.
    if outcome.verdict == .passed || outcome.verdict == .failed { waiting[outcome.uid] = nil }
    let place = places[number]
    verdicts.insert(
      Verdict(
        word: place.word, when: now, station: number, tag: place.tag,
        job: outcome.job?.text, bin: LineWords(outcome).bin), at: 0)
    if verdicts.count > 10 { verdicts.removeLast() }
  }
}
