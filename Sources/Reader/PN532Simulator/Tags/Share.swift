/// A part of a whole, 0 to 100 %, in steps of a hundredth of a percent.
package struct Share: Hashable, Sendable {
  /// 0 to 10000.
  package let perTenThousand: Int

  package static let none = Share(perTenThousand: 0)

  init(perTenThousand: Int) { self.perTenThousand = perTenThousand }

  /// Reads `2%` or `0.25%`. Nil for anything else.
  package init?(parsing text: some StringProtocol) {
    guard text.last == "%" else { return nil }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...3).contains(parts[0].count),
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isWholeNumber } })
    else { return nil }
    let decimals = parts.count == 2 ? String(parts[1]) : ""
    guard decimals.count <= 2, let whole = Int(parts[0]),
      let hundredths = Int((decimals + "00").prefix(2)), whole * 100 + hundredths <= 10_000
    else { return nil }
    perTenThousand = whole * 100 + hundredths
  }

  /// Returns whether item `index` of a long row belongs to the share: evenly spread, so that n
  /// items hold the share of n, rounded. `phase` (0 to 1) shifts the pattern.
  func contains(_ index: Int, phase: Double = 0.5) -> Bool {
    let shift = Int(phase * 10_000)
    return (index * perTenThousand + shift) / 10_000
      != ((index + 1) * perTenThousand + shift) / 10_000
  }
}
