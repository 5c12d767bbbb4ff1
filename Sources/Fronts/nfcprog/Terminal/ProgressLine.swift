/// One line on a terminal that is drawn over again: what is being done, and how far it has come.
final class ProgressLine {
  private let isShown: Bool
  private var drawn = false

  init(isShown: Bool) { self.isShown = isShown }

  /// Draws `text` in place of what stands there.
  func show(_ text: String) {
    guard isShown else { return }
    OutputFile.standardError.write("\r\(text.prefix(Self.width))\u{1B}[K")
    drawn = true
  }

  /// Draws a bar with `done` of `total` steps behind it, and what the next one does.
  func show(_ done: Int, of total: Int, _ text: String) { show(Self.bar(done, of: total) + text) }

  /// Takes the line away, so that other text can stand there.
  func clear() {
    guard drawn else { return }
    OutputFile.standardError.write("\r\u{1B}[K")
    drawn = false
  }

  /// `[#####·····] 10/20 `.
  static func bar(_ done: Int, of total: Int) -> String {
    let filled = total > 0 ? min(20, max(0, 20 * done / total)) : 0
    let bar = String(repeating: "#", count: filled) + String(repeating: "·", count: 20 - filled)
    return "[\(bar)] \(done)/\(total) "
  }

  /// Terminals are rarely narrower; a longer line would not be drawn over.
  private static let width = 79
}
