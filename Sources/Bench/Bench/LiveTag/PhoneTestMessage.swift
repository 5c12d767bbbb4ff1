import NDEF

/// The messages that a telephone is tested with: what people put on tags, one kind each.
package enum PhoneTestMessage: String, Hashable, Sendable, CaseIterable {
  case link
  case appClip = "app-clip"
  case wiFi = "wifi"
  case textFirst = "text-first"

  /// A phrase that says what the tag holds.
  package var title: String {
    switch self {
    case .link: "a link"
    case .appClip: "a link to an App Clip"
    case .wiFi: "a Wi-Fi network"
    case .textFirst: "a text, and a link behind it"
    }
  }

  /// The links belong to nobody: a telephone can show them, and starts nothing.
  package var message: [UInt8] {
    get throws(NDEFError) {
      let link = "https://example.com/nfcprog"
      let records: [Record] =
        switch self {
        case .link: [try URIRecord(link).record]
        case .appClip:
          [try URIRecord("https://appclip.apple.com/id?p=com.example.nfcprog.Clip").record]
        case .wiFi:
          [try WiFiCredential(ssid: "nfcprog test", passphrase: "nfcprog test").record]
        case .textFirst:
          [try TextRecord("nfcprog", language: "en").record, try URIRecord(link).record]
        }
      return try Message(records).serialize()
    }
  }
}
