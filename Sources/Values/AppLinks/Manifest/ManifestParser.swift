import Clibexpat

/// Feeds a manifest through expat and collects what counts of it.
final class ManifestParser {
  private static let android = "http://schemas.android.com/apk/res/android|"
  private var manifest = AppManifest()
  private var open: [String] = []
  private var activity: ManifestActivity?
  private var filter: IntentFilter?
  private var fault: String?
  private var line = 1
  private var application = ManifestActivity()
  /// Is true if the activity says whether it is exported, and the activities with filters that do
  /// not.
  private var saysIsExported = false
  private var silent: [Int] = []

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
    // Up to targetSdkVersion 30 an activity with filters is exported; an app for a later one, which
    // has to say so, cannot be installed (developer.android.com, <activity>, android:exported).
    if let target = manifest.targetSDK, target >= 31 {
      for index in silent { manifest.activities[index].isExported = .no }
    }
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
    let element = ManifestElement(
      attributes: attributes.filter { $0.key.hasPrefix(Self.android) }.reduce(into: [:]) {
        $0[String($1.key.dropFirst(Self.android.count))] = $1.value
      })
    for reference in element.references(of: name) where !manifest.references.contains(reference) {
      manifest.references.append(reference)
    }
    switch (name, open.last) {
    case ("manifest", nil):
      // A build variable is the build's to fill in, as where there is no name.
      manifest.packageName = attributes["package"].flatMap {
        ManifestElement.isReference($0) ? nil : $0
      }
    case ("uses-sdk", "manifest"?):
      manifest.minimumSDK = element["minSdkVersion"].flatMap { Int($0) }
      manifest.targetSDK = element["targetSdkVersion"].flatMap { Int($0) }
    case ("application", "manifest"?):
      application.isEnabled = element.truth("enabled", default: .yes)
      application.permission = element.permission ?? .none
    case ("activity", "application"?), ("activity-alias", "application"?):
      var activity = ManifestActivity()
      (activity.name, activity.line) = (element["name"] ?? "", line)
      activity.isEnabled = application.isEnabled & element.truth("enabled", default: .yes)
      saysIsExported = element["exported"] != nil
      activity.isExported = element.truth("exported", default: .yes)
      activity.permission = element.permission ?? application.permission
      self.activity = activity
    case ("intent-filter", "activity"?), ("intent-filter", "activity-alias"?):
      var filter = IntentFilter()
      filter.line = line
      filter.isVerified = element.truth("autoVerify", default: .no)
      filter.priority = element["priority"].flatMap { Int($0) } ?? 0
      self.filter = filter
    case ("action", "intent-filter"?): element["name"].map { _ = filter?.actions.insert($0) }
    case ("category", "intent-filter"?): element["name"].map { _ = filter?.categories.insert($0) }
    case ("data", "intent-filter"?): filter?.add(element)
    case ("uri-relative-filter-group", "intent-filter"?):
      filter?.groups.append(.init(allows: element.truth("allow", default: .yes)))
    case ("data", "uri-relative-filter-group"?):
      guard let last = filter?.groups.indices.last else { break }
      filter?.groups[last].add(element)
    default: break
    }
    open.append(name)
  }

  private func end() {
    switch open.popLast() {
    case "intent-filter":
      if let filter { activity?.filters.append(filter) }
      filter = nil
    case "activity", "activity-alias":
      if let activity {
        if !saysIsExported, !activity.filters.isEmpty {
          silent.append(manifest.activities.count)
        }
        manifest.activities.append(activity)
      }
      activity = nil
    default: break
    }
  }
}

/// The attributes of an element of the manifest, their texts as Android's build reads them.
struct ManifestElement {
  let attributes: [String: String]

  subscript(name: String) -> String? { attributes[name].map(Self.unescaped) }

  /// The values of an element `name` that stand in other files and say what starts the app; labels
  /// and icons do not.
  func references(of name: String) -> [String] {
    let deciding: Set<String>
    switch name {
    case "application", "activity", "activity-alias":
      deciding = ["enabled", "exported", "permission"]
    case "uses-sdk": deciding = ["minSdkVersion", "targetSdkVersion"]
    case "data", "intent-filter", "uri-relative-filter-group", "action":
      deciding = Set(attributes.keys)
    default: deciding = []
    }
    return attributes.filter { deciding.contains($0.key) && Self.isReference($0.value) }.map(
      \.value
    )
    .sorted()
  }

  func truth(_ name: String, default value: Truth) -> Truth {
    guard let text = attributes[name] else { return value }
    return Self.isReference(text) ? .unknown : Truth(text == "true")
  }

  var permission: ManifestActivity.Permission? {
    guard let text = attributes["permission"] else { return nil }
    if Self.isReference(text) { return .unknown }
    if text.isEmpty { return ManifestActivity.Permission.none }
    return text == "android.permission.DISPATCH_NFC_MESSAGE" ? .dispatch : .other(text)
  }

  static func isReference(_ text: String) -> Bool { text.hasPrefix("@") || text.contains("${") }

  /// `text` without its escapes (Android, String resources): in source text `\\` stands for one
  /// backslash, and `\.` for a dot alone.
  private static func unescaped(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        result.append(character)
        continue
      }
      switch next {
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "u":
        if let scalar = UInt32(rest.prefix(4), radix: 16).flatMap(Unicode.Scalar.init) {
          result.unicodeScalars.append(scalar)
          rest = rest.dropFirst(4)
        }
      default: result.append(next)
      }
    }
    return result
  }
}
