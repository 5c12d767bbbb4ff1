import HTTPTypes

extension HTTPField.Name {
  /// The first one is the request's authority, and this name has the others.
  package static let host = Self("Host")!
  package static let secFetchSite = Self("Sec-Fetch-Site")!
  package static let secFetchMode = Self("Sec-Fetch-Mode")!
  package static let forwardedFor = Self("X-Forwarded-For")!
  package static let idempotencyKey = Self("Idempotency-Key")!
  package static let lastEventID = Self("Last-Event-ID")!
  package static let contentTypeOptions = Self("X-Content-Type-Options")!
  package static let referrerPolicy = Self("Referrer-Policy")!
  package static let frameOptions = Self("X-Frame-Options")!
  package static let openerPolicy = Self("Cross-Origin-Opener-Policy")!
  package static let resourcePolicy = Self("Cross-Origin-Resource-Policy")!
  package static let transportSecurity = Self("Strict-Transport-Security")!
}
