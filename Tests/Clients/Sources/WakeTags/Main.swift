import CoreNFC
import UIKit

@main
struct Main {
  static func main() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    try Data(
      """
      {"applinks": {"details": [{"appIDs": ["Q7K2M9P4ZX.com.example.app"],
        "components": [{"/": "/private/*", "exclude": true}, {"/": "/t/*"}]}]}}
      """.utf8
    ).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }

    for tag in ["sim:ntag213", "sim:type4", "sim:felica-lite-s"] {
      NFCReaderSession.benchReader = tag
      let url = URL(string: "https://example.com/t/1")!
      try await WakeTags.write(url)
      let links = try await WakeTags.read()
      expect(links == [url.absoluteString], "\(tag): \(links)")
    }
    NFCReaderSession.benchReader = "sim:ntag213"
    let background = NFCBackgroundReading(aasa: file, appID: "Q7K2M9P4ZX.com.example.app")
    guard case .wakes(let activity) = try await background.next(timeout: .seconds(60)) else {
      return expect(false, "the app is woken")
    }
    let isTaken = wake(activity)
    expect(isTaken, "the app takes the link")

    try await WakeTags.write(URL(string: "https://example.com/private/1")!)
    guard case .browser(let url, _) = try await background.next(timeout: .seconds(60)) else {
      return expect(false, "an excluded path opens the browser")
    }
    expect(url.path == "/private/1", "\(url)")

    NFCReaderSession.benchReader = "sim:ntag213,content=blank"
    do {
      try await WakeTags.write(URL(string: "https://example.com")!)
      expect(false, "a blank tag is not written")
    } catch WakeTags.Failure.notNDEF {
    }
    print("WakeTags: done")
  }

  @MainActor
  static func wake(_ activity: sending NSUserActivity) -> Bool {
    let delegate = WakeDelegate()
    let isTaken = delegate.application(.shared, continue: activity) { _ in }
    return isTaken && delegate.link?.path == "/t/1"
  }
}

final class WakeDelegate: UIResponder, UIApplicationDelegate {
  private(set) var link: URL?

  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    guard let url = userActivity.webpageURL,
      let record = userActivity.ndefMessagePayload.records.first,
      record.wellKnownTypeURIPayload() == url
    else { return false }
    link = url
    return true
  }
}

func expect(_ isTrue: Bool, _ text: String) {
  guard !isTrue else { return }
  print("FAILED  \(text)")
  exit(1)
}
