/// Telephones that are held to a board that plays a tag, one after another:
///
///     iphone                 one
///     iphone*3+android       three iPhones, then an Android phone
///     iphone@12              an iPhone that is taken away before the 12th frame
package struct PhoneSpec: Hashable, Sendable {
  package let kind: PhoneKind
  /// From 1; nil: it stays until it has read.
  package let leavesAt: Int?

  /// Every telephone of `text`; nil where it is wrong.
  package static func list(_ text: some StringProtocol) -> [PhoneSpec]? {
    var specs: [PhoneSpec] = []
    for piece in text.split(separator: "+", omittingEmptySubsequences: false) {
      let parts = piece.split(separator: "*", omittingEmptySubsequences: false)
      let names = parts[0].split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count <= 2, names.count <= 2, let first = names.first,
        let kind = PhoneKind(rawValue: String(first))
      else { return nil }
      var (leaves, count) = (Int?.none, 1)
      if names.count == 2 {
        guard let place = Int(names[1]), (1...100_000).contains(place) else { return nil }
        leaves = place
      }
      if parts.count == 2 {
        guard let number = Int(parts[1]), (1...longest).contains(number) else { return nil }
        count = number
      }
      specs += [PhoneSpec](repeating: PhoneSpec(kind: kind, leavesAt: leaves), count: count)
    }
    return specs.count <= longest ? specs : nil
  }

  private static let longest = 10_000

  /// A telephone of this kind.
  package func phone() -> SimulatedPhone {
    SimulatedPhone(kind, leavesAt: leavesAt.map { $0 - 1 })
  }

  /// What a value may be, as the end of “takes …”.
  package static var wanted: String {
    "telephones, such as iphone*3+android@12; known are "
      + PhoneKind.allCases.map(\.rawValue).joined(separator: ", ")
  }
}
