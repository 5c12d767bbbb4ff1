import PN532

/// The one primitive below everything: a PN53x chip at the far end of a wire takes a command and
/// answers it.
///
/// One thread owns a link. The real one drives libnfc; tests may put a simulated chip behind it
/// without a wire.
package protocol ChipLink: AnyObject {
  /// What messages call this reader: its connection string.
  var name: String { get }

  /// The serial line's speed; nil where there is no serial line.
  var speed: LinkSpeed? { get }

  /// Is true if opening has left the field off for so long that every tag in it has forgotten its
  /// state.
  var hasResetField: Bool { get }

  /// How much passes it in one exchange.
  var limit: ExchangeLimit { get }

  /// Sends `command` (its code first, without the TFI D4; at most 264 bytes) and returns what
  /// follows D5 and the answer code. Where the command's answer starts with a status byte, that
  /// byte is returned too, whatever it says: only a broken link throws. Waits for at most
  /// `timeout`.
  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8]

  /// Says which key the next commands prove: a board that only stands in for one, and has no key
  /// of its own, takes it for the tag's.
  func willProve(_ key: [UInt8])

  /// Goes on at the speed at which the link was opened, where that is a lower one; does nothing
  /// where it cannot.
  func slowDown()

  /// Puts the link back as it was found and closes it. Later calls of `transceive` throw.
  func close()
}

extension ChipLink {
  package var speed: LinkSpeed? { nil }
  package var limit: ExchangeLimit { .pn532 }
  package var hasResetField: Bool { false }
  package func slowDown() {}
  package func willProve(_ key: [UInt8]) {}
}
