import NDEF
import RecordText
import TagMemory
import WebAddress

/// A rule says what becomes of the links that a pattern takes: a template, in which the places of
/// the pattern are fields, beside `{uid}` and `{date}`.
package struct ChangeRule: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    /// As it stands in a template: text, and fields that wait for the tag.
    case ready(String)
    case capture(Int)
    /// `{id}{check:luhn}`: what proves what a place has taken.
    case check(CheckDigit, Int)
  }

  /// Its line in the list; nil: it is the only one.
  package let line: Int?
  package let from: LinkPattern
  /// The template as it was given.
  package let to: String
  private let pieces: [Piece]

  /// Fails for a pattern that is none, a field that nothing fills, and a template that makes no
  /// address.
  package init(line: Int? = nil, from pattern: String, to template: String) throws(RecordTextError)
  {
    self.line = line
    from = try LinkPattern(parsing: pattern)
    to = template
    var (pieces, before): ([Piece], Int?) = ([], nil)
    let names = from.places.map(\.name)
    for piece in try Template(template).pieces {
      let checked = before
      before = nil
      switch piece {
      case .text(let text): pieces.append(.ready(Template.escaped(text)))
      case .field(let name):
        if let index = names.firstIndex(of: name) {
          before = index
          pieces.append(.capture(index))
        } else if let checked, case .check(let kind)? = try TagField(name) {
          pieces.append(.check(kind, checked))
        } else {
          pieces.append(.ready("{\(try Self.ofTag(name, beside: names))}"))
        }
      }
    }
    self.pieces = pieces
    let samples = from.places.map {
      LinkPattern.Capture(place: $0, text: $0.takesRest ? (from.host == nil ? "" : "/1") : "1")
    }
    let day = "2026-11-27"
    _ = try link(
      of: samples, for: TagFields(uid: UID([4, 1, 2, 3, 4, 5, 6]), number: 1, made: day))
  }

  /// The name of a field that the tag fills, or the day.
  private static func ofTag(
    _ name: String, beside names: [String]
  ) throws(RecordTextError) -> String {
    switch try TagField(name) {
    case .uid, .date, .character, .check: return name
    case .counter, .mirror, .random, .hmac, nil:
      let known = (names + ["uid", "date"]).map { "{\($0)}" }.joined(separator: ", ")
      throw RecordTextError(
        .badInput,
        "Nothing fills the field {\(RecordTextError.plain(name))} of a new link. There are \(known)."
      )
    }
  }

  /// The record of the new link. Fails where the template and what the places have taken make no
  /// address.
  func link(
    of captures: [LinkPattern.Capture], for fields: TagFields
  ) throws(RecordTextError) -> Record {
    var text = ""
    for piece in pieces {
      switch piece {
      case .ready(let ready): text += ready
      case .capture(let index):
        text += Template.escaped(Self.text(of: captures[index], behind: text))
      case .check(let kind, let index): text += try kind.digits(behind: captures[index].text)
      }
    }
    if let step = PathSteps.ranges(in: text).first {
      throw RecordTextError(.badInput, RowTemplate.stepRefusal(text[step]))
    }
    let template = MessageTemplate(records: [.init(option: "uri", text: text)])
    guard let record = try template.message(for: fields).records.first else {
      throw RecordTextError(.badInput, "The new link makes no record.")
    }
    return record
  }

  /// What a place has taken, fit for where it comes to stand: as it was in a place of the same
  /// kind.
  private static func text(of capture: LinkPattern.Capture, behind text: String) -> String {
    let place = AddressPlace(behind: text)
    guard !capture.place.takesRest, place != capture.place.kind else { return capture.text }
    return place.encoded(PercentEncoding.decode(capture.text))
  }
}
