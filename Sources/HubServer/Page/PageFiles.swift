import CardCrypto

/// The page's files, which are part of the program: `Files/` as it stands.
package enum PageFiles {
  /// A file as it is sent.
  package struct File: Hashable, Sendable {
    package let body: [UInt8]
    /// The header field `Content-Type`.
    package let contentType: String
    /// The header field `ETag`: the same for the same bytes.
    package let tag: String

    init(_ body: [UInt8], _ contentType: String) {
      (self.body, self.contentType) = (body, contentType)
      tag = "\"" + SHA256.hash(body).prefix(8).map { Self.hex($0) }.joined() + "\""
    }

    private static func hex(_ byte: UInt8) -> String {
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }

  /// The file at an address' path: `/`, or a name below `/assets/`; nil: there is none.
  package static func file(at path: String) -> File? { files[path] }

  /// The addresses of all files.
  package static var paths: [String] { files.keys.sorted() }

  private static let script = "text/javascript; charset=utf-8"
  private static let sheet = "text/css; charset=utf-8"

  private static let files: [String: File] = [
    "/": File(PackageResources.index_html, "text/html; charset=utf-8"),
    "/assets/icon.svg": File(PackageResources.icon_svg, "image/svg+xml"),
    "/assets/hub.css": File(PackageResources.hub_css, sheet),
    "/assets/board.css": File(PackageResources.board_css, sheet),
    "/assets/hub.js": File(PackageResources.hub_js, script),
    "/assets/announcer.js": File(PackageResources.announcer_js, script),
    "/assets/api.js": File(PackageResources.api_js, script),
    "/assets/board.js": File(PackageResources.board_js, script),
    "/assets/chart.js": File(PackageResources.chart_js, script),
    "/assets/closing.js": File(PackageResources.closing_js, script),
    "/assets/creating.js": File(PackageResources.creating_js, script),
    "/assets/dom.js": File(PackageResources.dom_js, script),
    "/assets/events.js": File(PackageResources.events_js, script),
    "/assets/figures.js": File(PackageResources.figures_js, script),
    "/assets/lists.js": File(PackageResources.lists_js, script),
    "/assets/live.js": File(PackageResources.live_js, script),
    "/assets/stations.js": File(PackageResources.stations_js, script),
    "/assets/times.js": File(PackageResources.times_js, script),
    "/assets/words.js": File(PackageResources.words_js, script),
  ]
}
