import TagMemory

/// Pages in sentences.
enum Type2Words {
  /// `Page 5 is`, `Pages 5, 6 and 9 are`.
  static func list(_ pages: some Collection<Page>) -> String {
    guard !pages.isEmpty else { return "No page is" }
    let numbers = NumberRuns.list(pages.map { Int($0.number) })
    return pages.count > 1 ? "Pages \(numbers) are" : "Page \(numbers) is"
  }
}
