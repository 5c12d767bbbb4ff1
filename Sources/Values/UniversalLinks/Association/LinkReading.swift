import WebAddress

/// Ways in which the path of a link may be read, where Apple documents none.
enum LinkReading {
  private static let changes: [(doubt: Undocumented, path: @Sendable (String) -> String)] = [
    (.doubleSlash, { joiningSlashes($0) }), (.dotSegments, { PathSteps.resolved($0) }),
  ]

  /// `link` as it stands, then read in every other way that its path allows, with what each takes
  /// for granted.
  static func all(of link: Address) -> [(link: Address, doubts: [Undocumented])] {
    var readings: [(link: Address, doubts: [Undocumented])] = [(link, [])]
    for (doubt, change) in changes {
      readings += readings.compactMap { reading in
        let path = change(reading.link.path)
        guard path != reading.link.path, let link = reading.link.replacingPath(by: path) else {
          return nil
        }
        return (link, reading.doubts + [doubt])
      }
    }
    return readings
  }

  /// All readings of links that differ in what a tag fills in, each with every link; nil for one
  /// that not all have.
  static func all(of links: [Address]) -> [[Address]?] {
    let readings = links.map { all(of: $0) }
    let known = readings.first?.map(\.doubts) ?? []
    guard readings.allSatisfy({ $0.map(\.doubts) == known }) else { return [nil] }
    return known.indices.map { index in readings.map { $0[index].link } }
  }

  private static func joiningSlashes(_ path: String) -> String {
    var joined = ""
    for character in path where character != "/" || joined.last != "/" { joined.append(character) }
    return joined
  }
}
