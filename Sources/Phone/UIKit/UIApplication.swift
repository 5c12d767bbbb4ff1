/// The app. There is one, and it shows nothing.
///
/// developer.apple.com: UIApplication.
@preconcurrency @MainActor open class UIApplication: UIResponder {
  /// The app of this process.
  public static let shared = UIApplication()

  /// Who hears of the app's life; held weakly, as on a phone.
  open weak var delegate: (any UIApplicationDelegate)?
  /// The scenes that were connected with `connect(_:)`.
  open private(set) var connectedScenes: Set<UIScene> = []
  /// The addresses that the app has asked the system to open.
  public private(set) var openedURLs: [URL] = []

  /// Why the app was launched.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The activity that launched the app.
    public static let userActivityDictionary = LaunchOptionsKey(
      rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
    /// The address that launched the app.
    public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
  }

  /// Who asks the app to open an address, and how.
  public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The app that asks.
    public static let sourceApplication = OpenURLOptionsKey(
      rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    /// The value of this key is what the app that asks hands over.
    public static let annotation = OpenURLOptionsKey(
      rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
    /// The value of this key says whether the file is to be opened in its place.
    public static let openInPlace = OpenURLOptionsKey(
      rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
  }

  /// How an address is opened.
  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Only an app that claims the link may open it.
    public static let universalLinksOnly = OpenExternalURLOptionsKey(
      rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
  }

  /// Returns true if the address has a scheme.
  open func canOpenURL(_ url: URL) -> Bool { url.scheme != nil }

  /// Notes the address; nothing opens.
  open func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    openedURLs.append(url)
    completion?(true)
  }

  // MARK: For tests and benches

  /// A scene of the app appears.
  public func connect(_ scene: UIScene) { connectedScenes.insert(scene) }

  /// Starts the app as the system does where a link on a tag is tapped and the app was not running.
  ///
  /// The app's delegate hears that it was launched. With a scene, the activity is among the options
  /// with which that connects, and `scene(_:continue:)` is not called; without one the app's
  /// delegate is given it, in the launch options and then to continue. Nil: the app is started by
  /// hand. False where nobody takes the activity.
  @discardableResult
  public func launch(_ activity: NSUserActivity?, scene: UIScene? = nil) -> Bool {
    let options = UIScene.ConnectionOptions(userActivities: Set([activity].compactMap(\.self)))
    var launch: [LaunchOptionsKey: Any] = [:]
    if scene == nil, let activity {
      launch[.userActivityDictionary] = [
        "UIApplicationLaunchOptionsUserActivityTypeKey": activity.activityType,
        "UIApplicationLaunchOptionsUserActivityKey": activity,
      ]
    }
    let takesIt =
      delegate?.application(self, didFinishLaunchingWithOptions: launch.isEmpty ? nil : launch)
      ?? true
    if let scene {
      _ = delegate?.application(self, configurationForConnecting: scene.session, options: options)
      connect(scene)
      guard let delegate = scene.delegate else { return activity == nil }
      delegate.scene(scene, willConnectTo: scene.session, options: options)
      delegate.sceneWillEnterForeground(scene)
      delegate.sceneDidBecomeActive(scene)
      return true
    }
    defer { delegate?.applicationDidBecomeActive(self) }
    guard let activity else { return true }
    // An app that says no has dealt with it while it was launched.
    return takesIt ? handOver(activity) : true
  }

  /// Hands a link's activity to the app as the system does: to the delegate of a scene that is
  /// connected, else to that of the app. False where nobody takes it.
  @discardableResult
  public func handOver(_ activity: NSUserActivity) -> Bool {
    for scene in connectedScenes {
      guard let delegate = scene.delegate else { continue }
      delegate.scene(scene, willContinueUserActivityWithType: activity.activityType)
      delegate.scene(scene, continue: activity)
      return true
    }
    guard let delegate else { return false }
    guard
      delegate.application(self, willContinueUserActivityWithType: activity.activityType)
        || activity.activityType == NSUserActivityTypeBrowsingWeb
    else { return false }
    return delegate.application(self, continue: activity) { objects in
      for object in objects ?? [] { object.restoreUserActivityState(activity) }
    }
  }
}

/// Hears of the app's life. All methods are optional.
///
/// developer.apple.com: UIApplicationDelegate.
@preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  /// The app has started.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// An activity is about to arrive; true: the app deals with it.
  func application(
    _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
  ) -> Bool

  /// A link on a tag, among others, wakes the app.
  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool

  /// An address of the app's own scheme is opened. Never called here.
  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool

  /// How a new scene is made.
  func application(
    _ application: UIApplication,
    configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration

  /// Scenes were closed.
  func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

  /// The app is in front.
  func applicationDidBecomeActive(_ application: UIApplication)
  /// The app is about to leave the front.
  func applicationWillResignActive(_ application: UIApplication)
  /// The app is in the background.
  func applicationDidEnterBackground(_ application: UIApplication)
  /// The app is about to come to the front.
  func applicationWillEnterForeground(_ application: UIApplication)
  /// The app is about to end.
  func applicationWillTerminate(_ application: UIApplication)
}

extension UIApplicationDelegate {
  /// The app has started.
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  /// An activity is about to arrive; true: the app deals with it.
  public func application(
    _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
  ) -> Bool { false }

  public func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool { false }

  public func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool { false }

  /// How a new scene is made.
  public func application(
    _ application: UIApplication,
    configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
  }

  /// Scenes were closed.
  public func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
  ) {}

  /// The app is in front.
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  /// The app is about to leave the front.
  public func applicationWillResignActive(_ application: UIApplication) {}
  /// The app is in the background.
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  /// The app is about to come to the front.
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  /// The app is about to end.
  public func applicationWillTerminate(_ application: UIApplication) {}
}
