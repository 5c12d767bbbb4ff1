/// What an iPhone opens by itself when it reads a tag, by the scheme of the URI.
///
/// developer.apple.com, Adding support for background tag reading.
enum SchemeTable {
  struct Row: Hashable, Sendable {
    /// Lower case, without the colon.
    let scheme: String
    /// The app of the system that opens it; nil for web links.
    let opener: String?
    /// Is true if Apple's table has it.
    let isDocumented: Bool
  }

  static let rows: [Row] = [
    Row(scheme: "https", opener: nil, isDocumented: true),
    Row(scheme: "http", opener: nil, isDocumented: true),
    Row(scheme: "mailto", opener: "Mail", isDocumented: true),
    Row(scheme: "sms", opener: "Messages", isDocumented: true),
    Row(scheme: "tel", opener: "Phone", isDocumented: true),
    Row(scheme: "facetime", opener: "FaceTime", isDocumented: true),
    Row(scheme: "facetime-audio", opener: "FaceTime", isDocumented: true),
    Row(scheme: "x-hm", opener: "Home", isDocumented: true),
    Row(scheme: "shortcuts", opener: "Shortcuts", isDocumented: false),
  ]

  /// Web links to this host open Maps.
  static let mapsHost = "maps.apple.com"

  static func row(for scheme: String) -> Row? { rows.first { $0.scheme == scheme } }
}
