/// A label of a tag: its fields are called as the columns of a label file.
extension LabelTemplate {
  /// Reads a template. `columns`: those of the job list, without secrets. Throws as
  /// `init(_:fields:)`.
  package init(_ text: String, columns: [String]) throws(LabelTemplateError) {
    try self.init(text, fields: LabelRow.header(columns))
  }

  /// The label of a tag. Throws when a text is longer than printers take.
  package func bytes(for written: WrittenTag) throws(LabelTemplateError) -> [UInt8] {
    let header = LabelRow.header(written.job.columns.map(\.name))
    return try bytes(
      Dictionary(zip(header, LabelRow.fields(written, header))) { first, _ in first })
  }
}
