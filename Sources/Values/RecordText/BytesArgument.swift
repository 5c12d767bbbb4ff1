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
}
