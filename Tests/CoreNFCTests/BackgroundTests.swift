import CoreNFC
import Foundation
import Pace
import PhoneSessions
import Testing
import UIKit

extension SessionTests {
  @Suite("A phone in the pocket")
  struct Background {
    private static let appID = "ABCDE12345.com.example.app"
    private let file: URL

    init() throws {
      Bench.lay("ntag213")
      file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
      try Data(
        """
        {"applinks": {"details": [{"appIDs": ["\(Self.appID)"],
          "components": [{"/": "/no/*", "exclude": true}, {"/": "/t/*"}]}]},
         "appclips": {"apps": ["ABCDE12345.com.example.app.Clip"]}}
        """.utf8
      ).write(to: file)
    }

    private func next(_ appID: String = Self.appID) async throws -> NFCBackgroundReading.Outcome {
      defer { try? FileManager.default.removeItem(at: file) }
      return try await NFCBackgroundReading(aasa: file, appID: appID).next(
        timeout: .seconds(patience))
    }

    private func write(_ message: NFCNDEFMessage) throws {
      try Bench.onNDEF { _, tag in try await tag.writeNDEF(message) }
    }

    @Test("a link that the app claims wakes it, with the message on the tag")
    func wakes() async throws {
      try write(link("https://example.com/t/1"))
      guard case .wakes(let activity) = try await next() else {
        Issue.record("not woken")
        return
      }
      #expect(activity.activityType == NSUserActivityTypeBrowsingWeb)
      #expect(activity.webpageURL?.absoluteString == "https://example.com/t/1")
      #expect(activity.ndefMessagePayload == link("https://example.com/t/1"))
    }

    @Test("an app that the tag starts finds the tag's message as its scene connects")
    @MainActor
    func startsFromNothing() async throws {
      try write(link("https://example.com/t/1"))
      guard case .wakes(let activity) = try await next() else {
        Issue.record("not woken")
        return
      }
      let window = Links()
      let scene = UIScene(session: UISceneSession(), connectionOptions: .init())
      scene.delegate = window
      #expect(UIApplication().launch(activity, scene: scene))
      #expect(window.connected == [URL(string: "https://example.com/t/1")] && window.links.isEmpty)
      #expect(window.messages == [link("https://example.com/t/1")])
    }

    @Test("a link that the file excludes opens the browser, and says why")
    func browser() async throws {
      try write(link("https://example.com/no/1"))
      guard case .browser(let url, let reason) = try await next() else {
        Issue.record("no browser")
        return
      }
      #expect(url.path == "/no/1" && reason.contains("/no/*"))
    }

    @Test("another app is not woken; an App Clip is, by its own ID")
    func apps() async throws {
      try write(link("https://example.com/other"))
      guard case .wakes = try await next("ABCDE12345.com.example.app.Clip") else {
        Issue.record("no App Clip")
        return
      }
    }

    @Test("a telephone number opens an app of the system")
    func system() async throws {
      try write(link("tel:+123456"))
      guard case .system(let url) = try await next() else {
        Issue.record("not the system")
        return
      }
      #expect(url.scheme == "tel")
    }

    @Test("an empty tag, no tag and an active session are nothing")
    func nothing() async throws {
      guard case .nothing = try await next() else {
        Issue.record("something")
        return
      }
    }

    @Test("a session that begins ends the phone's own reading and gets the reader")
    func preempted() async throws {
      Bench.lay("topaz512")
      async let reading = next()
      #expect(await Pace.suspend { PhoneReader.shared.isReadingByItself })
      let client = TagClient { session, _ in session.invalidate() }
      let session = try #require(
        NFCTagReaderSession(pollingOption: .iso14443, delegate: client, queue: client.queue))
      session.begin()
      guard case .nothing(let reason) = try await reading else {
        Issue.record("something")
        return
      }
      #expect(reason.contains("session has begun"))
      session.invalidate()
      client.heard.waitForEnd()
      #expect(!client.heard.all.contains("ended 203"), "\(client.heard.all)")
    }

    @Test("a bench's session ends when nobody holds its delegate, and the next one begins")
    func abandoned() throws {
      Bench.lay("felica-lite-s", mode: .bench)
      var client: TagClient? = TagClient { _, _ in }
      var session = NFCTagReaderSession(
        pollingOption: .iso14443, delegate: try #require(client), queue: nil)
      session?.begin()
      session = nil
      client = nil
      wait(for: "the session's end") { !PhoneReader.shared.hasSession }
    }

    @Test("an activity without a tag has one empty record")
    func noTag() {
      let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
      #expect(activity.ndefMessagePayload.records.map(\.typeNameFormat) == [.empty])
    }

    @Test("the app's delegate gets the activity, or that of its scene")
    @MainActor
    func handOver() {
      let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
      activity.webpageURL = URL(string: "https://example.com/t/1")
      let app = Links()
      let application = UIApplication()
      application.delegate = app
      #expect(application.handOver(activity))
      #expect(app.links == [activity.webpageURL])
      let scene = UIScene(session: UISceneSession(), connectionOptions: .init())
      let delegate = Links()
      scene.delegate = delegate
      application.connect(scene)
      #expect(application.handOver(activity))
      #expect(delegate.links == [activity.webpageURL] && app.links.count == 1)
    }
  }
}

extension SessionTests.Background {
  @Test("an app that was not running gets the activity as its scene connects, or as it is launched")
  @MainActor
  func coldStart() {
    let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    activity.webpageURL = URL(string: "https://example.com/t/1")
    let (app, window) = (Links(), Links())
    let application = UIApplication()
    application.delegate = app
    let scene = UIScene(session: UISceneSession(), connectionOptions: .init())
    scene.delegate = window
    #expect(application.launch(activity, scene: scene))
    #expect(window.connected == [activity.webpageURL])
    #expect(window.links.isEmpty && app.links.isEmpty && app.launched.isEmpty)
    #expect(application.connectedScenes == [scene])
    // While it runs, the same scene is given the next one.
    #expect(application.handOver(activity) && window.links == [activity.webpageURL])
    let old = Links()
    let other = UIApplication()
    other.delegate = old
    #expect(other.launch(activity))
    #expect(old.launched == [activity.webpageURL] && old.links == [activity.webpageURL])
    #expect(other.launch(nil))
    #expect(old.links.count == 1 && old.launched.count == 1)
  }
}

/// The delegate of an app, or of a scene, that notes the links that it is given.
private final class Links: UIResponder, UIApplicationDelegate, UISceneDelegate {
  var links: [URL?] = []
  /// Those with which a scene connected, or the app was launched.
  var (connected, launched): ([URL?], [URL?]) = ([], [])
  /// Of the tags that made a scene connect.
  var messages: [NFCNDEFMessage] = []

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    connected += connectionOptions.userActivities.map(\.webpageURL)
    messages += connectionOptions.userActivities.map(\.ndefMessagePayload)
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let about = launchOptions?[.userActivityDictionary] as? [String: Any]
    let activity = about?["UIApplicationLaunchOptionsUserActivityKey"] as? NSUserActivity
    launched += [activity?.webpageURL].compactMap(\.self)
    return true
  }

  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    links.append(userActivity.webpageURL)
    return true
  }

  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    links.append(userActivity.webpageURL)
  }
}
