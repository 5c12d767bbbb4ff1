import Clibexpat

/// The intent filters of an AndroidManifest.xml, as source text.
///
/// References to resources and build variables (`@string/host`, `${host}`) stay as they stand; what
/// they stand for is in other files.
package struct AppManifest: Hashable, Sendable {
  /// Larger files are not read: a megabyte.
  package static let byteLimit = 1 << 20

  /// As the manifest names it; nil where the build does.
  package internal(set) var packageName: String?
  package internal(set) var filters: [IntentFilter] = []
  /// Values that are not known from the manifest alone, each once.
  package internal(set) var references: [String] = []

  init() {}

  /// Reads a manifest. Throws where it is no XML or too large, where it declares a document type,
  /// and where its root is no `<manifest>` (a manifest inside an APK is binary).
  package init(parsing bytes: [UInt8]) throws(AppLinksError) {
    guard bytes.count <= Self.byteLimit else {
      throw .manifest("it has more than \(Self.byteLimit) bytes", line: 1)
    }
    self = try ManifestParser().parse(bytes)
  }
}

/// Feeds a manifest through expat and collects what counts of it.
private final class ManifestParser {
  private static let android = "http://schemas.android.com/apk/res/android|"
  private var manifest = AppManifest()
  private var open: [String] = []
  private var filter: IntentFilter?
  private var fault: String?
  private var line = 1

  func parse(_ bytes: [UInt8]) throws(AppLinksError) -> AppManifest {
    guard let parser = unsafe XML_ParserCreateNS(nil, CChar(UInt8(ascii: "|"))) else {
      throw .manifest("there is no memory to read it", line: 1)
    }
    defer { unsafe XML_ParserFree(parser) }
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { context, name, attributes in
        guard let context = unsafe context, let name = unsafe name else { return }
        let this = unsafe Unmanaged<ManifestParser>.fromOpaque(context).takeUnretainedValue()
        var values: [String: String] = [:]
        var index = 0
        while let key = unsafe attributes?[index], let value = unsafe attributes?[index + 1] {
          values[unsafe String(cString: key)] = unsafe String(cString: value)
          index += 2
        }
        this.begin(unsafe String(cString: name), values)
      },
      { context, _ in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<ManifestParser>.fromOpaque(context).takeUnretainedValue().end()
      })
    // Entities would come from a document type; no manifest has one.
    unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      guard let context = unsafe context else { return }
      unsafe Unmanaged<ManifestParser>.fromOpaque(context).takeUnretainedValue().fault =
        "it declares a document type, which a manifest does not have"
    }
    // A line at a time, so that a filter knows where it stands and a fault ends the reading.
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      try unsafe feed(Array(part) + [UInt8(ascii: "\n")], isLast: false, parser)
      line += 1
    }
    try unsafe feed([], isLast: true, parser)
    return manifest
  }

  private func feed(_ bytes: [UInt8], isLast: Bool, _ parser: XML_Parser) throws(AppLinksError) {
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(
        parser, buffer.bindMemory(to: CChar.self).baseAddress, CInt(buffer.count),
        isLast ? 1 : 0)
    }
    if let fault { throw .manifest(fault, line: line) }
    guard status == XML_STATUS_OK else {
      let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map {
        unsafe String(cString: $0)
      }
      throw .manifest("it is not XML (\(reason ?? "unknown error"))", line: line)
    }
  }

  private func begin(_ name: String, _ attributes: [String: String]) {
    if open.isEmpty, name != "manifest" { fault = "its root is <\(name)>, not <manifest>" }
    func value(_ key: String) -> String? {
      guard let value = attributes[Self.android + key] else { return nil }
      if value.hasPrefix("@") || value.contains("${"), !manifest.references.contains(value) {
        manifest.references.append(value)
      }
      return value
    }
    switch (name, open.last) {
    case ("manifest", nil): manifest.packageName = attributes["package"]
    case ("intent-filter", "activity"?), ("intent-filter", "activity-alias"?):
      filter = IntentFilter()
      filter?.line = line
      filter?.isVerified = value("autoVerify") == "true"
    case ("action", "intent-filter"?): value("name").map { _ = filter?.actions.insert($0) }
    case ("category", "intent-filter"?): value("name").map { _ = filter?.categories.insert($0) }
    case ("data", "intent-filter"?):
      value("scheme").map { _ = filter?.schemes.insert($0) }
      if let host = value("host") {
        filter?.hosts.append(.init(name: host.lowercased(), port: value("port")))
      }
      if value("mimeType") != nil { filter?.hasMIMEType = true }
      filter?.paths += [
        value("path").map(PathMatcher.literal), value("pathPrefix").map(PathMatcher.prefix),
        value("pathSuffix").map(PathMatcher.suffix), value("pathPattern").map(PathMatcher.simple),
        value("pathAdvancedPattern").map(PathMatcher.advanced),
      ].compactMap { $0 }
    case ("uri-relative-filter-group", "intent-filter"?): filter?.hasGroups = true
    default: break
    }
    open.append(name)
  }

  private func end() {
    if open.popLast() == "intent-filter", let filter {
      if !filter.schemes.isEmpty { manifest.filters.append(filter) }
      self.filter = nil
    }
  }
}
