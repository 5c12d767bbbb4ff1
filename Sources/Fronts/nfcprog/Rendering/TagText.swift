import Bytes
import NDEF
import PN532
import TagMemory
import TagProgramming
import UniversalLinks
import Wording

/// What became of one tag, for people.
struct TagText {
  let console: Console
  /// With `info` only.
  let phone: BackgroundReading?
  /// What was found out about the link that was written.
  var proved: LinkCheck?
  /// Is true if what the tag holds is what the command is for.
  var isForReading = false
  /// Is true if the job takes the password away.
  var removesPassword = false
  /// Is true if it takes the password away or sets one, and is about nothing else.
  var changesPassword = false

  func show(_ report: TagReport) {
    if let failure = report.failure {
      showFailure(failure, report)
      return
    }
    guard !console.quiet || ((isForReading || report.result == .planned) && !console.json) else {
      return
    }
    for line in lines(report) { console.result(line) }
    for finding in report.findings {
      console.remark("Note (\(finding.code)): \(finding.sentence(RemedyText.option))")
    }
  }

  private func showFailure(_ failure: JobFailure, _ report: TagReport) {
    console.complain("nfcprog: \(failure.what)")
    if let status = failure.status { console.detail("The board's answer: \(status).") }
    if let holds = failure.tagHolds { console.complain("On the tag: \(holds)") }
    if let next = failure.next { console.complain("Next: \(next)") }
  }

  /// The lines for a job that ended well.
  func lines(_ report: TagReport) -> [String] {
    var lines = [headline(report)]
    lines += aligned(report.details)
    if report.result == .planned, let program = report.program {
      lines += plan(program, report.exchangeTime)
    }
    if let message = report.message, report.result != .planned {
      for (index, record) in message.records.enumerated() {
        lines.append("  record \(index + 1)  \(record.summary)")
      }
    }
    lines += phone.map { PhoneText.lines($0, proved: proved) } ?? []
    if console.verbose { lines += memory(report.memory) }
    if console.verbose { lines += costs(report) }
    return lines
  }

  /// `ntag213 04:A1:…: written and verified, 20 of 137 bytes`.
  func headline(_ report: TagReport) -> String {
    let tag = [report.product?.name, (report.target?.uid ?? report.dump?.image.uid)?.description]
      .compactMap { $0 }
    var result: String
    switch report.result {
    case .read where report.target == nil && report.content == .notLookedAt:
      result = "what stands where the message belongs is not known"
    case .read: result = Self.found(report.content)
    case .written where removesPassword:
      result = console.styled("password removed", .good) + ": everyone can write it"
    case .written:
      result = console.styled(report.verified ? "written and verified" : "written", .good)
    case .unchanged:
      result =
        console.styled("unchanged", .good)
        + (changesPassword
          ? ", it already has these settings"
          : report.content.isEmpty ? ", it is empty already" : ", it already holds this")
    case .planned: result = console.styled("planned", .bold) + ", nothing was written"
    case .failed: result = console.styled("failed", .bad)
    }
    let isLookedAt = report.content.obstacle == nil && report.content != .notLookedAt
    if isLookedAt, let capacity = report.capacity, report.result != .planned {
      result += ", \(report.messageLength ?? 0) of \(capacity) bytes"
    }
    if report.result == .written || report.result == .unchanged {
      if report.isLocked == true {
        result +=
          report.isLockedUnderKey
          ? ", locked under the application's key" : ", permanently locked"
      }
      if report.isPasswordProtected == true { result += ", protected by a password" }
    }
    return tag.joined(separator: " ") + ": " + result
  }

  /// What a tag that was read holds: its records, or a word or two.
  static func content(of report: TagReport) -> String {
    report.message?.records.map(\.summary).joined(separator: ", ") ?? found(report.content)
  }

  /// What was read, in a word or two.
  private static func found(_ content: Content) -> String {
    switch content {
    case .message(let held): held.message == nil ? "damaged message" : "read"
    case .unreadable(let obstacle): "not readable: \(obstacle)"
    case .notLookedAt: "not looked at"
    case .empty, .lost, .unformatted, .blank, .foreign: "no message"
    }
  }

  private func aligned(_ details: [TagDescription.Detail]) -> [String] {
    let width = details.map(\.label.count).max() ?? 0
    return details.map { detail in
      "  \(detail.label)\(String(repeating: " ", count: width - detail.label.count))  \(detail.text)"
    }
  }

  private func plan(_ program: TagProgram, _ exchange: ExchangeTime) -> [String] {
    let cost = program.cost
    var lines = program.steps.enumerated().map { "  \($0 + 1). \($1)" }
    if program.steps.isEmpty { lines.append("  Nothing to do.") }
    lines.append(
      contentsOf: [
        "Cost: \(counted(cost.commands, "command")) to the tag, of them "
          + "\(counted(cost.authentications, "authentication")) and \(counted(cost.writes, "write")); "
          + "\(counted(cost.reads, "page or block", "pages or blocks")) \(isAre(cost.reads)) read back.",
        "Modelled time: "
          + TimeText.modelled(program.modelledTime(exchange), at: exchange.speed) + ".",
      ])
    let irreversible = program.irreversibleSteps
    if !irreversible.isEmpty {
      lines.append("\(irreversible.count) of these steps cannot be undone.")
    }
    return lines
  }

  private func costs(_ report: TagReport) -> [String] {
    let counts = report.counts
    let milliseconds = Int(report.duration / .milliseconds(1))
    return [
      "  \(counted(counts.frames, "command")) in \(milliseconds) ms: "
        + "\(counted(counts.authentications, "authentication")), \(counted(counts.reads, "read")), "
        + "\(counted(counts.writes, "write")), \(report.skipped) not needed",
      "  modelled: " + TimeText.modelled(counts.modelledTime, at: report.exchangeTime.speed),
    ]
  }

  /// A block or page a line, `??` where it cannot be read; of a run of equal ones the first alone.
  private func memory(_ rows: [MemoryRow]) -> [String] {
    let width = rows.map(\.label.count).max() ?? 0
    var lines: [String] = []
    var rest = rows[...]
    while let row = rest.popFirst() {
      let label = row.label + String(repeating: " ", count: width - row.label.count)
      let content = row.bytes.map { bytes in
        "\(Hex.string(bytes, separator: " ").uppercased())  \(Hex.ascii(bytes))"
      }
      lines.append("  \(label)  \(content ?? "??")")
      let equal = rest.prefix { $0.bytes == row.bytes }
      guard equal.count > 2, let last = equal.last else { continue }
      lines.append("  … the same up to \(last.label)")
      rest = rest.dropFirst(equal.count)
    }
    return lines
  }
}
