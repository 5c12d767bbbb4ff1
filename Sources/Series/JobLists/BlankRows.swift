/// The rows of a table that have separators and nothing else.
struct BlankRows: Hashable, Sendable {
  private var count = 0
  private var first = 0

  mutating func add(_ line: Int) {
    if count == 0 { first = line }
    count += 1
  }

  var remark: ListRemark? {
    guard count > 0 else { return nil }
    let rows =
      count == 1 ? "Line \(first) has" : "\(count) lines, the first of them line \(first), have"
    return ListRemark(
      code: "empty-rows",
      text: "\(rows) separators and no value, and \(count == 1 ? "is" : "are") left out.")
  }
}
