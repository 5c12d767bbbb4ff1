/// Bytes given in place or in a file: `TYPE=text`, `TYPE=@FILE`, `@FILE`.
enum BytesArgument {
  /// Splits `NAME=VALUE` at the first `=`; nil when there is none or the name is empty.
  static func split(_ text: String) -> (name: String, value: String)? {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  /// The file's bytes behind `@`, otherwise the text itself in UTF-8. Fails with `noInput`.
  static func bytes(_ value: String) throws(CommandFailure) -> [UInt8] {
    value.hasPrefix("@") ? try Files.read(String(value.dropFirst())) : Array(value.utf8)
  }
}
