import Testing
import UniversalLinks
import WebAddress

@testable import SiteFetching

@Suite("The places of a domain's file")
struct PlacesTests {
  private static let app = "Q7K2M9P4ZX.com.example.app"

  private static func file(_ path: String) -> String {
    #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[{"/":"\#(path)"}]}]}}"#
  }

  private static let good = Server.Answer.reply(200, file("/t/*"))
  private static let other = Server.Answer.reply(200, file("/u/*"))
  private static let absent = Server.Answer.reply(404)
  private static let redirect = Server.Answer.reply(
    301, "", type: nil, "location: https://www.example.com/")

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let wellKnown, root, cdn: Server.Answer
    let wakes: Bool
    let codes: [Finding.Code]

    init(
      _ name: String, _ wellKnown: Server.Answer, _ root: Server.Answer, _ cdn: Server.Answer,
      wakes: Bool, _ codes: Finding.Code...
    ) {
      testDescription = name
      (self.wellKnown, self.root, self.cdn) = (wellKnown, root, cdn)
      (self.wakes, self.codes) = (wakes, codes)
    }
  }

  static let cases = [
    Case("in .well-known and the CDN", good, absent, good, wakes: true),
    Case("the same everywhere", good, good, good, wakes: true),
    Case(
      "with other white space in the CDN", good, good, .reply(200, "\n" + file("/t/*") + "\n"),
      wakes: true),
    Case("at the root only", absent, good, good, wakes: true, .onlyAtRoot),
    Case("another one at the root", good, other, good, wakes: true, .placesDiffer),
    Case(
      "a root that would match where .well-known does not", other, good, other, wakes: false,
      .placesDiffer, .noAppClaims),
    Case(
      "refused by the CDN", good, absent,
      .reply(404, "", "apple-failure-reason: SWCERR00101 Bad HTTP Response: 403 Forbidden"),
      wakes: false, .cdnRefused, .unusableAssociation, .cdnDecidesOtherwise),
    Case(
      "not yet in the CDN", good, absent, absent, wakes: false, .cdnWithout, .unusableAssociation,
      .cdnDecidesOtherwise),
    Case("a CDN that fails", good, absent, .reply(500), wakes: false, .cdnNotCompared),
    Case(
      "an old one in the CDN", good, absent, other, wakes: false, .cdnDiffers, .noAppClaims,
      .cdnDecidesOtherwise),
    Case(
      "a good one only in the CDN still", other, absent, good, wakes: true, .cdnDiffers,
      .cdnDecidesOtherwise),
    Case(
      "redirected, but the CDN has it", redirect, redirect, good, wakes: true, .fetchRedirect),
    Case(
      "redirected in .well-known, at the root as well", redirect, good, good, wakes: true,
      .fetchRedirect),
    Case(
      "nowhere", absent, absent, absent, wakes: false, .fetchNotFound, .cdnWithout,
      .unusableAssociation),
    Case(
      "refused, failing, absent", .reply(403), .reply(500), absent, wakes: false, .fetchStatus,
      .fetchStatus, .cdnWithout, .unusableAssociation),
    Case(
      "served as a web page", .reply(200, file("/t/*"), type: "text/html; charset=utf-8"), absent,
      good, wakes: true, .contentType),
    Case(
      "served as octets or without a type",
      .reply(200, file("/t/*"), type: "application/octet-stream"),
      .reply(200, file("/t/*"), type: nil), good, wakes: true),
  ]

  @Test("are asked in Apple's order and compared", arguments: cases)
  func places(_ place: Case) async throws {
    let server = try Server { host, path in
      switch (host, path) {
      case ("example.com", "/.well-known/apple-app-site-association"): place.wellKnown
      case ("example.com", "/apple-app-site-association"): place.root
      case ("app-site-association.cdn-apple.com", "/a/v1/example.com"): place.cdn
      default: .reply(400)
      }
    }
    defer { server.stop() }
    let fetch = try await SiteFetcher(server.configuration()).fetch(domain: "Example.COM")
    #expect(fetch.domain == "example.com")
    let check = LinkCheck(url: "https://example.com/t/1", association: fetch.association())
    #expect(check.wakesApp == place.wakes)
    #expect(check.findings.map(\.code) == place.codes)
  }

  @Test("an address of Apple's CDN is for the domain at its end")
  func addressOfCDN() async throws {
    let server = try Server { _, _ in Self.good }
    defer { server.stop() }
    let fetcher = SiteFetcher(try server.configuration())
    let host = "app-site-association.cdn-apple.com"
    #expect(
      await fetcher.fetch(address: "https://\(host)/a/v1/example.com").host == "example.com")
    let fetch = await fetcher.fetch(address: "https://example.com/any/where?x=1")
    #expect(fetch.host == "example.com")
    // What is at any address but the CDN's is not what devices get: it is a file that was handed
    // over.
    let unplaced = LinkCheck(url: "https://example.com/t/1", association: fetch.association())
    #expect(unplaced.findings.map(\.code) == [.unplacedAssociation] && !unplaced.wakesApp)
    let placed = fetch.association(domain: "example.com")
    #expect(LinkCheck(url: "https://example.com/t/1", association: placed).wakesApp)
    let elsewhere = LinkCheck(url: "https://www.example.com/t/1", association: placed)
    #expect(elsewhere.findings.map(\.code) == [.otherHost])
    #expect(
      SiteFetch.domain(ofPlace: "https://Example.com/.well-known/apple-app-site-association")
        == "example.com")
    #expect(SiteFetch.domain(ofPlace: "https://example.com/staging.json") == nil)
  }

  @Test("a finding names the address that it is about")
  func address() async throws {
    let server = try Server { _, _ in Self.redirect }
    defer { server.stop() }
    let fetch = try await SiteFetcher(server.configuration()).fetch(domain: "example.com")
    #expect(
      fetch.findings.first?.description == """
        error: https://example.com/.well-known/apple-app-site-association: The server redirects (301) \
        to https://www.example.com/. iOS does not follow redirects: serve the file at this very address.
        """)
  }

  @Test("with the site trusted its own file decides, and the CDN's word is still told")
  func trusted() async throws {
    let server = try Server { host, path in
      host == "example.com" && path.hasPrefix("/.well-known") ? Self.good : Self.absent
    }
    defer { server.stop() }
    let fetch = try await SiteFetcher(server.configuration()).fetch(domain: "example.com")
    let check = LinkCheck(
      url: "https://example.com/t/1", association: fetch.association(trustingSite: true))
    #expect(check.wakesApp)
    #expect(check.findings.map(\.code) == [.siteTrusted, .cdnWithout])
  }

  @Test(
    "what the CDN gives as its reason is shown and explained",
    arguments: [
      ("SWCERR00101 Bad HTTP Response: 403 Forbidden", "blocks"),
      ("SWCERR00101 Bad HTTP Response: 401 Unauthorized", "blocks"),
      ("SWCERR00101 Bad HTTP Response: 429 Too Many Requests", "blocks"),
      ("SWCERR00101 Bad HTTP Response: 404 Not Found", "did not return"),
      ("SWCERR00101 Bad HTTP Response: 301 Moved Permanently", "redirects"),
      ("SWCERR00201 Redirect not allowed", "redirects"),
      ("SWCERR00101 Bad HTTP Response: 503 Service Unavailable", "could not be reached"),
      ("SWCERR00301 Timeout", "too slowly"),
      ("SWCERR00302 TLS error: certificate has expired", "not trusted"),
      ("SWCERR00303 SSL handshake failed", "not trusted"),
      ("SWCERR00401 Bad JSON content", "lint"),
      ("SWCERR00402 File too large", "too large"),
      ("SWCERR00501 DNS error", "DNS"),
      ("SWCERR99999 Something new", "Check"),
    ])
  func reasons(_ reason: String, _ words: String) async throws {
    let server = try Server { host, path in
      host == "example.com" && path.hasPrefix("/.well-known")
        ? Self.good
        : .reply(
          404, "", "apple-failure-reason: \(reason)", "apple-failure-details: {\"status\":\"x\"}")
    }
    defer { server.stop() }
    let fetch = try await SiteFetcher(server.configuration()).fetch(domain: "example.com")
    let finding = try #require(fetch.findings.first { $0.code == .cdnRefused })
    #expect(finding.message.contains(reason) && finding.message.contains(words))
    #expect(
      finding.message.contains(#"{"status":"x"}"#) && finding.message.contains("only after days"))
    let check = LinkCheck(url: "https://example.com/t/1", association: fetch.association())
    #expect(!check.wakesApp && !check.isUndecided && check.opens == .browser)
  }

  @Test("a link that redirects is told, by HEAD, or by one byte where the server knows no HEAD")
  func redirection() async throws {
    let server = try Server { _, path in
      switch path {
      case "/go": .reply(302, "", "location: https://www.example.com/t/1")
      case "/slow": .reply(405)
      default: .reply(200)
      }
    }
    defer { server.stop() }
    let fetcher = SiteFetcher(try server.configuration())
    let link = try Address(parsing: "https://example.com/go")
    let found = await fetcher.redirection(of: link)
    #expect(found == Redirection(status: 302, location: "https://www.example.com/t/1"))
    #expect(found?.finding(for: link).code == .linkRedirects)
    #expect(await fetcher.redirection(of: try Address(parsing: "https://example.com/t/1")) == nil)
    #expect(await fetcher.redirection(of: try Address(parsing: "https://example.com/slow")) == nil)
    #expect(await fetcher.redirection(of: try Address(parsing: "http://example.com/go")) == nil)
  }
}
