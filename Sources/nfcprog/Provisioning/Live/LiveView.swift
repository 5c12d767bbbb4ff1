import Provisioning
import TagMemory
import TagProgramming
import Wire

/// What a line looks like at one moment, for the people who stand at it: a value that events change
/// and that is drawn by
/// `lines(width:height:now:)`.
struct LiveView {
  /// One station.
  struct Place: Hashable {
    let name: String
    var word = Word.starting
    /// The tag there, counted from 1 as they come: UIDs are not printed on tags.
    var tag: Int?
    /// The tag's job, its number and name.
    var job: String?
    /// Where the tag in the hand goes.
    var bin = ""
    /// Why; how far it has come.
    var reason = ""
    /// Whether the tag was taken away: the word stays until the next one lies there.
    var isFree = false
    /// Whether another tag was laid down before the verdict had stood long enough.
    var isEarly = false
  }

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
    let word: Word
    /// Since the start.
    let when: Duration
    let station: Int
    let tag: Int?
    let job: String?
    let bin: String
  }

  private(set) var places: [Place]
  let title: String
  /// Good tags that are asked for.
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
    places = stations.map { Place(name: $0) }
  }

  /// How many tags are to be laid down again.
  var held: Int { waiting.count }

  // MARK: Events

  /// Takes an event in that happened at `now`, since the start.
  mutating func take(_ event: LineEvent, now: Duration = .zero) {
    let number = event.station
    switch event.kind {
    case .ready:
      // After `stands` or `answered` a hand has answered; without them a good tag was left alone,
      // which is read with the tag in the hand.
      if places[number].word.isKept, !places[number].isFree {
        places[number].isFree = true
      } else {
        set(number, .place)
      }
    case .stands, .answered: places[number].isFree = true
    case .same(let outcome): show(outcome, number)
    case .early:
      places[number].isEarly = true
      places[number].reason = "read this first: the next tag came too early and was not changed"
    case .scanWanted:
      places[number].word = .scan
      (places[number].bin, places[number].reason) = ("", "of the item that the tag goes onto")
    case .scanned(let code, let answer):
      if let word = ScanText.word(answer) { places[number].word = word }
      places[number].job = answer.job.map { "job \($0.number) \($0.name)" }
      (places[number].bin, places[number].reason) = (
        ScanText.next(answer), ScanText.reason(code, answer)
      )
    case .found(let uid, let tag): find(uid, tag, number)
    case .progress(let progress): take(progress, number)
    case .finished(let outcome): finish(outcome, number, now)
    case .inspection(let inspection): show(inspection, number)
    case .printerWanted(let obstacle):
      set(number, .printer)
      (places[number].bin, places[number].reason) = (obstacle.next, obstacle.what)
    case .printerReady: set(number, .starting)
    case .severalTags:
      set(number, .several)
      places[number].reason = "several tags are there; none was changed"
    case .lost(let reason):
      set(number, .lost)
      (places[number].bin, places[number].reason) = ("plug it in again", reason)
    case .back: set(number, .starting)
    case .ended: if !places[number].word.isKept { set(number, .ended) }
    }
  }

  private mutating func find(_ uid: UID, _ tag: Int, _ number: Int) {
    set(number, .looking)
    places[number].tag = tag
    places[number].bin = "leave it there"
  }

  private mutating func take(_ progress: Progress, _ number: Int) {
    guard case .step(let step, let count, let what) = progress else { return }
    places[number].word = what.isWrite ? .writing : .verifying
    places[number].reason = "step \(step) of \(count)"
  }

  private mutating func finish(_ outcome: TagOutcome, _ number: Int, _ now: Duration) {
    switch outcome.verdict {
    case .passed: passed += 1
    case .failed: failed += 1
    case .held:
      let tag = places[number].tag
      waiting[outcome.uid] = Waiting(
        station: number, tag: tag, text: "tag \(tag ?? 0) of \(places[number].name)")
    case .left: left += 1
    }
    // Finished, or its job went back to the others.
    if outcome.verdict == .passed || outcome.verdict == .failed { waiting[outcome.uid] = nil }
    show(outcome, number)
    verdicts.insert(
      Verdict(
        word: places[number].word, when: now, station: number, tag: places[number].tag,
        job: Self.job(outcome), bin: LineWords(outcome).bin), at: 0)
    if verdicts.count > 10 { verdicts.removeLast() }
  }

  /// Shows what became of the tag that lies there.
  private mutating func show(_ outcome: TagOutcome, _ number: Int) {
    let words = LineWords(outcome)
    let tag = outcome.number > 0 ? outcome.number : places[number].tag
    set(number, Word(outcome.verdict))
    places[number].tag = tag
    let job = Self.job(outcome)
    places[number].job = outcome.verdict == .failed ? job.map { "\($0) goes to the next tag" } : job
    (places[number].bin, places[number].reason) = (words.bin, words.reason)
    if outcome.verdict == .held { places[number].bin = "tag \(tag ?? 0)" }
  }

  /// Shows what an inspection asks for, or has found.
  private mutating func show(_ inspection: Inspection, _ number: Int) {
    let tag = inspection.number > 0 ? inspection.number : places[number].tag
    set(number, Word(inspection))
    places[number].tag = tag
    places[number].job = inspection.job.map { "job \($0.number) \($0.name)" }
    let reason = inspection.trouble?.text ?? ""
    (places[number].bin, places[number].reason) =
      switch inspection.verdict {
      case .wanted: ("put it on again", inspection.next ?? "")
      case .good: ("good", "its inspection found what was written")
      case .bad:
        (inspection.isScrap ? "bin it" : "set it aside", "the line stops: \(reason)")
      case .again:
        ("put it on again", [reason, inspection.next].compactMap(\.self).joined(separator: " "))
      case .unknown: ("set it aside", "the journal does not list it as finished")
      }
  }

  /// `job 17 A7F3`.
  private static func job(_ outcome: TagOutcome) -> String? {
    outcome.job.map { "job \($0.number) \($0.name)" }
  }

  /// Shows `word`, and nothing of the tag that lay there before.
  private mutating func set(_ number: Int, _ word: Word) {
    places[number] = Place(name: places[number].name, word: word)
  }
}
