import Bench
import TagMemory
import TagProgramming
import UniversalLinks

/// What is said of the tag, or the file, that is copied.
extension CloneText {
  /// The source in a file.
  func show(_ source: CloneSource, from path: String, _ verdicts: LinkVerdicts) {
    if console.json, let link = LinkJSON(verdicts.iphone, android: verdicts.android) {
      var object = TagJSON(command: "clone", result: .read)
      object.role = "source"
      object.records = source.message.records.map(RecordJSON.init)
      object.link = link
      console.json(object)
    }
    show(
      ["Source \(path): \(source.bytes.count) bytes"], source, source.reading,
      verdicts
    )
  }

  /// The source on a tag, which counts as a tag that was read.
  func show(_ source: CloneSource, read report: TagReport, _ verdicts: LinkVerdicts) {
    line.clear()
    let phone = BackgroundReading(report) ?? source.reading
    if console.json {
      var object = object(report, role: "source")
      object.link = LinkJSON(verdicts.iphone, android: verdicts.android)
      console.json(object)
    }
    let tag = [report.product?.name, report.target?.uid.description].compactMap(\.self)
    show(
      ["Source \(tag.joined(separator: " ")): \(source.bytes.count) bytes"], source, phone,
      verdicts)
  }

  private func show(
    _ head: [String], _ source: CloneSource, _ phone: BackgroundReading, _ verdicts: LinkVerdicts
  ) {
    guard !console.quiet else { return }
    var lines = head
    for (index, record) in source.message.records.enumerated() {
      lines.append("  record \(index + 1)  \(record.summary)")
    }
    // The verdict says what the tag alone does, and more.
    if verdicts.iphone == nil { lines += PhoneText.lines(phone) }
    lines += verdicts.lines.map { "  \($0)" }
    for line in lines { console.result(line) }
  }

  /// A source that cannot, or must not, be copied.
  func fail(_ report: TagReport, _ error: BenchError?) -> ExitStatus {
    let failure =
      error ?? report.failure.map { BenchError(.init($0.kind), $0.message) }
      ?? BenchError(.bug, "The tag was lost.")
    line.clear()
    guard report.target != nil else { return console.fail("clone", failure) }
    if console.json {
      var object = object(report, role: "source")
      object.result = TagReport.Result.failed.rawValue
      object.error = FailureJSON(failure)
      console.json(object)
    }
    console.complain("nfcprog: \(failure.message)")
    return failure.status
  }
}
