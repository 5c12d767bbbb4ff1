/// The agent's own page and the library for other pages, which are part of the program: `Files/` as
/// it stands.
enum AgentPages {
  /// Web NFC for browsers that have none. Every page may load it.
  static let library = "/nfc.js"

  /// What a browser gets, by the address' path.
  static let bodies: [String: [UInt8]] = [
    library: PackageResources.nfc_js,
    "/try": PackageResources.try_html,
    "/try.css": PackageResources.try_css,
    "/try.js": PackageResources.try_js,
    "/icon.svg": PackageResources.icon_svg,
  ]
}
