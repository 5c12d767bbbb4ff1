import TagMemory

/// What a job does to a tag's password.
enum PasswordChange: Hashable {
  case set(Protection)
  case takeAway

  /// What a tag with this memory is to have afterwards; a password that is taken away leaves the
  /// values of delivery.
  func wanted(on map: Type2Map) -> Protection {
    switch self {
    case .set(let protection): protection
    case .takeAway: .delivered(on: map)
    }
  }

  /// The settings that the chip gets together with its password.
  var settings: ChipSettings {
    if case .set(let protection) = self { protection.settings } else { ChipSettings() }
  }

  /// Returns this change with a secret that is as long as those of `product`; unchanged where there
  /// is none.
  func fitting(_ product: Product) -> PasswordChange {
    guard case .set(let protection) = self, let count = product.secretByteCount,
      let fitting = protection.fitting(count)
    else { return self }
    return .set(fitting)
  }

  /// The passwords to try on a protected tag, in this order, none twice.
  ///
  /// Before and after the change, and in the middle of one that was cut short, one of them is
  /// right: the one given, the new one or the one of delivery. Where the tag counts wrong ones
  /// (`limit` other than 0), or hides whether it does (nil), it gets one alone, which this run has
  /// seen it take (`proven`) or which the operator has given for it: how many were tried before is
  /// not known, so that any other one may close the tag for good. Of a job that sets another one
  /// (`lasting`) the given one is none of these: where an earlier run of it came to its end, it is
  /// wrong; but for one from a list (`isListed`), without which no tag of it gets its new one.
  /// `held` stands in a dump that is restored.
  static func candidates(
    given: [UInt8]?, proven: [UInt8]? = nil, held: [UInt8]? = nil, change: PasswordChange?,
    isListed: Bool = false, lasting: [UInt8]? = nil, limit: Int?,
    delivered: [UInt8] = Protection.delivered.password
  ) -> [[UInt8]] {
    var lasting = lasting
    if case .set(let new) = change { lasting = new.password }
    let all: [[UInt8]?] =
      if limit != 0 {
        [proven, lasting == nil || lasting == given || isListed ? given : nil]
          + (given == nil && limit == nil ? [held] : [])
      } else {
        switch change {
        case nil: [proven, given, held]
        case .set(let new): [proven, new.password, given, delivered]
        case .takeAway: [proven, given, delivered]
        }
      }
    var candidates: [[UInt8]] = []
    for case let candidate? in all
    where !candidates.contains(candidate) && candidate.count == delivered.count {
      candidates.append(candidate)
    }
    return limit == 0 ? candidates : Array(candidates.prefix(1))
  }
}
