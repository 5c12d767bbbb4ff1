/// The end of the dispatch on a phone that meets the tag.
package enum AndroidOutcome: String, Hashable, Sendable, CaseIterable {
  /// The app starts and gets what the first record holds.
  case app
  /// The app starts, and does not get it.
  case launcher
  /// The phone asks which app it is to be.
  case chooser
  case browser
  /// The store shows the app that a record names.
  case store
  /// Another app starts.
  case other
  /// A question or an app of the system, such as for Wi-Fi or a telephone number.
  case system
  /// Nothing but a sound.
  case nothing
  /// The manifest, the site or the message does not tell.
  case unknown
}

/// Where Android's dispatch of a tag ends (com.android.nfc, NfcDispatcher), in its order.
package enum DispatchStep: String, Hashable, Sendable {
  /// The app cannot be installed there.
  case installation
  /// The first record is for pairing by Bluetooth.
  case bluetooth
  /// A record is a Wi-Fi token.
  case wifi
  /// The first record is for no app: technologies, then the tag itself.
  case technologies
  /// An application record.
  case applicationRecord = "application record"
  /// Up to Android 15: filters for NFC are asked for a web link.
  case linkFilters = "NFC filters for the link"
  /// From Android 16: the link is opened as a browser's would be.
  case linkView = "verified link"
  /// Filters for NFC are asked for other data.
  case dataFilters = "NFC filters for the data"
}

/// The verdict of one version of Android, and the step of its dispatch that decides.
package struct AndroidVersion: Hashable, Sendable {
  package let release: AndroidRelease
  package let outcome: AndroidOutcome
  package let step: DispatchStep
  /// Why, in a clause without a full stop.
  package let reason: String
}
