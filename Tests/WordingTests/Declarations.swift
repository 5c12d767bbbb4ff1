/// Reads what an enum declares out of its source.
enum Declarations {
  /// The names of the cases of `enum name` in `source`.
  static func cases(of name: String, in source: String) -> Set<String> {
    var cases: Set<String> = []
    var depth: Int?
    for line in source.split(separator: "\n") {
      let text = line.drop { $0 == " " }
      guard !text.hasPrefix("//") else { continue }
      if depth == 1, text.hasPrefix("case ") { cases.formUnion(names(in: text.dropFirst(5))) }
      if depth == nil, text.contains("enum \(name):") || text.contains("enum \(name) ") {
        depth = 0
      }
      if let current = depth {
        let opened = text.count { $0 == "{" } - text.count { $0 == "}" }
        depth = current + opened
        if depth == 0 { return cases }
      }
    }
    return cases
  }

  /// `a(Int, of: Int), b = 2` are a and b.
  private static func names(in list: Substring) -> [String] {
    var (names, name, depth, isValue) = ([String](), "", 0, false)
    for character in list {
      switch character {
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth == 0:
        names.append(name)
        (name, isValue) = ("", false)
      case "=": isValue = true
      case _ where depth == 0 && !isValue && (character.isLetter || character.isNumber):
        name.append(character)
      default: break
      }
    }
    return names + [name]
  }
}
