import TOMLKit

extension SettingsFile {
  /// What a board is not asked for; nil and false: nothing is known against it.
  package struct Board: Hashable, Sendable {
    /// `baud`: the fastest that `--baud auto` goes.
    package var baud: Int?
    /// `fast-read`: the most pages of one FAST_READ; 4 is READ.
    package var fastRead: Int?
    /// `slow-tags`: tags get 51.2 ms for an answer from the start.
    package var slowTags: Bool?

    package init(baud: Int? = nil, fastRead: Int? = nil, slowTags: Bool? = nil) {
      (self.baud, self.fastRead, self.slowTags) = (baud, fastRead, slowTags)
    }

    /// Its keys and values as TOML, in the order in which they are written.
    var lines: [(key: String, text: String)] {
      [
        baud.map { ("baud", "baud = \($0)") },
        fastRead.map { ("fast-read", "fast-read = \($0)") },
        slowTags.map { ("slow-tags", "slow-tags = \($0)") },
      ].compactMap(\.self)
    }
  }

  /// The speeds that a line can be limited to (UM0701-02, 7.2.6, as far as ports make them).
  private static let speeds: Set<Int> = [
    9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
  ]

  mutating func read(boards table: TOMLTable, _ places: KeyPlaces) throws(SettingsError) {
    for name in table.keys {
      guard let section = table[name]?.table else {
        throw SettingsError(
          line: places.line(of: ["boards", name]),
          reason: "[boards.\"READER\"] belongs above \u{201C}\(name)\u{201D}")
      }
      var board = Board()
      for key in section.keys {
        func fail(_ reason: String) -> SettingsError {
          SettingsError(line: places.line(of: ["boards", name, key]), reason: reason)
        }
        switch key {
        case "baud":
          guard let speed = section[key]?.int, Self.speeds.contains(speed) else {
            throw fail("baud is a speed from 9600 to 921600, such as 115200")
          }
          board.baud = speed
        case "fast-read":
          guard let count = section[key]?.int, (4...60).contains(count) else {
            throw fail("fast-read is a number of pages from 4 to 60")
          }
          board.fastRead = count
        case "slow-tags":
          guard let isSlow = section[key]?.bool else { throw fail("slow-tags is true or false") }
          board.slowTags = isSlow
        default:
          throw fail(
            "a board has no \u{201C}\(key)\u{201D}; it has baud, fast-read and slow-tags")
        }
      }
      boards[name] = board
    }
  }

  /// `text`, a settings file, with the values that `board` has in `[boards."name"]`; all else stays
  /// as it is, comments and order included.
  ///
  /// Throws where `text` is no settings file, or where it is written in a way that this cannot
  /// change without a loss.
  package static func text(
    _ text: String, setting board: Board, of name: String
  ) throws(SettingsError) -> String {
    let before = try SettingsFile(parsing: text)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    if let heading = lines.firstIndex(where: { Self.heading($0) == ["boards", name] }) {
      var end = lines[(heading + 1)...].firstIndex { Self.heading($0) != nil } ?? lines.count
      for (key, line) in board.lines {
        if let old = (heading + 1..<end).first(where: { Self.key(lines[$0]) == key }) {
          lines[old] = line
        } else {
          lines.insert(line, at: heading + 1)
          end += 1
        }
      }
    } else {
      if lines.last.map({ !$0.isEmpty }) == true { lines.append("") }
      lines.append("[boards.\(quoted(name))]")
      lines += board.lines.map(\.text)
    }
    let changed = lines.joined(separator: "\n") + "\n"
    var wanted = before.boards
    var entry = wanted[name] ?? Board()
    entry.baud = board.baud ?? entry.baud
    entry.fastRead = board.fastRead ?? entry.fastRead
    entry.slowTags = board.slowTags ?? entry.slowTags
    wanted[name] = entry
    // The proof that nothing else has changed: what is read from it, but for the lines' numbers.
    guard let after = try? SettingsFile(parsing: changed), after.boards == wanted,
      after.readers == before.readers,
      after.values == before.values
    else {
      throw SettingsError(
        line: 1, reason: "it cannot be changed without a loss; write the values by hand")
    }
    return changed
  }

  /// All options and their values, without the lines on which they stand.
  private var values: [String: [String: Value]] {
    var values = ["": defaults].merging(commands) { $1 }
      .mapValues { Dictionary($0.map { ($0.option, $0.value) }) { first, _ in first } }
    values = values.filter { !$0.value.isEmpty }
    return values
  }

  /// The table that a heading opens; nil for any other line.
  private static func heading(_ line: String) -> [String]? {
    let content = line.drop { $0 == " " || $0 == "\t" }
    guard content.first == "[" else { return nil }
    return KeyPlaces.keys(content.drop { $0 == "[" }, until: "]")
  }

  /// The key that a line gives a value.
  private static func key(_ line: String) -> String? {
    let content = line.drop { $0 == " " || $0 == "\t" }
    guard content.first != "#", content.contains("=") else { return nil }
    return KeyPlaces.keys(content, until: "=").joined(separator: ".")
  }

  /// A basic string (TOML 1.0).
  private static func quoted(_ name: String) -> String {
    let escaped = name.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
          + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
