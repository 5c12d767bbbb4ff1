import RecordText
import WebAddress

/// A pattern of links: text, with places that take what stands there:
/// `https://old.example/t/{id}`.
///
/// `{id}` takes one character or more of one part of the path, or of one value of the query.
/// `{name:rest}`, at the end, takes all that is left, perhaps nothing. A host alone, such as
/// `old.example`, is a pattern of its web links, http and https; what stands behind the host is
/// taken as `rest`. A pattern without a place is one link. Hosts compare without case, all else as
/// it is written.
package struct LinkPattern: Hashable, Sendable {
  /// A place takes a part of a link.
  struct Place: Hashable, Sendable {
    let name: String
    let takesRest: Bool
    /// Where in a link it stands.
    let kind: AddressPlace
  }

  enum Piece: Hashable, Sendable {
    case text([UInt8])
    case place(Place)
  }

  /// As it was given.
  package let text: String
  let pieces: [Piece]
  /// The host of which it takes all web links; nil: it takes those that `pieces` say.
  let host: String?

  /// The places by their names, in order.
  var places: [Place] {
    pieces.compactMap { if case .place(let place) = $0 { place } else { nil } }
  }

  /// What tells it from others: two patterns with one key take the same links.
  var key: [[UInt8]?] {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .place(let place): place.takesRest ? [] : nil
      }
    }
  }

  /// Fails for text that no link can be like, and says why.
  package init(parsing text: String) throws(RecordTextError) {
    self.text = text
    if let host = try Self.host(text) {
      self.host = host
      pieces = [
        .text(Array("//\(host)".utf8)),
        .place(Place(name: "rest", takesRest: true, kind: .path)),
      ]
      return
    }
    host = nil
    // No text has it in it.
    var mark = "zz"
    while text.lowercased().contains(mark) { mark += "z" }
    var (sample, isBehindPlace, names) = ("", false, [(name: String, takesRest: Bool)]())
    for piece in try Template(text).pieces {
      switch piece {
      case .text(let text):
        sample += text
        isBehindPlace = false
      case .field(let field):
        let (name, takesRest) = try Self.name(field)
        guard !isBehindPlace else {
          throw Self.fault(text, "of two places side by side nobody can say which takes what")
        }
        guard !names.contains(where: { $0.name == name }) else {
          throw Self.fault(text, "it has the place {\(RecordTextError.plain(name))} twice")
        }
        sample += Self.token(mark, names.count)
        isBehindPlace = true
        names.append((name, takesRest))
      }
    }
    let address: Address
    do throws(AddressError) {
      address = try Address(parsing: sample)
    } catch {
      throw Self.fault(text, "\(error)")
    }
    let beforePath = [address.scheme, address.userInfo, address.host, address.port]
    guard !beforePath.contains(where: { $0?.contains(mark) == true }) else {
      throw Self.fault(text, "places stand behind the host, in the path or the query")
    }
    pieces = Self.pieces(of: Self.canonical(address), names, mark)
    for case .place(let place) in pieces.dropLast() where place.takesRest {
      throw Self.fault(
        text, "{\(place.name):rest} takes all that is left, so it stands at the end")
    }
  }

  /// What stands for a place in a sample of the links.
  private static func token(_ mark: String, _ number: Int) -> String { "\(mark)\(number)x" }

  private static func pieces(
    of link: String, _ names: [(name: String, takesRest: Bool)], _ mark: String
  ) -> [Piece] {
    var (pieces, before, rest): ([Piece], String, Substring) = ([], "", link[...])
    for (number, (name, takesRest)) in names.enumerated() {
      guard let range = rest.firstRange(of: token(mark, number)) else { continue }
      if range.lowerBound > rest.startIndex {
        pieces.append(.text(Array(rest[..<range.lowerBound].utf8)))
      }
      before += rest[..<range.lowerBound]
      pieces.append(
        .place(Place(name: name, takesRest: takesRest, kind: AddressPlace(behind: before))))
      rest = rest[range.upperBound...]
    }
    if !rest.isEmpty { pieces.append(.text(Array(rest.utf8))) }
    return pieces
  }

  /// The host that `text` is alone; nil where it is more, or something else.
  private static func host(_ text: String) throws(RecordTextError) -> String? {
    guard !text.isEmpty, !text.utf8.contains(where: { "/:?#@{} ".utf8.contains($0) }),
      text.utf8.contains(UInt8(ascii: "."))
    else { return nil }
    do throws(AddressError) {
      return try Address(parsing: "https://\(text)/").host
    } catch {
      throw fault(text, "\(error)")
    }
  }

  /// The name of a place, and whether it takes all that is left.
  private static func name(_ field: String) throws(RecordTextError) -> (String, Bool) {
    let takesRest = field.hasSuffix(":rest")
    let name = takesRest ? String(field.dropLast(":rest".count)) : field
    let isName =
      name.utf8.first.map { Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80 } == true
      && name.unicodeScalars.allSatisfy {
        Address.isPathCharacter($0) && !"!$&'()*+,;=:@.~".unicodeScalars.contains($0)
      }
    guard isName, try TagField(name) == nil else {
      throw RecordTextError(
        .badInput,
        "{\(RecordTextError.plain(field))} is no place of a pattern: it has a name of letters and digits, other than \(TagField.names.joined(separator: ", ")), as {id} or {path:rest}."
      )
    }
    return (name, takesRest)
  }

  /// The link as it is compared: scheme and host in lower case, and a path behind each host.
  static func canonical(_ address: Address) -> String {
    let text = address.description
    guard address.path.isEmpty, address.host != nil else { return text }
    let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    return text[..<end] + "/" + text[end...]
  }

  static func fault(_ text: String, _ reason: String) -> RecordTextError {
    RecordTextError(.badInput, "\(RecordTextError.quoted(text)) is no pattern of links: \(reason).")
  }
}
