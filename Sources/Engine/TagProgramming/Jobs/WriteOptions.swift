import NDEF
import TagMemory

/// How a message is written.
public struct WriteOptions: Hashable, Sendable {
  /// The operator's word that what is on the tag, if it is neither blank nor NDEF, may be lost.
  public var overwrite = false
  /// The message's bytes where they are to be kept as they stand elsewhere: with length fields
  /// longer than needed, or in chunks. They must parse to the message; none at all take the tag's
  /// message away. Nil: its canonical bytes.
  package var encoding: [UInt8]?
  /// The operator's leave to write the capability container of a tag whose size is a guess; its
  /// bits can never be cleared.
  public var force = false
  /// Give the tag this password once the message is verified.
  public var protection: Protection?
  /// Make the tag read-only for good, last of all.
  public var lock = false
  /// The sectors of a MIFARE Classic that are formatted for it.
  public var sectors = ClassicSectors.usual
  /// Make an NTAG 424 DNA prove itself by the message, in whose places its proofs are to stand.
  public var personalisation: Personalisation?
  /// Make an NTAG 21x show its UID or its counter in this place of the message, whatever stands
  /// there.
  package var mirror: MessageMirror?
  /// Where the message gets both a mirror and locks: freeze the tag's configuration, too, for good,
  /// so that nobody switches the mirror off.
  package var freezesMirror = false
  /// Refuse a tag whose UID its maker has not signed.
  public var mustBeGenuine = false
  /// Refuse a tag that holds a message already, or that does not show whether it does.
  package var sparesMessage = false
  /// Refuse a tag that shows its UID or counter in place of a part of the message and cannot be
  /// made to stop that, which else is only found odd.
  package var mustReadAsWritten = false

  /// Plain writing: nothing is overwritten that is no NDEF message, nothing is locked.
  public init() {}

  /// The bytes to write for `message`.
  func bytes(of message: Message) -> [UInt8] { encoding ?? message.serialize() }
}
