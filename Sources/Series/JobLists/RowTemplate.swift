import RecordText
import TagMemory
import WebAddress

/// One record of the message, the fields that a row fills in known by their columns.
struct RowTemplate: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    /// As it stands in the job's template: text, and fields that wait for the tag.
    case ready(String)
    case column(Column)
    /// `{code}{check:luhn}`: what proves the value of the column.
    case check(CheckDigit, column: Int)
    /// `{hmac.code:FILE:N}`: what only somebody with the key can make of the value of the column.
    case hmac(HMACField, column: Int)
  }

  private struct Column: Hashable, Sendable {
    var index: Int
    /// `{name:raw}`: not percent-encoded.
    var isRaw = false
    /// `{name:optional}`: may be empty.
    var isOptional = false
    /// Is true if it stands in a URL.
    var isInURL = false
  }

  private let option: String
  private let pieces: [Piece]
  /// What in a value would divide the option's text or name a file.
  private let dividers: String

  /// The columns that are used.
  var columns: [Int] {
    pieces.compactMap { piece in
      switch piece {
      case .column(let column): column.index
      case .hmac(_, let column): column
      case .ready, .check: nil
      }
    }
  }

  /// Fails for an unknown field, naming the columns there are, and for text that is no value of its
  /// option.
  init(_ record: MessageTemplate.Record, header: Header) throws(RecordTextError) {
    let kind = try record.kind
    option = record.option
    dividers = Self.dividers(of: kind)
    // The part of a Smart Poster's text that is a URL.
    let urlLength =
      switch kind {
      case .uri: Int.max
      case .smartPoster: SmartPosterArgument.url(of: record.text).utf8.count
      default: 0
      }
    var pieces: [Piece] = []
    var length = 0
    // The field right before: a column, or one that waits for the tag.
    var before: (column: Int?, isField: Bool) = (nil, false)
    for piece in try Template(record.text).pieces {
      let checked = before
      before = (nil, false)
      switch piece {
      case .text(let text):
        let text = Template.escaped(text)
        pieces.append(.ready(text))
        length += text.utf8.count
      case .field(let name):
        before.isField = true
        if !checked.isField || checked.column != nil, name.hasPrefix("check:"),
          case .check(let kind)? = try TagField(name)
        {
          guard let column = checked.column else { throw kind.misplaced }
          pieces.append(.check(kind, column: column))
        } else if let (field, column) = try Self.hmac(name, header) {
          pieces.append(.hmac(field, column: column))
        } else if var column = try Self.column(name, header) {
          column.isInURL = length < urlLength
          before.column = column.index
          pieces.append(.column(column))
        } else {
          pieces.append(.ready("{\(name)}"))
        }
        length += name.utf8.count + 2
      }
    }
    self.pieces = pieces
  }

  /// The record with the row's values in place.
  func record(_ row: RawRow, _ header: Header) throws(RowError) -> MessageTemplate.Record {
    var text = ""
    // Where values of the row stand in it.
    var given: [(range: ClosedRange<Int>, column: Int)] = []
    for piece in pieces {
      switch piece {
      case .ready(let ready): text += ready
      case .check(let kind, let column):
        do throws(RecordTextError) {
          text += try kind.digits(behind: row.fields[column])
        } catch {
          throw RowError(line: row.line, column: header.names[column], error.message)
        }
      case .hmac(let field, let column):
        guard !row.fields[column].isEmpty else {
          throw RowError(line: row.line, column: header.names[column], "It is empty.")
        }
        text += field.over(row.fields[column])
      case .column(let column):
        let start = text.utf8.count
        defer { if column.isInURL { given.append((start...text.utf8.count, column.index)) } }
        var value = row.fields[column.index]
        if value.isEmpty, !column.isOptional {
          throw RowError(line: row.line, column: header.names[column.index], "It is empty.")
        }
        if column.isInURL, MirrorTemplate.isPresent(in: value) {
          throw RowError(
            line: row.line, column: header.names[column.index],
            "A place for a mirror, such as {mirror:uid}, goes into the template and not into a row."
          )
        }
        if column.isInURL, let unseen = value.firstUnseen {
          throw RowError(
            line: row.line, column: header.names[column.index],
            "It has the character U+\(String(unseen.value, radix: 16, uppercase: true)), which nobody sees in it. Take it out of the list."
          )
        }
        if column.isInURL, !column.isRaw { value = AddressPlace(behind: text).encoded(value) }
        text += escaped(value)
      }
    }
    try refuseSteps(in: text, given, row, header)
    return MessageTemplate.Record(option: option, text: text)
  }

  /// Refuses a row of which a value makes a step of a part of the path, alone or together with what
  /// stands beside it.
  private func refuseSteps(
    in text: String, _ given: [(range: ClosedRange<Int>, column: Int)], _ row: RawRow,
    _ header: Header
  ) throws(RowError) {
    guard !given.isEmpty else { return }
    for step in PathSteps.ranges(in: text) {
      let (start, end) = (
        text.utf8.distance(from: text.startIndex, to: step.lowerBound),
        text.utf8.distance(from: text.startIndex, to: step.upperBound)
      )
      guard let value = given.first(where: { $0.range.overlaps(start...end) }) else { continue }
      throw RowError(
        line: row.line, column: header.names[value.column], Self.stepRefusal(text[step]))
    }
  }

  /// Why no link has a path with such a part.
  static func stepRefusal(_ part: Substring) -> String {
    "A part of the link's path is “\(part)”: browsers and telephones leave it out, and open another address."
  }

  /// The field for a code over the value of a column; nil where it is none.
  private static func hmac(
    _ text: String, _ header: Header
  ) throws(RecordTextError) -> (HMACField, column: Int)? {
    guard text.hasPrefix("hmac."), case .hmac(let field)? = try TagField(text),
      case .column(let name) = field.input
    else { return nil }
    guard let column = try Self.column(name, header) else {
      throw RecordTextError(
        .badInput,
        "{hmac.COLUMN:FILE:N} is over the value of a column; over the tag's UID it is {hmac:FILE:N}."
      )
    }
    return (field, column.index)
  }

  private static func column(_ text: String, _ header: Header) throws(RecordTextError) -> Column? {
    var words = text.split(separator: ":", omittingEmptySubsequences: false)[...]
    var column: Column?
    // A name may have colons in it.
    if let index = header.index(of: text) {
      column = Column(index: index)
      words = []
    } else if let name = words.popFirst(), let index = header.index(of: String(name)) {
      column = Column(index: index)
    }
    // The tag's own is that of its row.
    if let found = column, found.index == header.uid { column = nil }
    let ofTag = try column == nil ? TagField(text) : nil
    guard var column else {
      if ofTag != nil { return nil }
      throw RecordTextError(
        .badInput,
        "There is no field {\(RecordTextError.plain(text))}. The columns are \(header.listed); uid, counter, date, random and hmac are also fields."
      )
    }
    let name = header.names[column.index].lowercased()
    if TagField.names.contains(name) {
      throw RecordTextError(
        .badInput, "The program fills {\(name)} for every tag; rename the column of that name."
      )
    }
    guard !header.secrets.contains(column.index) else {
      throw RecordTextError(
        .badInput,
        "The column \(header.names[column.index]) is secret: a message must not show it.")
    }
    for word in words {
      switch word {
      case "raw": column.isRaw = true
      case "optional": column.isOptional = true
      default:
        throw RecordTextError(
          .badInput,
          "{\(RecordTextError.plain(text))}: a column's field takes :raw and :optional.")
      }
    }
    return column
  }

  /// `value` as text of a template that means itself whatever it is made of.
  private func escaped(_ value: String) -> String {
    let value = Template.escaped(value)
    guard value.utf8.contains(where: dividers.utf8.contains) else { return value }
    var result = ""
    for scalar in value.unicodeScalars {
      if dividers.unicodeScalars.contains(scalar) {
        result += "{U+\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func dividers(of option: RecordOption) -> String {
    switch option {
    case .uri, .text, .lang, .id, .androidApp, .ndef: ""
    case .mime, .external, .vcard: "=:@"
    case .smartPoster: ",=@"
    case .wifi: ","
    }
  }
}
