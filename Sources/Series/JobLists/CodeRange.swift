import Bytes

/// Consecutive numbers as codes: `1..5000`, in 6 digits.
public struct CodeRange: Hashable, Sendable {
  package let numbers: ClosedRange<Int>
  /// Zeros are put in front up to so many digits.
  package let width: Int

  /// A longer range is taken for a slip of the pen.
  package static let limit = 10_000_000

  /// Reads `FIRST..LAST`. A first number with zeros in front says how many digits all have:
  /// `0001..5000`. Fails with `usage`.
  public init(parsing text: String) throws(JobSourceError) {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    guard words.count == 3, words[1].isEmpty, let first = Self.number(words[0]),
      let last = Self.number(words[2])
    else { throw Self.refusal(text, "is not a range of numbers such as 1..5000") }
    guard first <= last else {
      throw Self.refusal(text, "begins with the higher number; write \(last)..\(first)")
    }
    guard last - first < Self.limit else {
      throw Self.refusal(text, "has more than \(Self.limit) numbers")
    }
    let digits = words[2].utf8.count
    numbers = first...last
    self.width = words[0].first == "0" && words[0].utf8.count == digits ? digits : 1
  }

  /// The code of the job of this number, from 1.
  func code(_ number: Int) -> String {
    TagFields.padded(numbers.lowerBound + number - 1, width)
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static func refusal(_ text: String, _ reason: String) -> JobSourceError {
    JobSourceError(.usage, "\(text) \(reason).")
  }
}
