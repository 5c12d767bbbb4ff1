import CoreNFC
import UIKit

@main
struct Main {
  static func main() async {
    NFCBench.infoPlist = [
      "NFCReaderUsageDescription": "Reads cards.",
      "com.apple.developer.nfc.readersession.formats": ["TAG"],
      "com.apple.developer.nfc.readersession.iso7816.select-identifiers": ["D2760000850101"],
    ]
    NFCReaderSession.benchReader = "sim:type4"
    let read = await readContainer()
    expect(read.hasPrefix("000F20") || read.hasPrefix("0017"), "the capability container: \(read)")
    expect(
      TagManager.shared.log == ["active", "card D2760000850101", "canceled"],
      "the session's course: \(TagManager.shared.log)")

    NFCReaderSession.benchReader = "sim:ntag215"
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      TagManager.shared.onEnd = { _ in done.resume() }
      TagManager.shared.start(prompt: "Hold a tag here.") { _ in }
    }
    let found = TagManager.shared.log.dropFirst(4).first ?? ""
    expect(found.hasPrefix("mifare 2 04"), "an NTAG: \(found)")
    await handOver()
    print("TagManager: done")
  }

  /// Selects the capability container and reads it.
  static func readContainer() async -> String {
    await withCheckedContinuation { (done: CheckedContinuation<String, Never>) in
      var text = "nothing"
      TagManager.shared.onEnd = { _ in done.resume(returning: text) }
      TagManager.shared.start(prompt: "Hold the card here.") { card in
        let select = NFCISO7816APDU(data: Data([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x03]))!
        let read = NFCISO7816APDU(
          instructionClass: 0x00, instructionCode: 0xB0, p1Parameter: 0x00, p2Parameter: 0x00,
          data: Data(), expectedResponseLength: 15)
        TagManager.shared.send([select, read], to: card) { result in
          switch result {
          case .success(let answers): text = answers.last?.hex ?? ""
          case .failure(let error): text = error.localizedDescription
          }
          TagManager.shared.finish(message: "Done")
        }
      }
    }
  }

  @MainActor
  static func handOver() async {
    let url = URL(string: "https://example.com/t/1")!
    let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    activity.webpageURL = url
    let delegate = AppDelegate()
    UIApplication.shared.delegate = delegate
    expect(!UIApplication.shared.handOver(activity), "an activity without a tag is not taken")
    let scene = UIScene(session: UISceneSession(), connectionOptions: .init())
    let sceneDelegate = SceneDelegate()
    scene.delegate = sceneDelegate
    UIApplication.shared.connect(scene)
    expect(UIApplication.shared.handOver(activity), "a scene takes it")
    expect(sceneDelegate.links == [url], "the scene's link")
  }
}

func expect(_ isTrue: Bool, _ text: String) {
  guard !isTrue else { return }
  print("FAILED  \(text)")
  exit(1)
}
