/// The page's files, which are part of the program: `Files/` as it stands.
package enum PageFiles {
  /// What a browser gets, by the address' path: `/`, or a name below `/assets/`.
  package static let bodies: [String: [UInt8]] = [
    "/": PackageResources.index_html,
    "/assets/icon.svg": PackageResources.icon_svg,
    "/assets/hub.css": PackageResources.hub_css,
    "/assets/board.css": PackageResources.board_css,
    "/assets/hub.js": PackageResources.hub_js,
    "/assets/adding.js": PackageResources.adding_js,
    "/assets/announcer.js": PackageResources.announcer_js,
    "/assets/api.js": PackageResources.api_js,
    "/assets/board.js": PackageResources.board_js,
    "/assets/causes.js": PackageResources.causes_js,
    "/assets/chart.js": PackageResources.chart_js,
    "/assets/closing.js": PackageResources.closing_js,
    "/assets/creating.js": PackageResources.creating_js,
    "/assets/dom.js": PackageResources.dom_js,
    "/assets/events.js": PackageResources.events_js,
    "/assets/figures.js": PackageResources.figures_js,
    "/assets/forms.js": PackageResources.forms_js,
    "/assets/lists.js": PackageResources.lists_js,
    "/assets/live.js": PackageResources.live_js,
    "/assets/stations.js": PackageResources.stations_js,
    "/assets/times.js": PackageResources.times_js,
    "/assets/words.js": PackageResources.words_js,
  ]
}
