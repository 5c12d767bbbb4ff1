/// What an AndroidManifest.xml, as source text, says of the app and of what starts it.
///
/// References to resources and build variables (`@string/host`, `${host}`) stay as they stand; what
/// they stand for is in other files.
package struct AppManifest: Hashable, Sendable {
  /// Larger files are not read: a megabyte.
  package static let byteLimit = 1 << 20

  /// As the manifest names it; nil where the build does.
  package internal(set) var packageName: String?
  /// API levels; nil where the build gives them.
  package internal(set) var minimumSDK: Int?
  package internal(set) var targetSDK: Int?
  /// Activities and aliases, in the order of the file.
  package internal(set) var activities: [ManifestActivity] = []
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

  /// Returns whether the app can be installed on `release`; it can where the manifest does not say.
  func isInstallable(on release: AndroidRelease) -> Bool {
    minimumSDK.map { $0 <= release.apiLevel } ?? true
  }
}

/// An activity, or an alias of one.
package struct ManifestActivity: Hashable, Sendable {
  /// What somebody must hold to start it.
  enum Permission: Hashable, Sendable {
    case none
    /// `DISPATCH_NFC_MESSAGE`, which the NFC service holds.
    case dispatch
    /// Another one.
    case other(String)
    case unknown
  }

  var name = ""
  /// Is true if it is there at all.
  var isEnabled = Truth.yes
  /// Is true if other programs, such as the NFC service, may start it.
  var isExported = Truth.yes
  var permission = Permission.none
  var filters: [IntentFilter] = []
  /// Where it starts in the manifest; the first line is 1.
  var line = 0

  var isStartable: Truth { isEnabled & isExported }

  /// Is true if the home screen shows it.
  var isLauncher: Truth {
    isStartable
      & Truth(
        filters.contains {
          $0.actions.contains("android.intent.action.MAIN")
            && $0.categories.contains("android.intent.category.LAUNCHER")
        })
  }

  func filters(for action: IntentFilter.Action) -> [IntentFilter] {
    filters.filter { $0.isFor(action) }
  }

  /// Returns whether a filter of it for `action` takes `data`.
  func takes(_ data: IntentData, for action: IntentFilter.Action, on release: AndroidRelease)
    -> Truth
  {
    isStartable & filters(for: action).any { $0.takes(data, on: release) }
  }
}
