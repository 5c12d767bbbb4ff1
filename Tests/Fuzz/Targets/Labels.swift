#if canImport(JobLists)
  @testable import JobLists
#endif
#if canImport(Provisioning)
  @testable import Provisioning
#endif
#if canImport(RecordText)
  import RecordText
#endif

/// A status is read only from an answer that is whole. Whatever a value is, a label has the
/// commands that its template has with any other.
enum LabelsTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    if (try? PrinterStatus(parsing: bytes)) != nil {
      try require(PrinterStatus.isWhole(bytes), "a status of a part of an answer")
    }
    var input = Input(bytes)
    let length = Int(input.byte())
    let value = String(decoding: input.all.prefix(length), as: UTF8.self)
    let text = String(decoding: input.all.dropFirst(length), as: UTF8.self)
    for text in [text, "^XA^FD\(plain(text)){a}^FS^XZ"] {
      guard let template = try? LabelTemplate(text, fields: ["a", "b"]) else { continue }
      guard let plain = try? template.bytes(["a": "x", "b": "x"]),
        let label = try? template.bytes(["a": value, "b": value])
      else { continue }
      try require(marks(label) == marks(plain), "\(value) is a command of \(text)")
      try require(marks(label).contains("^XZ"), "\(text) is no whole label")
    }
  }
}

/// A text without commands and fields.
private func plain(_ text: String) -> String {
  var scalars = text.unicodeScalars
  scalars.removeAll { "^~{}".unicodeScalars.contains($0) }
  return String(scalars)
}

/// The commands of a label, as they stand.
private func marks(_ label: [UInt8]) throws -> [String] {
  guard let text = try? Template(Template.escaped(String(decoding: label, as: UTF8.self))) else {
    throw Broken("the label that was made is no template: its braces are not escaped")
  }
  return ZPLCommand.all(in: text).map(\.mark)
}
