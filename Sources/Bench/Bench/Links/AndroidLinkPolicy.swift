import AppLinks
import NDEF
import SiteFetching
import Synchronization
import UniversalLinks
import WebAddress

/// What tags are held to on Android phones: the app that is to be woken, the asset links, the app's
/// manifest.
package struct AndroidLinkPolicy: Sendable {
  package enum Source: Sendable {
    case known(AppLinkCheck.Source)
    /// To be fetched from the host of the link.
    case ofLinkHost(Network)
  }

  package let app: AndroidApp
  package let source: Source
  package let manifest: AppManifest?
  /// The versions of Android that are asked for; nil: all that the app can be installed on.
  package let releases: [AndroidRelease]?
  /// What hosts answered; each is asked once.
  private let answers = Answers()

  private final class Answers: Sendable {
    let byHost = Mutex<[String: AppLinkCheck.Source]>([:])
  }

  /// What tags are held to, as a person gives it.
  package struct Settings: Sendable {
    /// The package, and behind commas its certificates.
    package var app: String
    /// The manifest's file.
    package var manifest: String?
    /// Versions of Android, such as 14-17.
    package var releases: String?
    /// The domain that will serve asset links that were handed over.
    package var domain: String?
    /// Is true if asset links that were handed over count as served by the link's host.
    package var isAssumedServed = false

    package init(app: String) { self.app = app }
  }

  /// Reads what can be read before the link is known; nil `source`: no asset links are looked at.
  ///
  /// Fails with `usage` for what are no versions, with `badInput` for what is no app, no manifest
  /// and no address, with `noInput` for a file that cannot be read.
  package init(
    _ settings: Settings, assetLinks source: AssociationSource?, _ environment: Environment
  ) throws(BenchError) {
    releases = try settings.releases.map { text throws(BenchError) in
      guard let releases = AndroidRelease.releases(parsing: text) else {
        throw BenchError(
          .usage, "--android-versions takes versions from 12 to 17, such as 16 or 14-17.")
      }
      return releases
    }
    switch source {
    case nil: self.source = .known(.notAsked)
    case .file(let path):
      self.source = .known(
        AppLinkCheck.Source(parsing: try Files.read(path), of: try settings.server()))
    case .address(let address):
      let host = AndroidURI(address).path == AssetLinks.path ? AndroidURI(address).host : nil
      let server =
        if let host { AppLinkCheck.Server.host(host) } else { try settings.server() }
      self.source = .known(try Network(environment).assetLinks(at: address, of: server))
    case .domain(let domain):
      self.source = .known(try Network(environment).assetLinks(ofHost: domain.lowercased()))
    case .linkHost: self.source = .ofLinkHost(try Network(environment))
    }
    let xml = try settings.manifest.map { path throws(BenchError) in try Files.read(path) }
    do throws(AppLinksError) {
      manifest = try xml.map { bytes throws(AppLinksError) in try AppManifest(parsing: bytes) }
      self.app = try AndroidApp(parsing: settings.app)
    } catch {
      throw BenchError(.badInput, error.description)
    }
  }

  /// What a phone does with `message`, nil where a tag has none; fetches, when the link's host is
  /// to be asked.
  package func check(_ message: Message?) -> AppLinkCheck {
    let host = AppLinkCheck.host(of: message, manifest: manifest)
    return AppLinkCheck(
      message, app: app, assetLinks: assetLinks(of: host), manifest: manifest, releases: releases)
  }

  /// Says what a phone does with a message in which the tag may fill in a part.
  package func check(_ message: VaryingMessage) -> AppLinkCheck {
    let host = AppLinkCheck.host(
      of: try? Message(parsing: message.samples[0]), manifest: manifest)
    return AppLinkCheck(
      message, app: app, assetLinks: assetLinks(of: host), manifest: manifest, releases: releases)
  }

  /// Fails, and says why, when `message` on a tag would not wake the app: with `badInput`, or with
  /// 75 when the site could not be asked.
  package func insist(on message: Message, otherwise consequence: String) throws(BenchError)
    -> AppLinkCheck
  {
    let check = check(message)
    try check.insist(otherwise: consequence)
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
  /// Fails, and says why, when the message that it is of would not wake the app.
  package func insist(otherwise consequence: String) throws(BenchError) {
    guard let refusal else { return }
    throw BenchError(
      code ?? .badInput, refusal, [remedy].compactMap(\.self), consequence: consequence)
  }

  /// Why a tag is not to be written; nil when it wakes the app.
  package var refusal: String? {
    wakesApp ? nil : Conclusion.refusal("\(self)", findings)
  }

  /// A record that names the app; nil where nothing more is needed.
  package var remedy: BenchError.Remedy? {
    recordCost.map { .addApplicationRecord(package: app.packageName, byteCount: $0) }
  }

  /// Why a command fails that was to show that the app is woken; nil where it is.
  package var code: BenchError.Code? { wakesApp ? nil : isUndecided ? .noTag : .badInput }
}

extension Network {
  /// The asset links of a host.
  package func assetLinks(ofHost host: String) -> AppLinkCheck.Source {
    assetLinks(at: "https://" + host + AssetLinks.path, of: .host(host))
  }

  /// The asset links at an address, which Android takes as application/json only, and without a
  /// redirect (developers.google.com, Digital Asset Links).
  package func assetLinks(
    at address: String, of server: AppLinkCheck.Server
  ) -> AppLinkCheck.Source {
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
      parsing: bytes, of: server,
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

extension AndroidLinkPolicy.Settings {
  /// Who serves asset links that were handed over.
  fileprivate func server() throws(BenchError) -> AppLinkCheck.Server {
    if isAssumedServed { return .assumed }
    return try LinkPolicy.Settings.host(of: domain).map { .host($0) } ?? .nobody
  }
}
