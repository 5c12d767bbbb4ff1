import CoreNFC
import UIKit

/// The app: a link on a tag arrives here.
final class AppDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?
  var links: [URL] = []
  var payloads: [NFCNDEFMessage] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    return true
  }

  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    guard userActivity.activityType == NSUserActivityTypeBrowsingWeb else { return false }
    let message = userActivity.ndefMessagePayload
    guard message.records.count > 0, message.records[0].typeNameFormat != .empty else {
      return false
    }
    if let url = userActivity.webpageURL { links.append(url) }
    payloads.append(message)
    restorationHandler(nil)
    return true
  }

  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    links.append(url)
    return true
  }
}

/// The same for an app with scenes.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  var links: [URL] = []

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    for activity in connectionOptions.userActivities { self.scene(scene, continue: activity) }
  }

  func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
    links += contexts.map(\.url)
  }

  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    if let url = userActivity.webpageURL { links.append(url) }
  }
}
