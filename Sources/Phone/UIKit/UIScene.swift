/// One of an app's windows and what belongs to it.
///
/// developer.apple.com: UIScene.
@preconcurrency @MainActor open class UIScene: UIResponder {
  /// The session is what the system keeps of the scene.
  public let session: UISceneSession
  /// Who hears of the scene's life; held by the scene, as on a phone.
  open var delegate: (any UISceneDelegate)?

  /// A scene of this session.
  public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
    self.session = session
    super.init()
  }

  /// With what a scene begins.
  @preconcurrency @MainActor open class ConnectionOptions: NSObject {
    /// The activities that it begins with: the link on the tag that has launched the app.
    public let userActivities: Set<NSUserActivity>

    /// A scene that begins with these activities.
    public init(userActivities: Set<NSUserActivity> = []) {
      self.userActivities = userActivities
      super.init()
    }
  }
}

/// An address of the app's own scheme that a scene is to open.
///
/// developer.apple.com: UIOpenURLContext.
@preconcurrency @MainActor open class UIOpenURLContext: NSObject {
  /// The address.
  public let url: URL

  /// An address that is to be opened.
  public init(url: URL) {
    self.url = url
    super.init()
  }
}

/// A scene with windows.
///
/// developer.apple.com: UIWindowScene.
@preconcurrency @MainActor open class UIWindowScene: UIScene {}

/// A session is what the system keeps of a scene.
///
/// developer.apple.com: UISceneSession.
@preconcurrency @MainActor open class UISceneSession: NSObject {
  /// A role says what a scene is for.
  public struct Role: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A window of the app.
    public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
  }

  /// The role says what the scene is for.
  public let role: Role
  /// The session's name, which stays.
  public let persistentIdentifier: String

  /// A session of this role.
  public init(role: Role = .windowApplication, persistentIdentifier: String = "bench") {
    (self.role, self.persistentIdentifier) = (role, persistentIdentifier)
    super.init()
  }
}

/// How a scene is made.
///
/// developer.apple.com: UISceneConfiguration.
@preconcurrency @MainActor open class UISceneConfiguration: NSObject {
  /// The name in the app's Info.plist.
  public let name: String?
  /// The role says what the scene is for.
  public let role: UISceneSession.Role
  /// The class of the scene's delegate.
  open var delegateClass: AnyClass?

  /// A configuration of this name and role.
  public init(name: String?, sessionRole: UISceneSession.Role) {
    (self.name, role) = (name, sessionRole)
    super.init()
  }
}

/// Hears of a scene's life. All methods are optional.
///
/// developer.apple.com: UISceneDelegate.
@preconcurrency @MainActor public protocol UISceneDelegate: NSObjectProtocol {
  /// The scene is added to the app; the options have the activities that it begins with.
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions)
  /// An activity is about to arrive.
  func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
  /// A link on a tag, among others, wakes the app.
  func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
  /// Addresses of the app's own scheme are opened. Never called here.
  func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>)
  /// The scene was removed from the app.
  func sceneDidDisconnect(_ scene: UIScene)
  /// The scene is in front.
  func sceneDidBecomeActive(_ scene: UIScene)
  /// The scene is about to leave the front.
  func sceneWillResignActive(_ scene: UIScene)
  /// The scene is about to come to the front.
  func sceneWillEnterForeground(_ scene: UIScene)
  /// The scene is in the background.
  func sceneDidEnterBackground(_ scene: UIScene)
}

extension UISceneDelegate {
  /// The scene is added to the app; the options have the activities that it begins with.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {}
  /// An activity is about to arrive.
  public func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {}
  public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
  public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {}
  /// The scene was removed from the app.
  public func sceneDidDisconnect(_ scene: UIScene) {}
  /// The scene is in front.
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  /// The scene is about to leave the front.
  public func sceneWillResignActive(_ scene: UIScene) {}
  /// The scene is about to come to the front.
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  /// The scene is in the background.
  public func sceneDidEnterBackground(_ scene: UIScene) {}
}

/// Hears of the life of a scene with windows.
///
/// developer.apple.com: UIWindowSceneDelegate.
@preconcurrency @MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
  /// The scene's window.
  var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
  /// The scene's window.
  public var window: UIWindow? {
    get { nil }
    set {}
  }
}
