/// Why Apple's CDN has no file of a domain: what it says in `Apple-Failure-Reason`, and what that
/// means.
///
/// TN3155: where the CDN could not get the file, or refused it, it answers 404 with this header,
/// and devices take none. The texts are not documented; they are told apart by their words, and
/// always shown.
package struct CDNRefusal: Hashable, Sendable {
  /// As the CDN says it, such as `SWCERR00101 Bad HTTP Response: 403 Forbidden`.
  package let reason: String

  enum Cause: Hashable, Sendable, CaseIterable {
    case blocked, missing, redirect, certificate, tooLarge, badFile, slow, name, server, other
  }

  /// Takes the headers' text; what could disturb a line is left out.
  init(reason: String, details: String?) {
    let texts = [reason, details].compactMap { $0.map(Self.line) }.filter { !$0.isEmpty }
    self.reason = texts.isEmpty ? "no reason given" : texts.joined(separator: "; ")
  }

  private static func line(_ text: String) -> String {
    let printable = text.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }
    return String(String.UnicodeScalarView(printable.prefix(200)))
  }

  var cause: Cause {
    let text = reason.lowercased()
    func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
    if has("redirect", " 301", " 302", " 303", " 307", " 308") { return .redirect }
    if has(" 401", " 403", " 429", " 451", "forbidden", "unauthorized", "denied", "blocked") {
      return .blocked
    }
    if has(" 404", " 410", "not found") { return .missing }
    if has("ssl", "tls", "certificate", "trust") { return .certificate }
    if has("too large", "too big", "size", "length", "exceed") { return .tooLarge }
    if has("timeout", "timed out", "time out") { return .slow }
    if has("json", "content", "format", "pkcs7", "signature", "decode", "parse") { return .badFile }
    if has("dns", "resolve", "unknown host", "domain") { return .name }
    if has(" 500", " 502", " 503", " 504", "connect", "unreachable", "reset") { return .server }
    return .other
  }
}

extension CDNRefusal: CustomStringConvertible {
  /// Whole sentences: the reason as it is, what it means, what to change.
  package var description: String {
    """
    Apple's CDN has no file for the domain, and gives this reason: \(reason). \(meaning) Devices get none \
    until then. The CDN asks again for a refused file only after days: correct it first, then wait.
    """
  }

  private var meaning: String {
    switch cause {
    case .blocked:
      """
      The site blocks the CDN's fetcher: make the file readable by everyone, without login, geo-block, \
      firewall rule and bot protection (its user agent is AASA-Bot).
      """
    case .missing: "The site did not return the file: put it in .well-known, readable by everyone."
    case .redirect: "The site redirects: serve the file at this very address."
    case .certificate:
      """
      The connection is not trusted: renew the certificate, send its intermediates, offer TLS 1.2 \
      or later.
      """
    case .tooLarge: "The file is too large: keep it below 128 KB, uncompressed."
    case .badFile: "The file has an error: check it with lint-aasa, then correct it."
    case .slow: "The site answers too slowly: serve the file as a static one."
    case .name: "The domain's name does not resolve: check its DNS records."
    case .server: "The site could not be reached, or it failed: check the server."
    case .other: "Check the site's server, firewall and certificate."
    }
  }
}
