/// On which line of a TOML text each key stands: the parser tells that of mistakes only.
struct KeyPlaces {
  private var lines: [[String]: Int] = [:]

  /// Walks over the lines of `text`, which must be sound TOML to be understood; headings and keys
  /// at the start of a line count.
  init(in text: String) {
    var table: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let content = line.drop { $0 == " " || $0 == "\t" }
      guard let first = content.first, first != "#" else { continue }
      if first == "[" {
        table = Self.keys(content.drop { $0 == "[" }, until: "]")
        note(table, index + 1)
      } else if content.contains("=") {
        note(table + Self.keys(content, until: "="), index + 1)
      }
    }
  }

  /// The line of a key, or of the nearest table around it that is known; 1 without any.
  func line(of path: [String]) -> Int {
    var path = path
    while !path.isEmpty {
      if let line = lines[path] { return line }
      path.removeLast()
    }
    return 1
  }

  /// The first line that names a key, or a key below it.
  private mutating func note(_ path: [String], _ line: Int) {
    for count in stride(from: path.count, to: 0, by: -1) {
      let key = Array(path.prefix(count))
      if lines[key] == nil { lines[key] = line }
    }
  }

  /// The parts of a dotted key, quoted or bare, up to `end`.
  static func keys(_ text: Substring, until end: Character) -> [String] {
    var (keys, word): ([String], String) = ([], "")
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == end {
        break
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "." {
        keys.append(word)
        word = ""
      } else if !character.isWhitespace {
        word.append(character)
      }
    }
    return keys + [word]
  }
}
