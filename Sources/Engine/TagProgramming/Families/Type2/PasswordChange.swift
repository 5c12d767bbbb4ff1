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
  /// (`limit` other than 0) it gets one alone, which the operator has given for it or which this
  /// run has seen it take (`proven`): how many were tried before is not known, so that any other
  /// one may close the tag for good. A tag that hides whether it counts (nil) gets one alone, too;
  /// where none was given for it, the one that this very job sets: a run of it that was cut short
  /// has hidden the configuration. `held` stands in a dump that is restored.
  static func candidates(
    given: [UInt8]?, proven: [UInt8]? = nil, held: [UInt8]? = nil, change: PasswordChange?,
    limit: Int?, delivered: [UInt8] = Protection.delivered.password
  ) -> [[UInt8]] {
    let all: [[UInt8]?] =
      switch (change, limit) {
      case (_, let limit?) where limit != 0: [proven, given]
      case (nil, _): [proven, given, held]
      case (.set(let new), nil): [proven, given, new.password]
      case (.set(let new), _): [proven, new.password, given, delivered]
      case (.takeAway, nil): [proven, given]
      case (.takeAway, _): [proven, given, delivered]
      }
    var candidates: [[UInt8]] = []
    for case let candidate? in all
    where !candidates.contains(candidate) && candidate.count == delivered.count {
      candidates.append(candidate)
    }
    return limit == 0 ? candidates : Array(candidates.prefix(1))
  }
}
