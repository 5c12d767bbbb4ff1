import RecordText

/// The columns of a table by their names, which are compared without case (A to Z).
package struct Header: Hashable, Sendable {
  /// As they are written; columns without a name at the end are left out.
  let names: [String]
  private let indices: [String: Int]
  /// The columns with the keys 0 to 4 of each tag, in this order; none where rows have none.
  private(set) var keys: [Int] = []
  /// Those with the keys 0 to 4 that each tag has before; none where rows have none.
  private(set) var oldKeys: [Int] = []
  /// Columns that no message, journal or label shows.
  var secrets: Set<Int> { Set(keys + oldKeys + [password, oldPassword].compactMap(\.self)) }

  /// Columns that say something of the tag beside its message.
  var configuring: Set<Int> { secrets.union([tag, lock, uid].compactMap(\.self)) }

  /// Columns that configure the tag.
  var tag: Int? { indices["tag"] }
  var lock: Int? { indices["lock"] }
  var password: Int? { indices["password"] }
  /// What opens the tag before it has that password.
  var oldPassword: Int? { indices["old-password"] }
  /// The tag that each row is for.
  var uid: Int? { indices["uid"] }
  var code: Int? { indices["code"] }
  var url: Int? { indices["url"] }
  /// The file with the memory that each tag gets.
  var image: Int? { indices["image"] }

  /// Fails for a name that is missing or stands twice.
  init(_ fields: [String]) throws(JobSourceError) {
    var names = fields
    while names.last == "" { names.removeLast() }
    var indices: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      guard !name.isEmpty else {
        throw JobSourceError(.badInput, "Column \(index + 1) of the list has no name.")
      }
      guard indices.updateValue(index, forKey: name.lowercased()) == nil else {
        throw JobSourceError(
          .badInput, "The list has two columns named \(RecordTextError.quoted(name)).")
      }
    }
    self.names = names
    self.indices = indices
  }

  /// Takes the columns called `names` for the tags' keys, those called `old` for the keys that they
  /// have before. Fails where one is missing, stands twice or is there for something else, and
  /// where there are secrets of tags, and it is not said of which.
  mutating func takeKeys(_ names: [String], old: [String]) throws(JobSourceError) {
    keys = try indices(ofKeys: names)
    oldKeys = try indices(ofKeys: old)
    guard uid == nil, let secret = oldPassword ?? oldKeys.first else { return }
    throw JobSourceError(
      .badInput,
      "The column \(RecordTextError.quoted(self.names[secret])) has what single tags know, so the list needs a column uid, which says which tag each row is for."
    )
  }

  private func indices(ofKeys names: [String]) throws(JobSourceError) -> [Int] {
    var found: [Int] = []
    for name in names {
      guard let index = index(of: name) else {
        throw JobSourceError(
          .badInput,
          "The list has no column \(RecordTextError.quoted(name)) for keys; it has \(listed).")
      }
      let isTaken =
        [tag, lock, password, oldPassword, uid, code, url].contains(index)
        || (keys + found).contains(index)
      guard !isTaken else {
        throw JobSourceError(
          .badInput, "The column \(RecordTextError.quoted(name)) cannot be a column of keys, too.")
      }
      found.append(index)
    }
    return found
  }

  /// The column called `name`.
  func index(of name: String) -> Int? { indices[name.lowercased()] }

  /// The names for a sentence.
  package var listed: String {
    let shown = names.prefix(20).map { RecordTextError.plain($0) }.joined(separator: ", ")
    return names.count > 20 ? "\(shown), and \(names.count - 20) more" : shown
  }

  /// Which character divides the columns of a table whose first line this is: the one of comma,
  /// semicolon and tab that stands there most often outside of quotes; a comma where none does.
  package static func delimiter(of line: some Sequence<UInt8>) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in line {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? candidates[0]
  }
}
