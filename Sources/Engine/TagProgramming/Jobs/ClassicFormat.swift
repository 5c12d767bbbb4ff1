import NDEF
import TagMemory

/// How a MIFARE Classic is formatted.
public struct ClassicFormat: Hashable, Sendable {
  /// Which MIFARE application directory to write.
  public enum Directory: Hashable, Sendable {
    /// MAD2 on tags with more than 16 sectors, else MAD1. With the fewest sectors MAD1 where it
    /// names them all.
    case automatic
    /// MAD1: 15 sectors at most (AN10787, 3).
    case mad1
    /// MAD2: sectors 17 to 39 too.
    case mad2
  }

  /// Which MIFARE application directory.
  public var directory = Directory.automatic
  /// Which sectors get keys for NFC.
  public var sectors = ClassicSectors.all
  /// Key B of the directory's and the NFC sectors, those too that are formatted already. Nil: each
  /// keeps its own, and a sector as delivered has the factory's.
  public var keyB: Key?
  /// Written in the same pass.
  public var message: Message?
  /// As in `WriteOptions`.
  package var encoding: [UInt8]?
  /// Make the NFC sectors read-only for good once the message is verified.
  public var lock = false
  /// The operator's word that foreign data may be lost; nothing is looked at first.
  public var overwrite = false
  /// Another message of so many bytes follows, so that the one that is there need not be kept.
  var followingByteCount: Int?
  var replacesMessage: Bool { followingByteCount != nil }

  /// All sectors, an empty message; only a blank card is formatted.
  public init() {}

  /// The bytes to write for the message; nil without one.
  var messageBytes: [UInt8]? { encoding ?? message?.serialize() }
}

/// Which sectors of a MIFARE Classic become NFC sectors. None that is one is ever given up.
public enum ClassicSectors: Hashable, Sendable {
  /// Those that an NDEF tag has; of another one all.
  case usual
  /// All that the directory can name.
  case all
  /// No more than the message takes; the directory calls the others free, and they are not looked
  /// at.
  case fewest
}
