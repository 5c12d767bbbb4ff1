import JSON

extension SiteAssociation {
  /// Returns whether two files say the same: white space and the order of names do not count. Files
  /// that are not JSON are the same when their bytes are.
  package static func means(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard first != second else { return true }
    guard let first = try? JSONDocument(parsing: first),
      let second = try? JSONDocument(parsing: second)
    else { return false }
    return first.root.means(second.root)
  }
}

extension JSONValue {
  /// Returns whether it is the same value, wherever it stands. Of a repeated name the last value
  /// counts.
  func means(_ other: JSONValue) -> Bool {
    switch (content, other.content) {
    case (.array(let elements), .array(let others)):
      return elements.count == others.count && zip(elements, others).allSatisfy { $0.means($1) }
    case (.object(let members), .object(let others)):
      let mine = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
      let theirs = Dictionary(others.map { ($0.name, $0.value) }) { $1 }
      return mine.count == theirs.count
        && mine.allSatisfy { name, value in theirs[name].map(value.means) ?? false }
    default: return content == other.content
    }
  }
}
