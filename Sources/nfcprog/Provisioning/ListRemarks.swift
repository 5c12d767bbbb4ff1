import Provisioning
import UniversalLinks
import Wire

/// What is to be said of a good job list before the first tag.
struct ListRemarks {
  let list: JobReport

  /// A line each.
  var lines: [String] {
    var lines = list.altered.map { "Note (url-altered): \($0)" }
    let rest = list.alteredCount - list.altered.count
    if rest > 0 { lines.append("Note (url-altered): so are \(rest) more.") }
    return lines + LinkCheck.lines(list.findings)
  }

  /// For `--json`: one object, where there is anything to say.
  private var object: Object? {
    guard !lines.isEmpty else { return nil }
    return Object(
      jobs: list.rowCount, alteredCount: list.alteredCount,
      altered: AlteredJSON.list(list.altered),
      findings: list.findings.isEmpty ? nil : list.findings.map(LinkJSON.Finding.init))
  }

  private struct Object: Encodable {
    var command = "provision"
    var event = "list"
    var jobs: Int
    /// How many addresses are written otherwise than they were given.
    var alteredCount: Int
    /// The first of them.
    var altered: [AlteredJSON]?
    /// What may go wrong with its links all the same.
    var findings: [LinkJSON.Finding]?
  }

  func show(on console: Console) {
    for line in lines { console.remark(line) }
    if console.json, let object { console.json(JSONLine.text(object)) }
  }
}
