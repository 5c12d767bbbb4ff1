import Bench
import Bytes
import PN532
import TagMemory
import TagProgramming
import UniversalLinks
import Wording

/// What is said of one message on tag after tag: prompts, the source, every tag, the sum.
struct CloneText {
  let command: String
  let console: Console
  let count: Int?
  let progress: ProgressText
  let line: ProgressLine

  /// What is known of the message before the first tag comes.
  private let remarks: InputRemarks

  init(
    _ command: String, console: Console, count: Int?, _ remarks: InputRemarks = InputRemarks()
  ) {
    (self.command, self.console, self.remarks) = (command, console, remarks)
    self.count = count
    line = ProgressLine(isShown: console.showsProgress)
    progress = ProgressText(console: console, line: line)
  }

  func show(_ event: Cloning.Event) {
    switch event {
    case .sourceWanted: remark("Put the tag to copy on the reader.")
    case .source(let source, let report, let verdicts): show(source, read: report, verdicts)
    case .removalWanted: remark("Remove it and put the next tag on the reader.")
    case .progress(let step): progress.show(step)
    case .tag(let event, let good): show(event, done: good)
    case .readerLost(let name):
      remark("Reader \(name) stopped answering. Plug it in again; the run continues.")
    case .readerBack(let name): remark("Reader \(name) is back; the run continues.")
    }
  }

  func remark(_ text: String) {
    line.clear()
    console.remark(text)
  }

  func object(_ report: TagReport, role: String) -> TagJSON {
    var object = TagJSON(command: command, report: report, asking: RemedyText.option)
    if command == "clone" { object.role = role }
    if report.result != .planned {
      object.iphone = BackgroundReading(report).map { PhoneJSON($0) }
    }
    object.altered = AlteredJSON.list(remarks.altered)
    object.link = LinkJSON(remarks.link, android: remarks.android)
    return object
  }

  /// `done`: how many tags are as wanted so far.
  func show(_ event: TagSeries.Event, done: Int) {
    switch event {
    case .ready:
      let sum = count.map { "\(done) of \($0) done. " } ?? (done > 0 ? "\(done) done. " : "")
      line.show(sum + "Put the next tag on the reader …")
      console.detail(sum + "Put the next tag on the reader.")
    case .severalTags(let uids):
      line.clear()
      let names = uids.map(\.description).joined(separator: " and ")
      let message =
        "Several tags are on the reader (\(names)); none was changed. Leave one of them there."
      if console.json {
        var object = TagJSON(
          command: command, failure: FailureJSON(BenchError(.tagTrouble, message)))
        if command == "clone" { object.role = "target" }
        console.json(object)
      }
      console.complain("nfcprog: \(message)")
    case .passedOver(let tag, .reserved):
      remark(
        "Tag \(tag.uid) is the source and is not written. Remove it and put another tag on the reader."
      )
    case .passedOver(let tag, .done):
      remark(
        "Tag \(tag.uid) was already done in this run. Remove it and put another tag on the reader.")
    case .finished(let report):
      line.clear()
      finish(report)
      line.show("Remove it and put the next tag on the reader …")
    }
  }

  private func finish(_ report: TagReport) {
    let failure = report.failure.map(Self.inRun)
    if console.json {
      var object = object(report, role: "target")
      object.error = failure.map { FailureJSON(code: $0.exitCode, message: $0.message) }
      console.json(object)
    }
    let text = TagText(console: console, phone: nil)
    if let failure {
      let tag = [report.product?.name, report.target?.uid.description].compactMap(\.self)
      console.complain("nfcprog: tag \(tag.joined(separator: " ")) failed. \(failure.what)")
      if let holds = failure.tagHolds { console.complain("On the tag: \(holds)") }
      if let next = failure.next { console.complain("Next: \(next)") }
      return
    }
    let isPlan = report.result == .planned
    guard !console.quiet || (isPlan && !console.json) else { return }
    for line in isPlan ? text.lines(report) : [text.headline(report)] { console.result(line) }
    if BackgroundReading(report)?.findings.contains(where: { $0.code == .classicCarrier }) == true {
      console.remark("  A MIFARE Classic: not every iPhone reads it.")
    }
  }

  /// `failure` with the advice that fits a run that goes on.
  static func inRun(_ failure: JobFailure) -> JobFailure {
    var failure = failure
    switch failure.kind {
    case .badInput: failure.remedy = .useLargerTag
    case .tagTrouble, .mismatch: failure.remedy = .layDownAgain
    case .refused, .readerUnavailable, .internalError, .noTag, .interrupted,
      .configuration:
      break
    }
    return failure
  }
}
