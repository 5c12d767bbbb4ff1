import Bytes

/// What an app's Info.plist and entitlements let it do with tags.
package struct AppGrants: Hashable, Sendable {
  /// The keys that a phone looks at.
  package enum Key {
    package static let usageDescription = "NFCReaderUsageDescription"
    package static let formats = "com.apple.developer.nfc.readersession.formats"
    package static let applicationIDs =
      "com.apple.developer.nfc.readersession.iso7816.select-identifiers"
    package static let systemCodes =
      "com.apple.developer.nfc.readersession.felica.systemcodes"
  }

  /// A value of a property list, as far as these keys have it.
  package enum Value: Hashable, Sendable {
    case string(String)
    case strings([String])
  }

  /// Nothing was declared, and all is granted: there was no Info.plist to look at.
  package static let all = AppGrants()

  /// Is true if there was an Info.plist.
  package let isLimited: Bool
  /// The sentence that a phone shows when it asks its user; empty where there is none.
  package let usageDescription: String
  /// NDEF, TAG, PACE; empty where there are none.
  package let formats: [String]
  /// The applications that are selected when a card is found, in this order: 5 to 16 bytes each.
  package let applicationIDs: [[UInt8]]
  /// The FeliCa systems that are polled for, in this order: 2 bytes each.
  package let systemCodes: [[UInt8]]
  /// Entries that are none, for people to read.
  package let unusable: [String]

  private init() {
    isLimited = false
    (usageDescription, formats, applicationIDs, systemCodes) = ("", [], [], [])
    unusable = []
  }

  /// What the values of the keys grant; others are ignored.
  package init(_ values: [String: Value]) {
    isLimited = true
    usageDescription = values[Key.usageDescription]?.texts.first ?? ""
    formats = values[Key.formats]?.texts ?? []
    var unusable = formats.filter { !["NDEF", "TAG", "PACE"].contains($0) }
      .map { "\($0) is not a format: formats are TAG and PACE" }
    applicationIDs = (values[Key.applicationIDs]?.texts ?? []).compactMap { text in
      if let id = Self.applicationID(text) { return id }
      unusable.append("\(text) is not an application identifier: 5 to 16 bytes in hexadecimal")
      return nil
    }
    systemCodes = (values[Key.systemCodes]?.texts ?? []).compactMap { text in
      if let code = Self.systemCode(text) { return code }
      unusable.append("\(text) is not a system code: 2 bytes in hexadecimal, neither of them FF")
      return nil
    }
    self.unusable = unusable
  }

  /// 5 to 16 bytes (ISO/IEC 7816-5).
  package static func applicationID(_ text: String) -> [UInt8]? {
    guard let bytes = try? Hex.bytes(text), (5...16).contains(bytes.count) else { return nil }
    return bytes
  }

  /// Two bytes without a wildcard.
  package static func systemCode(_ text: String) -> [UInt8]? {
    guard let bytes = try? Hex.bytes(text), bytes.count == 2, !bytes.contains(0xFF) else {
      return nil
    }
    return bytes
  }

  /// Returns these grants with shorter lists: of `applicationIDs` and `systemCodes` (empty: all)
  /// they keep what is declared, each once. Where nothing was declared, those given stand for the
  /// declaration.
  package func narrowed(applicationIDs ids: [[UInt8]], systemCodes codes: [[UInt8]]) -> AppGrants {
    func narrow(_ wanted: [[UInt8]], _ declared: [[UInt8]]) -> [[UInt8]] {
      if wanted.isEmpty { return declared }
      return wanted.enumerated().filter { index, item in
        !wanted[..<index].contains(item) && (!isLimited || declared.contains(item))
      }.map(\.element)
    }
    return AppGrants(
      self, applicationIDs: narrow(ids, applicationIDs), systemCodes: narrow(codes, systemCodes))
  }

  private init(_ other: AppGrants, applicationIDs: [[UInt8]], systemCodes: [[UInt8]]) {
    (isLimited, usageDescription, formats) =
      (other.isLimited, other.usageDescription, other.formats)
    (self.applicationIDs, self.systemCodes) = (applicationIDs, systemCodes)
    unusable = other.unusable
  }
}

extension AppGrants.Value {
  /// Its strings.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .strings(let texts): texts
    }
  }
}

extension AppGrants {
  /// Why a phone does not begin a session of `kind`; nil where it does.
  func refusal(of kind: PhoneSession.Kind) -> SessionError? {
    guard isLimited else { return nil }
    let blank = usageDescription.allSatisfy(\.isWhitespace)
    if blank { return Self.missing(Key.usageDescription, "a sentence for the phone's user") }
    switch kind {
    case .ndef:
      guard formats.contains("NDEF") || formats.contains("TAG") else {
        return Self.missing(Key.formats, "TAG")
      }
    case .tag(let polling):
      guard formats.contains("TAG") || polling == .pace && formats.contains("PACE") else {
        return Self.missing(Key.formats, "TAG")
      }
      if polling.contains(.pace), !formats.contains("PACE") {
        return Self.missing(Key.formats, "PACE")
      }
      if polling.contains(.iso18092), systemCodes.isEmpty {
        return Self.missing(Key.systemCodes, "the system codes that are polled for")
      }
    case .unsupported: break
    }
    return nil
  }

  private static func missing(_ key: String, _ value: String) -> SessionError {
    let place = key == Key.formats ? "entitlements" : "Info.plist"
    return SessionError(
      .securityViolation,
      "Missing required entitlement: \(key) in the app's \(place), with \(value).")
  }
}
