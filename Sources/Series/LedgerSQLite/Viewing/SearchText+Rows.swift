import Ledger

extension SearchText {
  /// Returns whether the text stands in a name, a link or the value of a column, capital and small
  /// letters being the same. `columns`: as a journal has them.
  func isIn(name: String, link: String?, columns: String) -> Bool {
    let wanted = text.lowercased()
    func has(_ text: String) -> Bool { text.lowercased().contains(wanted) }
    if has(name) || link.map(has) == true { return true }
    // Most rows have it nowhere, and need not be taken apart.
    guard has(columns) || columns.utf8.contains(0x5C) else { return false }
    return ((try? StoredJob.pairs(columns)) ?? []).contains { has($0.1) }
  }
}
