import RecordText

/// A label in ZPL II with fields in braces: `^FD{name}^FS`. `{{` and `}}` are braces.
///
/// The fields are the columns of a label file: what the program knows of the tag (`uid`, `uri`, …)
/// and the columns of the job list. A field stands in the text of `^FD` or `^FV` alone, where its
/// value cannot become a command: `^`, `~` and control characters are written in hexadecimal, for
/// which `^FH` is put before the text where the template has none (ZPL II Programming Guide, ^FH).
/// Text is UTF-8: `^CI28` is put behind each `^XA` where the label has no `^CI` of its own.
package struct LabelTemplate: Hashable, Sendable {
  /// What is sent.
  enum Piece: Hashable, Sendable {
    /// As it stands.
    case bytes([UInt8])
    /// The text of a field, with what stands in place of names.
    case text([Part], Encoding)
  }

  /// A part of a text.
  enum Part: Hashable, Sendable {
    case plain(String)
    case value(field: String)
  }

  /// How text is written.
  struct Encoding: Hashable, Sendable {
    /// What stands before two hexadecimal digits: `^FH`'s indicator.
    var indicator = UInt8(ascii: "_")
    /// Is true if the template has that `^FH` itself, and so writes its own text that way.
    var isGiven = false
    /// In Code 128 `>` begins an order to the bar code; `>0` is the character (^BC).
    var isCode128 = false
    /// In a field block and a PDF417 `\` begins an order, and in a Data Matrix its escape
    /// character; twice it is the character (^FB, ^B7, ^BX).
    var escape: UInt8?
    /// The code that the text is printed as, where it reads a part of the text as orders.
    var code: LabelCode?
  }

  let pieces: [Piece]

  /// The longest text of a field, in bytes (^FD).
  static let longestText = 3072

  /// Reads a template. Throws for what is no label, for a field that is none of `known`, and for
  /// commands with which it cannot be printed safely.
  init(_ text: String, fields known: [String]) throws(LabelTemplateError) {
    let template: Template
    do throws(RecordTextError) {
      template = try Template(text)
    } catch {
      throw LabelTemplateError(error.message)
    }
    if let field = template.fields.first(where: { !known.contains($0) }) {
      throw LabelTemplateError(
        "It has the field {\(field)}, and there is no such column. The columns are \(known.joined(separator: ", "))."
      )
    }
    var reader = LabelTemplateReader(ZPLCommand.all(in: template))
    pieces = try reader.read()
  }

  /// The label with these values; a field that has none is empty. Throws when a text is longer than
  /// printers take.
  func bytes(_ values: [String: String]) throws(LabelTemplateError) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .bytes(let text): bytes += text
      case .text(let parts, let encoding):
        var length = 0
        for part in parts {
          switch part {
          case .plain(let text):
            length += text.utf8.count
            bytes += encoding.isGiven ? Array(text.utf8) : encoding.hiding(text, in: [])
          case .value(let field):
            let value = encoding.escaping(values[field] ?? "")
            if let problem = encoding.code?.problem(ofValue: value) {
              throw LabelTemplateError(problem)
            }
            length += value.utf8.count
            bytes += encoding.value(value)
          }
        }
        guard length <= Self.longestText else {
          throw LabelTemplateError(
            "A text has \(length) bytes; a printer takes \(Self.longestText).")
        }
      }
    }
    return bytes
  }
}

extension LabelTemplate.Encoding {
  /// `text` with its escape characters twice.
  func escaping(_ text: String) -> String {
    guard let escape else { return text }
    return String(decoding: text.utf8.flatMap { $0 == escape ? [$0, $0] : [$0] }, as: UTF8.self)
  }

  /// A value: nothing in it is a command, or an order to a bar code.
  func value(_ text: String) -> [UInt8] {
    var text = text
    if isCode128 {
      text = String(
        decoding: text.utf8.flatMap { $0 == UInt8(ascii: ">") ? Array(">0".utf8) : [$0] },
        as: UTF8.self)
    }
    return hiding(text, in: [0x5E, 0x7E])
  }

  /// `text` with `others`, control characters and the indicator in hexadecimal.
  func hiding(_ text: String, in others: [UInt8]) -> [UInt8] {
    text.utf8.flatMap { byte -> [UInt8] in
      let isControl = byte < 0x20 || byte == 0x7F
      guard byte == indicator || others.contains(byte) || isControl && !others.isEmpty else {
        return [byte]
      }
      return [indicator] + Self.digits(byte)
    }
  }

  /// The order that begins at the end of `text` and takes what follows; nil: there is none.
  func openOrder(in text: String) -> String? {
    if isGiven {
      let digits = text.utf8.reversed().prefix { Character(UnicodeScalar($0)).isHexDigit }
      let end = text.utf8.dropLast(digits.count)
      // An indicator takes two digits.
      if digits.count < 2, end.last == indicator { return String(text.suffix(digits.count + 1)) }
    }
    for mark in [isCode128 ? UInt8(ascii: ">") : nil, escape].compactMap(\.self)
    where !text.utf8.reversed().prefix(while: { $0 == mark }).count.isMultiple(of: 2) {
      return String(UnicodeScalar(mark))
    }
    return nil
  }

  private static func digits(_ byte: UInt8) -> [UInt8] {
    let all = Array("0123456789ABCDEF".utf8)
    return [all[Int(byte >> 4)], all[Int(byte & 0xF)]]
  }
}

/// Why a template is no label, in a sentence without its file.
package struct LabelTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
