// Names are spelt as Apple spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

@_exported import Foundation

#if !canImport(Darwin)
  /// An activity that the system hands to an app, as far as a link on a tag is one. Foundation has
  /// it on Apple's systems only.
  open class NSUserActivity: NSObject, @unchecked Sendable {
    /// What kind of activity; a link's is `NSUserActivityTypeBrowsingWeb`.
    public let activityType: String
    /// For people to read.
    open var title: String?
    /// What else is known of it.
    open var userInfo: [AnyHashable: Any]? = [:]
    /// The link.
    open var webpageURL: URL?
    /// The page that led to the link.
    open var referrerURL: URL?
    /// Holds the message of the tag; CoreNFC gives it its type.
    package var tagMessage: NSObject?

    public init(activityType: String) { self.activityType = activityType }
  }

  /// The activity type of a link (Apple, `NSUserActivityTypeBrowsingWeb`).
  public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
#endif
