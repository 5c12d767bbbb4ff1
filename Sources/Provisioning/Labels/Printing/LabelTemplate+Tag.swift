/// A label of a tag: its fields are called as the columns of a label file.
extension LabelTemplate {
  /// Reads a template. `columns`: those of the job list, without secrets. Throws as
  /// `init(_:fields:)`.
  package init(_ text: String, columns: [String]) throws(LabelTemplateError) {
    try self.init(text, fields: LabelRow.header(columns))
  }

  /// Whether a printer takes the texts of the tag's label.
  package func isPrintable(_ written: WrittenTag) -> Bool { (try? bytes(for: written)) != nil }

  /// Why no printer takes the label of a job's tag, whatever the tag is; nil: one may.
  package func problem(of job: PlannedJob) -> String? {
    let header = LabelRow.header(job.columns.map(\.name))
    let known = Dictionary(zip(header, LabelRow.own.map { _ in "" } + job.columns.map(\.value))) {
      first, _ in first
    }
    do throws(LabelTemplateError) {
      _ = try bytes(known)
      return nil
    } catch {
      return "Its label cannot be printed. \(error)"
    }
  }

  /// The label of a tag. Throws when a text is longer than printers take.
  package func bytes(for written: WrittenTag) throws(LabelTemplateError) -> [UInt8] {
    let header = LabelRow.header(written.job.columns.map(\.name))
    return try bytes(
      Dictionary(zip(header, LabelRow.fields(written, header))) { first, _ in first })
  }
}
