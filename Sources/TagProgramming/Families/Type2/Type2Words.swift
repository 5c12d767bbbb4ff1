import TagMemory

/// Pages in sentences.
enum Type2Words {
  /// `Page 5 is`, `Pages 5, 6 and 9 are`.
  static func list(_ pages: some Collection<Page>) -> String {
    let numbers = pages.map(\.number).sorted().map(String.init)
    guard let last = numbers.last else { return "No page is" }
    guard numbers.count > 1 else { return "Page \(last) is" }
    return "Pages \(numbers.dropLast().joined(separator: ", ")) and \(last) are"
  }
}
