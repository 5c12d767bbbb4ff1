import TagMemory

extension SDMMirror {
  /// What it is, within a sentence.
  var words: String {
    switch self {
    case .uid: "its UID"
    case .counter: "its counter"
    case .picc: "its encrypted UID and counter"
    case .enc: "encrypted data"
    case .mac: "its code"
    case .tt: "the state of its loop"
    }
  }

  /// `its UID, its counter and its code`.
  static func list(_ mirrors: [SDMMirror]) -> String {
    let words = mirrors.map(\.words)
    guard words.count > 1, let last = words.last else { return words.first ?? "something" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
