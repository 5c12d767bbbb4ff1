/// Says whether memory that should be blank is, or holds the beginnings of what is about to be
/// written.
///
/// A job that was cut short on a blank tag leaves some of its own units behind, one of them perhaps
/// torn; the same job must be able to finish. Anything else may be somebody's data.
enum Tolerance {
  /// `found` is all zeros, or `wanted`, or a torn mixture of the two: the first bytes as wanted,
  /// then at most one byte of any value, then zeros.
  static func isBlank(_ found: [UInt8], orPartOf wanted: [UInt8]?) -> Bool {
    if found.allSatisfy({ $0 == 0 }) { return true }
    guard let wanted, found.count == wanted.count else { return false }
    let same = zip(found, wanted).prefix { $0 == $1 }.count
    return found.dropFirst(same + 1).allSatisfy { $0 == 0 }
  }
}
