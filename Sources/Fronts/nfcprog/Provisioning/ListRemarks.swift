import JobLists
import UniversalLinks

/// What is to be said of a good job list before the first tag.
struct ListRemarks {
  let list: JobReport

  /// A line each.
  var lines: [String] {
    var lines = list.altered.map { "Note (url-altered): \($0)" }
    let rest = list.alteredCount - list.altered.count
    if rest > 0 {
      lines.append("Note (url-altered): \(rest) more URLs are changed in the same way.")
    }
    lines += list.remarks.map(\.description)
    return lines + LinkCheck.lines(list.findings)
  }

  func show(on console: Console) {
    for line in lines { console.remark(line) }
    if console.json, !lines.isEmpty { console.json(ListJSON(list)) }
  }
}
