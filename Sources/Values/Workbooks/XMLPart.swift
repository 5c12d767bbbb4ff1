import Clibexpat

/// A part of a workbook, fed through expat piece by piece. Names have no namespace: those of the
/// transitional and of the strict form of ECMA-376 differ in nothing else.
@safe final class XMLPart {
  typealias Attributes = [String: String]

  private let name: String
  private let parser: XML_Parser
  private let begin: (String, Attributes) -> Void
  private let end: (String) -> Void
  private let text: ((ArraySlice<UInt8>) -> Void)?
  private var fault: String?

  /// `name` is what errors call the part; `text` gets characters, in UTF-8, as they come.
  init(
    _ name: String, begin: @escaping (String, Attributes) -> Void,
    end: @escaping (String) -> Void = { _ in }, text: ((ArraySlice<UInt8>) -> Void)? = nil
  ) {
    (self.name, self.begin, self.end, self.text) = (name, begin, end, text)
    unsafe parser = XML_ParserCreateNS(nil, CChar(UInt8(ascii: "|")))
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(parser, Self.began, Self.ended)
    if text != nil { unsafe XML_SetCharacterDataHandler(parser, Self.heard) }
    // Entities would come from a document type; no workbook has one.
    unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      unsafe XMLPart.of(context)?.refuse("a document type is declared, which no workbook has")
    }
  }

  deinit { unsafe XML_ParserFree(parser) }

  /// Ends the reading.
  func refuse(_ reason: String) {
    fault = fault ?? reason
    unsafe XML_StopParser(parser, 0)
  }

  /// Goes on with a piece; an empty one is the end.
  func feed(_ piece: ArraySlice<UInt8>) throws(WorkbookError) {
    let status = unsafe piece.withUnsafeBytes { buffer in
      unsafe XML_Parse(
        parser, buffer.bindMemory(to: CChar.self).baseAddress, CInt(buffer.count),
        buffer.isEmpty ? 1 : 0)
    }
    if let fault { throw .damaged(part: name, fault) }
    guard status == XML_STATUS_OK else {
      let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map {
        unsafe String(cString: $0)
      }
      throw .damaged(
        part: name,
        "line \(unsafe XML_GetCurrentLineNumber(parser)): \(reason ?? "it is not XML")")
    }
  }

  /// Reads all of a part; false where the archive has none of that name.
  static func read(
    _ name: String, of archive: ZIPArchive, begin: @escaping (String, Attributes) -> Void
  ) throws(WorkbookError) -> Bool {
    let part = XMLPart(name, begin: begin)
    return try archive.read(name) { (piece) throws(WorkbookError) in try part.feed(piece) }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLPart? {
    unsafe context.map { unsafe Unmanaged<XMLPart>.fromOpaque($0).takeUnretainedValue() }
  }

  /// What stands behind the namespace.
  private static func local(_ name: UnsafePointer<CChar>) -> String {
    let name = unsafe String(cString: name)
    return name.lastIndex(of: "|").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private static let began: XML_StartElementHandler = { context, name, attributes in
    guard let part = unsafe XMLPart.of(context), let name = unsafe name else { return }
    var values: Attributes = [:]
    var index = 0
    while let key = unsafe attributes?[index], let value = unsafe attributes?[index + 1] {
      values[unsafe local(key)] = unsafe String(cString: value)
      index += 2
    }
    part.begin(unsafe local(name), values)
  }

  private static let ended: XML_EndElementHandler = { context, name in
    guard let part = unsafe XMLPart.of(context), let name = unsafe name else { return }
    part.end(unsafe local(name))
  }

  private static let heard: XML_CharacterDataHandler = { context, text, count in
    guard let part = unsafe XMLPart.of(context), let text = unsafe text else { return }
    unsafe UnsafeRawBufferPointer(start: text, count: Int(count)).withMemoryRebound(to: UInt8.self)
    {
      part.text?(unsafe Array($0)[...])
    }
  }
}
