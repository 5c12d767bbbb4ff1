import Clibnfc
import Readers

/// A negative result of a libnfc call.
///
/// nfc.h lists its own codes; the USB drivers also pass on what libusb 0.1 returned: a negated
/// errno of Linux.
struct LibraryError: Error, Hashable {
  let code: CInt

  /// What a code says of the line.
  enum Meaning: Hashable {
    /// Nothing came within the time allowed.
    case silent
    /// The device is gone.
    case lost
    /// `nfc_abort_command` was called.
    case interrupted
    /// A read or write failed, or what came was no answer to the command: libnfc calls all of that
    /// EIO.
    case garbled
  }

  var meaning: Meaning { Self.meanings[code] ?? .garbled }

  /// Returns what it means for `reader`; a line that `isGone` explains a silent or garbled one.
  func readerError(reader: String, isGone: @autoclosure () -> Bool) -> ReaderError {
    switch meaning {
    case .silent: isGone() ? .boardLost(reader: reader) : .boardSilent(reader: reader)
    case .garbled: isGone() ? .boardLost(reader: reader) : .boardGarbled(reader: reader)
    case .lost: .boardLost(reader: reader)
    case .interrupted: .interrupted
    }
  }

  private static let meanings: [CInt: Meaning] = [
    NFC_ETIMEOUT: .silent,
    NFC_ENOTSUCHDEV: .lost,
    NFC_EOPABORTED: .interrupted,
    NFC_EIO: .garbled,
    -19: .lost,  // ENODEV
    -71: .lost,  // EPROTO: what a transfer sees when the plug is pulled
    -108: .lost,  // ESHUTDOWN
    -110: .silent,  // ETIMEDOUT
  ]

  /// Codes that stand for a status byte of the chip: libnfc folds some 30 of those into five.
  static let statusCodes: Set<CInt> = [
    NFC_ERFTRANS, NFC_EMFCAUTHFAIL, NFC_ETGRELEASED, NFC_ECHIP, NFC_EINVARG,
  ]
}
