import JobLists
import LedgerSQLite
import NDEF
import TagMemory

/// A label of a tag: its fields are called as the columns of a label file.
extension LabelTemplate {
  /// Reads a template. `columns`: those of the job list, without secrets. Throws as
  /// `init(_:fields:)`.
  package init(_ text: String, columns: [String]) throws(LabelTemplateError) {
    try self.init(text, fields: LabelRow.header(columns))
  }

  /// Returns whether a printer takes the texts of the tag's label.
  package func isPrintable(_ written: WrittenTag) -> Bool { (try? bytes(for: written)) != nil }

  /// Why no printer takes the label of a job's tag, as far as the list says; nil: one may.
  package func problem(of job: PlannedJob) -> String? {
    let header = LabelRow.header(job.columns.map(\.name))
    let ours = LabelRow.own.map { field in
      switch field {
      case "job": "\(job.number)"
      case "name": job.name
      case "uri" where names("uri"): Self.uri(of: job)
      default: ""
      }
    }
    let known = Dictionary(zip(header, ours + job.columns.map(\.value))) { first, _ in first }
    do throws(LabelTemplateError) {
      _ = try bytes(known)
      return nil
    } catch {
      return "Its label cannot be printed. \(error)"
    }
  }

  /// Returns whether a text has this field.
  private func names(_ field: String) -> Bool {
    pieces.contains { piece in
      if case .text(let parts, _) = piece { parts.contains(.value(field: field)) } else { false }
    }
  }

  /// The address that the job's tag gets, for a UID of the usual length; empty where it gets none.
  private static func uri(of job: PlannedJob) -> String {
    let address = job.message.records.first { $0.option == "uri" }
    let fields = TagFields(
      uid: UID([UInt8](repeating: 0x04, count: 7)), number: job.number, made: TagFields.anyDay)
    guard let address,
      let message = try? MessageTemplate(records: [address]).message(for: fields),
      case .uri(let link)? = message.records.first?.content
    else { return "" }
    return link.uri
  }

  /// The label of a tag. Throws when a text is longer than printers take.
  package func bytes(for written: WrittenTag) throws(LabelTemplateError) -> [UInt8] {
    let header = LabelRow.header(written.job.columns.map(\.name))
    return try bytes(
      Dictionary(zip(header, LabelRow.fields(written, header))) { first, _ in first })
  }
}
