import JSON

/// What Apple documents nowhere and a verdict may hang on.
enum Undocumented: Int, Hashable, Sendable, CaseIterable {
  case wildcardBeforeSlash, repeatedKey, otherBoolean, doubleSlash, dotSegments

  /// A clause, and what to do.
  var text: String {
    switch self {
    case .wildcardBeforeSlash:
      "whether the wildcard that a pattern begins with may stand for the first slash (begin the pattern with /)"
    case .repeatedKey: "which value of a repeated key counts (keep one)"
    case .otherBoolean:
      "whether a number or a text counts as true or false (write true or false, without quotes)"
    case .doubleSlash: "whether two slashes in a row count as one (write one)"
    case .dotSegments:
      "whether the . and .. parts of the path are resolved before rules are compared with it (write the resolved path)"
    }
  }
}

extension SiteAssociation {
  /// The file read in every other way that its odd places allow, and what each takes for granted.
  var otherReadings: [(file: SiteAssociation, doubts: [Undocumented])] {
    let changes: [(Undocumented, (JSONValue) -> JSONValue)] = [
      (.repeatedKey, { $0.mappingObjects(Self.keepingFirst) }),
      (.otherBoolean, { $0.mappingObjects(Self.withBooleans) }),
    ]
    var readings: [(root: JSONValue, doubts: [Undocumented])] = [(document.root, [])]
    for (doubt, change) in changes {
      readings += readings.compactMap { reading in
        let changed = change(reading.root)
        return changed == reading.root ? nil : (changed, reading.doubts + [doubt])
      }
    }
    return readings.dropFirst().compactMap { reading in
      (try? SiteAssociation(document.replacingRoot(by: reading.root))).map { ($0, reading.doubts) }
    }
  }

  /// Of members with the same name the first alone.
  private static func keepingFirst(_ members: [JSONMember]) -> [JSONMember] {
    var seen: Set<String> = []
    return members.filter { seen.insert($0.name).inserted }
  }

  /// Numbers and texts as true or false where that belongs.
  private static func withBooleans(_ members: [JSONMember]) -> [JSONMember] {
    members.map { member in
      guard ["exclude", "caseSensitive", "percentEncoded"].contains(member.name) else {
        return member
      }
      let isTrue: Bool
      switch member.value.content {
      case .number(let digits): isTrue = Double(digits) != 0
      case .string(let text):
        isTrue =
          text.unicodeScalars.first.map { "YyTt123456789".unicodeScalars.contains($0) } ?? false
      default: return member
      }
      return JSONMember(
        name: member.name, namePosition: member.namePosition,
        value: JSONValue(content: .bool(isTrue), position: member.value.position))
    }
  }
}
