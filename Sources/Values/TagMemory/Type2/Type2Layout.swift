/// The pages of a Type 2 chip by their use, in order.
package struct Type2Layout: Hashable, Sendable {
  /// Pages of the same use that follow each other.
  package struct Region: Hashable, Sendable {
    package let use: Use
    package let pages: ClosedRange<Page>
  }

  /// What a page is for.
  package enum Use: Hashable, Sendable, CaseIterable {
    /// Serial number and its first check byte.
    case uid
    /// The second check byte, an internal byte and the static lock bytes.
    case staticLocks
    case capabilityContainer
    case user
    case dynamicLocks
    case counter
    /// CFG0 and CFG1, or AUTH0 and AUTH1; what locks keys.
    case configuration
    /// PWD and PACK.
    case password
    case key
    /// Pages that this chip has and that mean nothing here.
    case unknown
  }

  package let regions: [Region]

  package init(_ map: Type2Map) {
    var regions: [Region] = []
    for page in map.pages {
      let use = Self.use(of: page, in: map)
      if let last = regions.last, last.use == use, last.pages.upperBound.distance(to: page) == 1 {
        regions[regions.count - 1] = Region(use: use, pages: last.pages.lowerBound...page)
      } else {
        regions.append(Region(use: use, pages: page...page))
      }
    }
    self.regions = regions
  }

  /// The region that `page` lies in; nil when the chip has no such page.
  package func region(of page: Page) -> Region? { regions.first { $0.pages.contains(page) } }

  /// Returns whether `page` should be written only when the operator insists: all but user memory.
  package func needsForce(_ page: Page) -> Bool { region(of: page)?.use != .user }

  /// A sentence that says why `page` is not simply written; nil for user memory.
  package func warning(for page: Page) -> String? {
    guard let region = region(of: page) else { return "the chip has no \(page)" }
    return region.use.warning.map { "\(page) \($0)" }
  }

  private static func use(of page: Page, in map: Type2Map) -> Use {
    let configuration = map.configuration
    return switch page {
    case 0, 1: .uid
    case .staticLocks: .staticLocks
    case .capabilityContainer: .capabilityContainer
    case map.user: .user
    case _ where map.further?.contains(page) == true: .user
    case map.dynamicLocks?.page: .dynamicLocks
    case map.counter: .counter
    case configuration?.cfg0, configuration?.cfg1: .configuration
    case configuration?.password, configuration?.passwordAcknowledge: .password
    case map.tripleDES?.auth0, map.tripleDES?.auth1, map.key?.lock?.page: .configuration
    case _ where map.key?.hiddenPages.contains(page) == true: .key
    case _ where map.access?.password?.contains(page) == true: .password
    case _ where map.access?.key?.contains(page) == true: .key
    default: .unknown
    }
  }
}

extension Type2Layout.Use {
  /// What follows a page's address in a sentence; nil for user memory.
  package var warning: String? {
    switch self {
    case .user: nil
    case .uid: "holds the UID and is read-only"
    case .staticLocks: "holds the static lock bytes: a bit that is set locks pages permanently"
    case .capabilityContainer:
      "holds the capability container: a bit that is set can never be cleared"
    case .dynamicLocks: "holds the dynamic lock bytes: a bit that is set locks pages permanently"
    case .counter: "holds the counter: it can only be raised"
    case .configuration:
      "holds configuration: a wrong value can close the memory permanently"
    case .password: "holds the password or its acknowledge: a wrong value shuts you out"
    case .key: "holds the authentication key: a wrong value shuts you out"
    case .unknown: "is not user memory, and its use on this chip is not known"
    }
  }
}
