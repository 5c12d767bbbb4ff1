import UniversalLinks

/// What an iPhone does with a tag by itself.
struct PhoneJSON: Encodable, Equatable {
  /// The link that it looks at.
  var uri: String?
  /// `app or browser`, `App Clip or browser` for the link that Apple makes of one, or the name of
  /// an app of the system; absent when nothing happens.
  var opens: String?
  var findings: [TagJSON.Finding]

  init(_ reading: BackgroundReading) {
    uri = reading.uri
    switch reading.handler {
    case .webLink: opens = reading.defaultClip == nil ? "app or browser" : "App Clip or browser"
    case .system(let name): opens = name
    case nil: break
    }
    findings = reading.findings.map { TagJSON.Finding(code: $0.code.rawValue, text: $0.message) }
  }
}
