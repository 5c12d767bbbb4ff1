import RecordText

/// A command of a label's template: `^XA`, `~DG…`, and what follows up to the next.
///
/// ZPL II Programming Guide, Basic ZPL exercises: a caret or a tilde and two characters name it.
struct ZPLCommand: Hashable, Sendable {
  /// `^` or `~`; 0 for what stands before the first command.
  var prefix: UInt8 = 0
  /// In upper case. Of `^A0N` it is `A0`.
  var name = ""
  /// What follows the name.
  var rest: [LabelTemplate.Part] = []

  /// The commands of a template, with what stands before them as one without a name.
  static func all(in template: Template) -> [ZPLCommand] {
    var commands = [ZPLCommand()]
    for piece in template.pieces {
      switch piece {
      case .field(let name): commands[commands.count - 1].rest.append(.value(field: name))
      case .text(let text):
        // By scalars: a caret with a combining mark behind it is another character, and the same
        // byte.
        var rest = text.unicodeScalars[...]
        while let start = rest.first {
          if isPrefix(start) {
            let name = rest.dropFirst().prefix(2).prefix { !isPrefix($0) }
            commands.append(
              ZPLCommand(prefix: UInt8(start.value), name: String(name).uppercased()))
            rest = rest[name.endIndex...]
          }
          let plain = rest.prefix { !isPrefix($0) }
          if !plain.isEmpty {
            commands[commands.count - 1].rest.append(.plain(String(plain)))
          }
          rest = rest[plain.endIndex...]
        }
      }
    }
    return commands
  }

  private static func isPrefix(_ scalar: UnicodeScalar) -> Bool { scalar == "^" || scalar == "~" }

  /// What follows the name where no field stands in it.
  var plain: String {
    rest.map { if case .plain(let text) = $0 { text } else { "" } }.joined()
  }

  /// The first field that stands in it.
  var field: String? {
    rest.lazy.compactMap { if case .value(let field) = $0 { field } else { nil } }.first
  }

  /// `^FD`.
  var mark: String { prefix == 0 ? "" : "\(Character(UnicodeScalar(prefix)))\(name)" }
}
