import UniversalLinks

/// What an iPhone in the pocket does with a tag: it reads it by itself, shows a notification, and a
/// tap on that opens this.
package struct PocketOutcome: Sendable {
  package enum Act: String, Sendable {
    /// The app gets the link.
    case wakes
    /// The browser gets it.
    case browser
    /// An app or an App Clip gets it or the browser: it is not known which.
    case unknown
    /// An app of the system gets it.
    case system
    /// The phone shows nothing.
    case nothing
  }

  package let act: Act
  /// The link on the tag; nil where there is none.
  package let uri: String?
  /// The apps that are woken, or the App Clips that may be offered.
  package let appIDs: [String]
  /// Is true if it is an App Clip that may be offered.
  package let isAppClip: Bool
  /// What decides, and what may go wrong: sentences.
  package let reasons: [String]
  /// What devices get could not be asked; another time the answer may be another.
  package let isUndecided: Bool

  /// What follows from the check of the link that `reading` has found.
  package init(_ check: LinkCheck, _ reading: BackgroundReading) {
    uri = reading.uri
    isAppClip = check.opens == .appClip
    switch check.opens {
    case .app: (act, appIDs) = (.wakes, check.appIDs)
    // Whether it is registered, nobody sees from here.
    case .appClip: (act, appIDs) = (.unknown, check.appIDs)
    case .browser: (act, appIDs) = (.browser, [])
    case .unknown: (act, appIDs) = (.unknown, [])
    case .system: (act, appIDs) = (.system, [])
    case .nothing: (act, appIDs) = (.nothing, [])
    }
    isUndecided = check.isUndecided
    reasons = check.explanation
  }

  package var wakesApp: Bool { act == .wakes }

  /// A sentence.
  package var text: String {
    let link = uri ?? "the link"
    switch act {
    case .wakes:
      return "An iPhone wakes \(appIDs.joined(separator: ", ")) with \(link)."
    case .browser: return "An iPhone opens \(link) in the browser."
    case .unknown where isAppClip:
      return
        "It is not known whether an iPhone offers the App Clip \(appIDs.joined(separator: ", ")) with \(link)."
    case .unknown:
      return "An iPhone opens \(link) in the app that its domain names, or in the browser."
    case .system: return "An iPhone opens \(link) in an app of the system."
    case .nothing: return "An iPhone does nothing with the tag."
    }
  }
}
