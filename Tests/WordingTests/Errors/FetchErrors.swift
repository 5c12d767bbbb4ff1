@testable import SiteFetching

/// Why a file could not be fetched.
extension ErrorTexts {
  private static let fetch: KeyValuePairs<String, FetchError> = [
    "notADomain": .notADomain("a b"),
    "notHTTPS": .notHTTPS("http://example.com/"),
    "noLibrary": .noLibrary("no such file"),
    "unknownHost": .unknownHost("example.com"),
    "unreachable": .unreachable("it refuses connections"),
    "timedOut": .timedOut(.seconds(10)),
    "certificate": .certificate(.notTrusted),
    "certificate": .certificate(.otherName),
    "handshake": .handshake("no protocol in common"),
    "redirect": .redirect(status: 301, location: "https://a.example/"),
    "redirect": .redirect(status: 302, location: nil),
    "status": .status(404),
    "status": .status(403),
    "status": .status(500),
    "refusedByCDN": .refusedByCDN(status: 404, CDNRefusal(reason: "", details: nil)),
    "tooLarge": .tooLarge,
    "encoded": .encoded("gzip"),
    "broken": .broken("no status line"),
  ]

  /// What Apple's CDN says, for each cause that it shows.
  private static let refusals: KeyValuePairs<String, String> = [
    "blocked": "Bad HTTP Response: 403 Forbidden",
    "missing": "Bad HTTP Response: 404 Not Found",
    "redirect": "Redirect not allowed",
    "certificate": "SSL error",
    "tooLarge": "File too large",
    "badFile": "JSON error",
    "slow": "Timeout",
    "name": "DNS error",
    "server": "Connection reset",
    "other": "Unexpected",
  ]

  static let fetching: [ErrorTexts] = [
    ErrorTexts("FetchError", "SiteFetching/FetchError.swift", fetch),
    ErrorTexts("Cause", "SiteFetching/CDNRefusal.swift", in: "CDNRefusal", refusals) {
      "\(CDNRefusal(reason: $0, details: nil))"
    },
  ]
}
