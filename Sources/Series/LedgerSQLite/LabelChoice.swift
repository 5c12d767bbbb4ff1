/// Which labels are printed again: `unsure`, or numbers of jobs as `17,20-25`.
public enum LabelChoice: Hashable, Sendable {
  /// Those that may not have been printed.
  case unsure
  /// Those of these jobs.
  case jobs([ClosedRange<Int>])

  /// Nil for what is neither.
  public init?(parsing text: String) {
    guard text != "unsure" else {
      self = .unsure
      return
    }
    var ranges: [ClosedRange<Int>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first > 0,
        first <= last
      else { return nil }
      ranges.append(first...last)
    }
    self = .jobs(ranges)
  }

  /// The highest number that is asked for; 0 for `unsure`.
  var last: Int {
    if case .jobs(let ranges) = self { ranges.map(\.upperBound).max() ?? 0 } else { 0 }
  }

  func contains(_ job: Int) -> Bool {
    if case .jobs(let ranges) = self { ranges.contains { $0.contains(job) } } else { false }
  }
}
