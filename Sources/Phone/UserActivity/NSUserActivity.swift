// Names are spelt as Apple spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

@_exported import Foundation

#if !canImport(Darwin)
  /// An activity that the system hands to an app, as far as a link on a tag is one. Foundation has
  /// it on Apple's systems only.
  open class NSUserActivity: NSObject, @unchecked Sendable {
    /// The type names the kind of activity; a link's is `NSUserActivityTypeBrowsingWeb`.
    public let activityType: String
    /// For people to read.
    open var title: String?
    /// The dictionary holds what else is known of the activity.
    open var userInfo: [AnyHashable: Any]? = [:]
    /// The keys of `userInfo` that whoever takes the activity up needs.
    open var requiredUserInfoKeys: Set<String>?
    /// Words to find it by.
    open var keywords: Set<String> = []
    /// Which of the app's scenes takes it.
    open var targetContentIdentifier: String?
    /// By what the app tells it from others.
    open var persistentIdentifier: String?
    /// When it is no longer usable.
    open var expirationDate: Date?
    /// Is true if the app is asked for `userInfo` before the activity is handed on.
    open var needsSave = false
    /// Is true if another device may continue the activity. Only kept here.
    open var isEligibleForHandoff = true
    /// Is true if search may show the activity. Only kept here.
    open var isEligibleForSearch = false
    /// Is true if the activity is for everyone. Only kept here.
    open var isEligibleForPublicIndexing = false
    /// Is true if suggestions may show the activity. Only kept here.
    open var isEligibleForPrediction = false
    /// The link.
    open var webpageURL: URL?
    /// The page that led to the link.
    open var referrerURL: URL?
    /// Holds the message of the tag; CoreNFC gives it its type.
    package var tagMessage: NSObject?

    /// Takes the kind of activity.
    public init(activityType: String) { self.activityType = activityType }

    /// Adds entries to `userInfo`; those of the same key are replaced.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
      userInfo = (userInfo ?? [:]).merging(otherDictionary) { $1 }
    }

    /// Has no effect: nothing is handed to another device from here.
    open func becomeCurrent() {}
    /// The activity is no longer the current one. Does nothing here.
    open func resignCurrent() {}
    /// The activity has ended. Does nothing here.
    open func invalidate() {}
  }

  /// The activity type of a link (Apple, `NSUserActivityTypeBrowsingWeb`).
  public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
#endif
