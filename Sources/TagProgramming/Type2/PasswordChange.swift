/// What a job does to a tag's password.
enum PasswordChange: Hashable {
  case set(Protection)
  case takeAway

  /// What the tag shall have afterwards; taken away means: as delivered.
  var wanted: Protection {
    switch self {
    case .set(let protection): protection
    case .takeAway: .delivered
    }
  }

  /// The passwords to try on a protected tag, in this order, none twice.
  ///
  /// Before and after the change, and in the middle of one that was cut short, one of them is right: the one given, the new one
  /// or the one of delivery. Where the tag counts wrong ones (`limit` other than 0, or not known) they are fewer than it takes
  /// to close it for good, as far as that can be known; the right one sets its count back.
  static func candidates(given: [UInt8]?, change: PasswordChange?, limit: UInt8?) -> [[UInt8]] {
    guard let change else { return [given].compactMap(\.self) }
    let delivered = Protection.delivered.password
    let all: [[UInt8]?]
    switch (change, limit) {
    case (.set(let new), 0): all = [new.password, given, delivered]
    case (.set(let new), _): all = [given, new.password]
    case (.takeAway, 0): all = [given, delivered]
    case (.takeAway, _): all = [given]
    }
    var candidates: [[UInt8]] = []
    for case let candidate? in all where !candidates.contains(candidate) {
      candidates.append(candidate)
    }
    let most = limit.map { $0 == 0 ? candidates.count : max(1, Int($0) - 1) } ?? 2
    return Array(candidates.prefix(most))
  }
}
