import TOMLKit

/// `nfcprog.toml`: names for readers, and values for options that are not given otherwise.
///
///     [readers]             # names that --reader takes
///     left = "usb:1-2"
///
///     [defaults]            # options of every command that has them
///     reader = "left"
///     timeout = 10
///
///     [commands.write-url]  # options of one command
///     quiet = true
///
///     [boards."left"]       # what a reader was found not to do (bring-up --apply)
///     fast-read = 4
package struct SettingsFile: Hashable, Sendable {
  /// A value for an option, and the line that gives it.
  package struct Entry: Hashable, Sendable {
    /// The option's name without its dashes.
    package var option: String
    package var value: Value
    package var line: Int
  }

  /// What stands behind an option's name.
  package enum Value: Hashable, Sendable {
    /// A text or a number, as the command line would have it; several for an option that may be
    /// repeated.
    case texts([String])
    case flag(Bool)
  }

  /// What each name in `[readers]` stands for.
  package private(set) var readers: [String: String] = [:]
  /// `[defaults]`, by line.
  package private(set) var defaults: [Entry] = []
  /// `[commands.NAME]`, by line; a command of a command is written `journal.verify`.
  package private(set) var commands: [String: [Entry]] = [:]
  /// The line of each table of a command.
  package private(set) var commandLines: [String: Int] = [:]

  /// `[boards."READER"]`: what the board behind a reader's name is not asked for.
  package internal(set) var boards: [String: Board] = [:]

  /// A file that says nothing.
  package init() {}

  /// Reads a file's text. Throws with the line where it is no TOML, or where a table or a value has
  /// no meaning here.
  package init(parsing text: String) throws(SettingsError) {
    guard !text.utf8.contains(0) else {
      throw SettingsError(line: Self.lineOfZero(in: text), reason: "there is a zero byte")
    }
    try TextCheck.run(text)
    let places = KeyPlaces(in: text)
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw SettingsError(line: error.source.begin.line, reason: error.description)
    } catch {
      throw SettingsError(line: 1, reason: "\(error)")
    }
    for key in table.keys {
      let line = places.line(of: [key])
      guard let section = table[key]?.table,
        ["readers", "defaults", "commands", "boards"].contains(key)
      else {
        throw SettingsError(
          line: line,
          reason:
            "unknown key \u{201C}\(key)\u{201D}; known tables are [readers], [defaults], [commands.NAME] and [boards.READER]"
        )
      }
      switch key {
      case "readers": try read(readers: section, places)
      case "boards": try read(boards: section, places)
      case "defaults": defaults = try Self.entries(of: section, at: [key], places)
      default: try read(commands: section, at: [key], places)
      }
    }
  }

  private mutating func read(
    readers table: TOMLTable, _ places: KeyPlaces
  ) throws(SettingsError) {
    for name in table.keys {
      let line = places.line(of: ["readers", name])
      guard let place = table[name]?.string, !place.isEmpty else {
        throw SettingsError(
          line: line, reason: "\(name) is not a text that names a reader, such as \"usb:1-2\""
        )
      }
      guard !name.isEmpty, !name.contains(where: { "/:".contains($0) }) else {
        throw SettingsError(
          line: line, reason: "a reader's name has no \u{201C}/\u{201D} and no \u{201C}:\u{201D}")
      }
      readers[name] = place
    }
  }

  /// A table that has tables in it is a command with commands.
  private mutating func read(
    commands table: TOMLTable, at path: [String], _ places: KeyPlaces
  ) throws(SettingsError) {
    for name in table.keys {
      let here = path + [name]
      guard let section = table[name]?.table else {
        if path.count > 1 { continue }
        throw SettingsError(
          line: places.line(of: here),
          reason: "[commands.NAME] belongs above \u{201C}\(name)\u{201D}")
      }
      let command = here.dropFirst().joined(separator: ".")
      commandLines[command] = places.line(of: here)
      commands[command] = try Self.entries(of: section, at: here, places)
      try read(commands: section, at: here, places)
    }
  }

  private static func entries(
    of table: TOMLTable, at path: [String], _ places: KeyPlaces
  ) throws(SettingsError) -> [Entry] {
    var entries: [Entry] = []
    for key in table.keys {
      guard let value = table[key], !(value.type == .table && path.first == "commands") else {
        continue
      }
      let line = places.line(of: path + [key])
      guard let read = Self.value(value) else {
        throw SettingsError(
          line: line,
          reason: "\(key) takes a text, a number, true or false, or a list of texts and numbers")
      }
      entries.append(Entry(option: key, value: read, line: line))
    }
    return entries.sorted { $0.line < $1.line }
  }

  private static func value(_ value: any TOMLValueConvertible) -> Value? {
    if let flag = value.bool { return .flag(flag) }
    if let array = value.array {
      let texts = array.compactMap { text($0) }
      return texts.count == array.count ? .texts(texts) : nil
    }
    return text(value).map { .texts([$0]) }
  }

  private static func text(_ value: any TOMLValueConvertible) -> String? {
    if let text = value.string { return text }
    if let number = value.int { return String(number) }
    return value.double.map { String($0) }
  }

  private static func lineOfZero(in text: String) -> Int {
    text.utf8.prefix { $0 != 0 }.count { $0 == 0x0A } + 1
  }
}

/// What is wrong with a settings file; lines count from 1.
package struct SettingsError: Error, Hashable, Sendable {
  package var line: Int
  /// A clause, without a full stop.
  package var reason: String

  package init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }
}
