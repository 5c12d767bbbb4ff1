/// Bytes given in place or in a file: `TYPE=text`, `TYPE=@FILE`, `@FILE`.
enum BytesArgument {
  /// Splits `NAME=VALUE` at the first `=`; fails when there is none or the name is empty, and names
  /// `form`.
  static func split(
    _ text: String, form: String
  ) throws(RecordTextError) -> (name: String, value: String) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw .badInput("\(RecordTextError.quoted(text)) is not \(form).")
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  /// Splits `TYPE=VALUE` at the first `=` that belongs to no parameter of the media type; as in
  /// `text/plain; charset=utf-8=Hello`.
  static func splitMedia(_ text: String) throws(RecordTextError) -> (name: String, value: String) {
    let form = "TYPE=text or TYPE=@FILE"
    let type = text.prefix { $0 != "=" }
    guard type.contains(";") else { return try split(text, form: form) }
    var rest = text[text.prefix { $0 != ";" }.endIndex...]
    while rest.first == ";" {
      rest = rest.dropFirst().drop { $0 != "=" && $0 != ";" }
      guard rest.first == "=" else { break }
      rest = rest.dropFirst()
      if rest.first == "\"" {
        rest = rest.dropFirst().drop { $0 != "\"" }.dropFirst()
      } else {
        rest = rest.drop { $0 != "=" && $0 != ";" }
      }
    }
    guard rest.first == "=" else {
      throw .badInput(
        "\(RecordTextError.quoted(text)) is not \(form): behind the parameters of the type there is no = with the content."
      )
    }
    return (String(text[..<rest.startIndex]), String(rest.dropFirst()))
  }
}
