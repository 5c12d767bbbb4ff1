/// A workbook of Excel, LibreOffice or another spreadsheet in the format of ECMA-376 (`.xlsx`): the
/// cells of one sheet as texts.
package struct Workbook {
  /// A sheet of cells.
  struct Sheet {
    let name: String
    let isHidden: Bool
    /// Its part of the archive.
    let part: String
  }

  private let archive: ZIPArchive
  private let sheets: [Sheet]
  private let isStale: Bool
  private let texts: String?
  private let styles: String?

  /// Opens a file that begins as a ZIP file does; the descriptor stays the caller's.
  package init(_ descriptor: CInt) throws(WorkbookError) {
    archive = try ZIPArchive(descriptor)
    let root = try Self.relations(of: "", in: archive)
    guard let book = root.first(where: { $0.kind == "officeDocument" })?.target else {
      throw .other(try Self.kind(of: archive))
    }
    let relations = try Self.relations(of: book, in: archive)
    (sheets, isStale) = try Self.sheets(of: book, relations, in: archive)
    (texts, styles) = (
      relations.first { $0.kind == "sharedStrings" }?.target,
      relations.first { $0.kind == "styles" }?.target
    )
  }

  /// What a ZIP file is that is no workbook of ECMA-376.
  private static func kind(of archive: ZIPArchive) throws(WorkbookError) -> String {
    let type = String(decoding: try archive.bytes(of: "mimetype") ?? [], as: UTF8.self)
    return type.hasPrefix("application/vnd.oasis.opendocument.spreadsheet")
      ? "a workbook of OpenDocument (.ods)" : "a ZIP file that is no workbook"
  }

  /// Hands the rows of the sheet `name` to `take` in order; nil: the first one that is not hidden.
  package func read(
    sheet name: String?, _ take: (SheetRow) -> Void
  ) throws(WorkbookError) -> SheetFacts {
    let shown = sheets.filter { !$0.isHidden }
    let found = name.map { name in sheets.first { $0.name == name } } ?? shown.first
    guard let sheet = found else { throw .noSheet(name ?? "", has: sheets.map(\.name)) }
    let formats = try styles.map { (part) throws(WorkbookError) in try archive.formats(part) } ?? []
    let texts = try self.texts.map { (part) throws(WorkbookError) in try archive.sharedTexts(part) }
    let reader = SheetReader(texts: texts ?? [], formats: formats, isStale: isStale)
    let facts = try reader.read(
      sheet.part,
      { (take) throws(WorkbookError) in try archive.read(sheet.part, take) }, take)
    return facts.of(sheet.name, shown.count)
  }

  /// Which part another one points to, and as what.
  private struct Relation {
    let id: String
    /// The end of its type's address: `worksheet`, `sharedStrings`.
    let kind: String
    let target: String
  }

  private static func relations(
    of part: String, in archive: ZIPArchive
  ) throws(WorkbookError) -> [Relation] {
    let folder = part.lastIndex(of: "/").map { String(part[...$0]) } ?? ""
    var relations: [Relation] = []
    _ = try XMLPart.read(
      "\(folder)_rels/\(part.dropFirst(folder.count)).rels", of: archive
    ) { element, values in
      guard element == "Relationship", values["TargetMode"] != "External", let id = values["Id"],
        let kind = values["Type"]?.split(separator: "/").last, let target = values["Target"]
      else { return }
      relations.append(
        Relation(id: id, kind: String(kind), target: resolved(target, in: folder)))
    }
    return relations
  }

  /// The name of a part that is called `target` in `folder`.
  private static func resolved(_ target: String, in folder: String) -> String {
    var steps: [Substring] = target.hasPrefix("/") ? [] : folder.split(separator: "/")
    for step in target.split(separator: "/") {
      switch step {
      case ".": break
      case "..": _ = steps.popLast()
      default: steps.append(step)
      }
    }
    return steps.joined(separator: "/")
  }

  private static func sheets(
    of book: String, _ relations: [Relation], in archive: ZIPArchive
  ) throws(WorkbookError) -> ([Sheet], isStale: Bool) {
    var (sheets, isStale): ([Sheet], Bool) = ([], false)
    let isThere = try XMLPart.read(book, of: archive) { element, values in
      if element == "calcPr" { isStale = ["1", "true"].contains(values["fullCalcOnLoad"]) }
      guard element == "sheet", let name = values["name"], let id = values["id"],
        let relation = relations.first(where: { $0.id == id }), relation.kind == "worksheet"
      else { return }
      sheets.append(
        Sheet(
          name: name, isHidden: values["state"].map { $0 != "visible" } ?? false,
          part: relation.target))
    }
    guard isThere else { throw .damaged(part: book, "the part is missing") }
    return (sheets, isStale)
  }
}

extension ZIPArchive {
  /// The number formats of cells, by the number of their style.
  fileprivate func formats(_ name: String) throws(WorkbookError) -> [NumberFormat] {
    var own: [Int: NumberFormat] = [:]
    var formats: [NumberFormat] = []
    var isCell = false
    let part = XMLPart(
      name,
      begin: { element, values in
        switch element {
        case "numFmt":
          guard let id = values["numFmtId"].flatMap({ Int($0) }), let code = values["formatCode"]
          else { break }
          own[id] = NumberFormat(code: code)
        case "cellXfs": isCell = true
        case "xf" where isCell:
          let id = values["numFmtId"].flatMap { Int($0) } ?? 0
          formats.append(own[id] ?? NumberFormat(builtIn: id))
        default: break
        }
      }, end: { if $0 == "cellXfs" { isCell = false } })
    _ = try read(name) { (piece) throws(WorkbookError) in try part.feed(piece) }
    return formats
  }
}
