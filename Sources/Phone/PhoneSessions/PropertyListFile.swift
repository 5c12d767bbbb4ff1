import Clibexpat

/// The strings at the top of a property list in XML, as Xcode keeps Info.plist and entitlements in
/// a project.
package enum PropertyListFile {
  /// Why a file cannot be used; a clause.
  package struct FormatError: Error, Hashable, Sendable {
    package let reason: String
  }

  /// Larger files are not read: a megabyte.
  package static let byteLimit = 1 << 20

  /// The strings and the arrays of strings of the dictionary in `bytes`; other values are left out.
  package static func values(parsing bytes: [UInt8]) throws(FormatError) -> [String: AppGrants
    .Value]
  {
    guard !bytes.starts(with: "bplist".utf8) else {
      throw FormatError(
        reason: "it is a binary property list; `plutil -convert xml1` makes it one in XML")
    }
    guard bytes.count <= byteLimit else {
      throw FormatError(reason: "it has more than \(byteLimit) bytes")
    }
    return try PropertyListParser().parse(bytes)
  }
}

/// Feeds a property list through expat and collects its strings.
private final class PropertyListParser {
  private var values: [String: AppGrants.Value] = [:]
  private var open: [String] = []
  private var key = ""
  private var text = ""
  private var items: [String] = []
  private var fault: String?

  func parse(_ bytes: [UInt8]) throws(PropertyListFile.FormatError) -> [String: AppGrants.Value] {
    guard let parser = unsafe XML_ParserCreate(nil) else {
      throw PropertyListFile.FormatError(reason: "there is no memory to read it")
    }
    defer { unsafe XML_ParserFree(parser) }
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { context, name, _ in
        guard let context = unsafe context, let name = unsafe name else { return }
        unsafe Unmanaged<PropertyListParser>.fromOpaque(context).takeUnretainedValue().begin(
          unsafe String(cString: name))
      },
      { context, _ in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<PropertyListParser>.fromOpaque(context).takeUnretainedValue().end()
      })
    unsafe XML_SetCharacterDataHandler(parser) { context, characters, count in
      guard let context = unsafe context, let characters = unsafe characters else { return }
      let buffer = unsafe UnsafeRawBufferPointer(start: characters, count: Int(count))
      unsafe Unmanaged<PropertyListParser>.fromOpaque(context).takeUnretainedValue().text +=
        unsafe String(decoding: buffer, as: UTF8.self)
    }
    // A property list has a document type and never entities of its own.
    unsafe XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      guard let context = unsafe context else { return }
      unsafe Unmanaged<PropertyListParser>.fromOpaque(context).takeUnretainedValue().fault =
        "it declares entities, which a property list does not have"
    }
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(
        parser, buffer.bindMemory(to: CChar.self).baseAddress, CInt(buffer.count), 1)
    }
    guard status == XML_STATUS_OK else {
      let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map {
        unsafe String(cString: $0)
      }
      throw PropertyListFile.FormatError(
        reason:
          "it is not XML (\(reason ?? "unknown error"), line \(unsafe XML_GetCurrentLineNumber(parser)))"
      )
    }
    if let fault { throw PropertyListFile.FormatError(reason: fault) }
    return values
  }

  private func begin(_ name: String) {
    if open.isEmpty, name != "plist" { fault = "its root is <\(name)>, not <plist>" }
    if open == ["plist"], name != "dict" { fault = "it is not a dictionary" }
    open.append(name)
    text = ""
    if open == ["plist", "dict", "array"] { items = [] }
  }

  private func end() {
    switch open {
    case ["plist", "dict", "key"]: key = text
    case ["plist", "dict", "string"]: values[key] = .string(text)
    case ["plist", "dict", "array", "string"]: items.append(text)
    case ["plist", "dict", "array"]: values[key] = .strings(items)
    default: break
    }
    open.removeLast()
    text = ""
  }
}
