import AppLinks
import BenchKit
import NDEF
import SiteFetching
import Synchronization
import UniversalLinks
import WebAddress

/// What tags are held to on Android phones: the app that is to be woken, the asset links, the app's manifest.
struct AndroidClaim {
  enum Source {
    case known(AppLinkCheck.Source)
    /// To be fetched from the host of the link.
    case ofLinkHost(Network)
  }

  let app: AndroidApp
  let source: Source
  let manifest: AppManifest?
  /// What hosts answered; each is asked once.
  private let answers = Answers()

  private final class Answers: Sendable {
    let byHost = Mutex<[String: AppLinkCheck.Source]>([:])
  }

  init(app: AndroidApp, source: Source, manifest: AppManifest?) {
    (self.app, self.source, self.manifest) = (app, source, manifest)
  }

  /// What a phone does with `message`; fetches, when the link's host is to be asked.
  func check(_ message: Message) -> AppLinkCheck {
    let host = AppLinkCheck.link(of: message)?.host
    return AppLinkCheck(
      message, app: app, assetLinks: assetLinks(of: host), manifest: manifest)
  }

  /// Fails, and says why, when `message` on a tag would not wake the app: with `badInput`, or with 75 when the site could
  /// not be asked.
  func insist(on message: Message, otherwise consequence: String) throws(BenchError)
    -> AppLinkCheck
  {
    let check = check(message)
    if let refusal = check.refusal {
      throw BenchError(check.status.code ?? .badInput, "\(refusal) \(consequence)")
    }
    return check
  }

  private func assetLinks(of host: String?) -> AppLinkCheck.Source {
    switch source {
    case .known(let known): return known
    case .ofLinkHost(let network):
      guard let host else { return .notAsked }
      if let answer = answers.byHost.withLock({ $0[host] }) { return answer }
      let answer = network.assetLinks(ofHost: host)
      answers.byHost.withLock { $0[host] = answer }
      return answer
    }
  }
}

extension AppLinkCheck {
  /// Why a tag is not to be written; nil when it wakes the app.
  var refusal: String? {
    guard !wakesApp else { return nil }
    let errors = findings.filter { $0.severity == .error }
    let reasons = (errors.isEmpty ? findings : errors).prefix(3).map(\.message)
    return (["\(self)"] + reasons + [proposal].compactMap(\.self)).joined(separator: " ")
  }

  /// What starts the app whatever the site says, and what it costs.
  var proposal: String? {
    recordCost.map {
      "An Android application record always starts the app and needs \($0) bytes more: write --uri URL --android-app "
        + "\(app.packageName)."
    }
  }

  /// How a command ends that was to show that the app is woken.
  var status: ExitStatus { wakesApp ? .success : isUndecided ? .noTag : .badInput }
}

extension Network {
  /// The asset links of a host.
  func assetLinks(ofHost host: String) -> AppLinkCheck.Source {
    assetLinks(at: "https://" + host + AssetLinks.path)
  }

  /// The asset links at an address, which Android takes as application/json only, and without a redirect
  /// (developers.google.com, Digital Asset Links).
  func assetLinks(at address: String) -> AppLinkCheck.Source {
    let fetch = file(at: address)
    guard let bytes = fetch.bytes else {
      let findings = fetch.failure.map {
        [Finding($0.code, .address(address), $0.text(for: "Android"))]
      }
      return fetch.failure?.isFinal ?? false
        ? .unavailable(findings ?? []) : .unreachable(findings ?? [])
    }
    let isJSON = fetch.mediaType == "application/json"
    return AppLinkCheck.Source(
      parsing: bytes,
      findings: isJSON
        ? []
        : [
          Finding(
            .contentType, .address(address),
            "The file is served as \(fetch.mediaType ?? "no type at all"); Android takes application/json. Set the content type."
          )
        ])
  }
}
