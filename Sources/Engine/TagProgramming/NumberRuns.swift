/// Numbers of sectors or pages as a sentence names them.
package enum NumberRuns {
  /// `3`, `1, 2 and 5`, `1 to 15 and 17 to 39`; each number once, ascending.
  package static func list(_ numbers: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in Set(numbers).sorted() {
      if let last = runs.last, last.upperBound == number - 1 {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    let parts = runs.flatMap { run in
      run.count > 2 ? ["\(run.lowerBound) to \(run.upperBound)"] : run.map(String.init)
    }
    guard parts.count > 1, let last = parts.last else { return parts.first ?? "?" }
    return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
  }
}
