/// Whose rules a session keeps.
package enum SessionMode: String, Hashable, Sendable, CaseIterable {
  /// An iPhone's: what the app did not declare it does not get, and a session ends after 60
  /// seconds.
  case phone
  /// The bench's: no limit of time, every application and system code, MIFARE Classic, blank tags
  /// are formatted.
  case bench
}

/// What a session looks for, as `NFCTagReaderSession.PollingOption` has it.
package struct Polling: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// ISO/IEC 14443, types A and B.
  package static let iso14443 = Polling(rawValue: 1)
  /// ISO/IEC 15693, which a PN532 cannot look for.
  package static let iso15693 = Polling(rawValue: 2)
  /// FeliCa.
  package static let iso18092 = Polling(rawValue: 4)
  /// Identity documents by PACE: on the bench as ISO/IEC 14443.
  package static let pace = Polling(rawValue: 8)
}
