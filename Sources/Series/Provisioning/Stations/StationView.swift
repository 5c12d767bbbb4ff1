import TagMemory
import TagProgramming

/// What a station shows to its operator: a value that the line's events change.
///
/// The live view of a terminal draws it, and the journal keeps it for whoever looks at the line
/// from elsewhere.
package struct StationView: Hashable, Sendable {
  package let name: String
  package var word = StationWord.starting
  /// The tag there, counted from 1 as they come: UIDs are not printed on tags.
  package var tag: Int?
  package var uid: UID?
  /// The tag's job.
  package var job: TagOutcome.Job?
  /// Is true if its job goes to the next tag.
  package var losesJob = false
  /// Where the tag in the hand goes, or what else the hand does: in a few words.
  package var bin = ""
  /// Why; how far it has come.
  package var reason = ""
  /// Where a tag with a verdict goes; nil: it has none.
  package var box: TagOutcome.Bin?
  /// Is true if the tag was taken away: the word stays until the next one lies there.
  package var isFree = false
  /// Is true if another tag was laid down before the verdict had stood long enough.
  package var isEarly = false
  /// Why no codes come from the scanner; nil: they do.
  package var scannerTrouble: String?

  package init(name: String) { self.name = name }

  /// `job 17 A7F3`; empty: it has none.
  package var jobText: String {
    guard let job else { return "" }
    return losesJob ? "\(job.text) goes to the next tag" : job.text
  }

  /// Takes an event of this station in.
  package mutating func take(_ event: LineEvent.Kind) {
    switch event {
    case .ready:
      // After `stands` or `answered` a hand has answered; without them a good tag was left alone,
      // which is read with the tag in the hand.
      if word.isKept, !isFree { isFree = true } else { show(.place) }
    case .stands, .answered: isFree = true
    case .early(_, let outcome):
      isEarly = true
      bin = outcome.orderBeforeNext
      reason = "the next tag came too early and was not changed"
    case .found(let uid, let number):
      show(.looking, "leave it there")
      (tag, self.uid) = (number, uid)
    case .scanWanted:
      (word, bin, reason) = (.scan, "", "of the item that the tag goes onto")
      showScannerTrouble()
    case .labelScanWanted:
      (word, bin, reason) = (.scanLabel, "", "its label, which is being printed")
    case .codeDropped(let job):
      reason = "\(job.text) was scanned before and gets no tag by that"
    case .scannerLost(let trouble):
      scannerTrouble = trouble
      showScannerTrouble()
    case .scannerBack:
      scannerTrouble = nil
      if word == .scannerLost { show(.place) }
    // It is for the next tag: what stands here is of this one.
    case .scanned(let code, .taken) where isBusy || word.isVerdict:
      reason = "“\(code.prefix(40))” was scanned for the next tag"
    case .scanned(let code, let answer):
      word = ScanText.word(answer) ?? word
      job = answer.job.map(TagOutcome.Job.init)
      (bin, reason) = (ScanText.next(answer), ScanText.reason(code, answer))
    case .progress(let progress): take(progress)
    case .finished(let outcome), .same(let outcome): show(outcome)
    case .inspection(let inspection): show(inspection)
    case .printerWanted(let obstacle): show(.printer, obstacle.next, obstacle.what)
    case .severalTags: show(.several, "", "several tags are there; none was changed")
    case .lost(let reason): show(.lost, "plug it in again", reason)
    case .printerReady, .back: show(.starting)
    case .ended: if !word.isKept { show(.ended) }
    }
  }

  /// Shows `word`, and nothing of the tag that lay there before.
  private mutating func show(_ word: StationWord, _ bin: String = "", _ reason: String = "") {
    let trouble = scannerTrouble
    self = StationView(name: name)
    (self.word, self.bin, self.reason) = (word, bin, reason)
    scannerTrouble = trouble
    showScannerTrouble()
  }

  /// A tag that would wait for a code waits for the scanner.
  private mutating func showScannerTrouble() {
    guard let scannerTrouble, word == .place || word == .scan || word == .scanLabel else { return }
    (word, bin, reason) = (.scannerLost, "look after the scanner", scannerTrouble)
  }

  /// Is true if its job is being done on the tag that lies there.
  private var isBusy: Bool { word == .writing || word == .verifying }

  private mutating func take(_ progress: JobProgress) {
    guard case .step(let step, let count, let what) = progress else { return }
    word = what.isWrite ? .writing : .verifying
    reason = "step \(step) of \(count)"
  }

  /// Shows what became of the tag that lies there.
  private mutating func show(_ outcome: TagOutcome) {
    let words = LineWords(outcome)
    let number = outcome.number > 0 ? outcome.number : tag
    show(StationWord(outcome.verdict, cause: outcome.trouble?.known), words.bin, words.reason)
    (tag, uid, job, box) = (number, outcome.uid, outcome.job, outcome.bin)
    losesJob =
      outcome.losesJob || outcome.verdict == .failed && outcome.trouble?.known != .conflict
    if outcome.bin == .again, outcome.verdict == .held { bin = "tag \(number ?? 0)" }
  }

  /// Shows what an inspection asks for, or has found.
  private mutating func show(_ inspection: Inspection) {
    let number = inspection.number > 0 ? inspection.number : tag
    let reason = inspection.trouble?.text ?? ""
    let (bin, why): (String, String) =
      switch inspection.verdict {
      case .wanted: ("put it on again", inspection.next ?? "")
      case .good: ("good", "its inspection found what was written")
      case .bad:
        (inspection.isScrap ? "bin it" : "set it aside", "the line stops: \(reason)")
      case .again:
        ("put it on again", [reason, inspection.next].compactMap(\.self).joined(separator: " "))
      case .unknown where inspection.trouble?.known == .elsewhere: ("put it on the line", reason)
      case .unknown: ("set it aside", "the journal does not list it as finished")
      }
    show(StationWord(inspection), bin, why)
    (tag, uid, job, box) = (number, inspection.uid, inspection.job, inspection.bin)
  }
}
