import NDEF
import TagMemory

/// What to do with the tag on the reader.
public enum Job: Hashable, Sendable {
  /// Everything that can be learnt of the tag.
  case info
  /// The message on it.
  case read
  /// Put a message on it, whatever its type; a blank tag is formatted on the way.
  case write(Message, WriteOptions)
  /// Make a MIFARE Classic an NDEF tag.
  case formatClassic(ClassicFormat)
  /// Give a blank DESFire its NDEF application.
  case formatType4(Type4Format)
  /// Give a MIFARE Classic the keys and the empty memory it was delivered with.
  case resetClassic
  /// Make a FeliCa Lite or Lite-S an NDEF tag.
  case formatFeliCa(FeliCaFormat)
  /// Give an NTAG 424 DNA back as it was delivered.
  case resetSDM(Personalisation)
  /// Raw pages of an Ultralight or NTAG.
  case writePages(PageWrite)
  /// Raw blocks of a MIFARE Classic.
  case writeBlocks(BlockWrite)
  /// Make the tag read-only for good, with the message that it holds; `force` also where it holds
  /// none.
  case lock(force: Bool)
  /// Give an NTAG21x or Ultralight EV1 a password.
  case protect(Protection)
  /// Take the password away; `Credentials` have it.
  case unprotect
  /// The whole memory, as far as keys and password reach.
  case dump
  /// Give the tag the memory of a dump.
  case restore(Restore)
}

extension Job {
  /// Whether it changes nothing on the tag.
  public var onlyLooks: Bool {
    switch self {
    case .info, .read, .dump: true
    default: false
    }
  }

  /// Whether only a tag of type A can be meant: a MIFARE Classic, or one with pages.
  package var isForTypeA: Bool {
    switch self {
    case .formatClassic, .resetClassic, .writeBlocks, .writePages, .protect, .unprotect: true
    case .info, .read, .dump, .write, .formatType4, .formatFeliCa, .lock, .restore,
      .resetSDM:
      false
    }
  }

  /// Whether it is for tags alone whose UID their maker has signed.
  var wantsGenuine: Bool {
    if case .write(_, let options) = self { options.mustBeGenuine } else { false }
  }

  /// What it makes a tag show of itself in its message; nil for nothing.
  var mirror: MessageMirror? {
    if case .write(_, let options) = self { options.mirror } else { nil }
  }

  /// Whether it makes a tag prove itself, or ends that.
  var isAboutProofs: Bool {
    switch self {
    case .write(_, let options): options.personalisation != nil
    case .resetSDM: true
    default: false
    }
  }
}

/// What to restore, and how much of it.
public struct Restore: Hashable, Sendable {
  package var image: MemoryImage
  /// Write, too, what can shut the tag or never be undone: lock bits, capability container and
  /// configuration of a Type 2 tag, sector trailers that freeze a MIFARE Classic; and a message of
  /// which another tag had filled in a part.
  package var force: Bool

  /// `force`: write also what can never be undone.
  public init(_ image: MemoryImage, force: Bool = false) {
    self.image = image
    self.force = force
  }
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

/// How a message is written.
public struct WriteOptions: Hashable, Sendable {
  /// The operator's word that what is on the tag, if it is neither blank nor NDEF, may be lost.
  public var overwrite = false
  /// The message's bytes where they are to be kept as they stand elsewhere: with length fields
  /// longer than needed, or in chunks. They must parse to the message. Nil: its canonical bytes.
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
  /// Refuse a tag that shows its UID or counter in place of a part of the message and cannot be
  /// made to stop that, which else is only found odd.
  package var mustReadAsWritten = false

  /// Plain writing: nothing is overwritten that is no NDEF message, nothing is locked.
  public init() {}

  /// The bytes to write for `message`.
  func bytes(of message: Message) -> [UInt8] { encoding ?? message.serialize() }
}

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

/// Raw blocks to write, one after the other.
public struct BlockWrite: Hashable, Sendable {
  /// Number of the first block.
  package var start: Int
  /// 16 bytes a block.
  package var bytes: [UInt8]
  /// Write sector trailers and the blocks of the directory, too.
  package var force: Bool

  /// `start` is the first block; `bytes` are whole blocks of 16.
  public init(start: Int, bytes: [UInt8], force: Bool) {
    self.start = start
    self.bytes = bytes
    self.force = force
  }
}

/// Raw pages to write, one after the other.
public struct PageWrite: Hashable, Sendable {
  /// Number of the first page.
  package var start: Int
  /// Four bytes a page.
  package var bytes: [UInt8]
  /// Write pages, too, that hold the UID, lock bits, OTP or the capability container, or
  /// configuration.
  package var force: Bool

  /// `start` is the first page; `bytes` are whole pages of 4.
  public init(start: Int, bytes: [UInt8], force: Bool) {
    self.start = start
    self.bytes = bytes
    self.force = force
  }
}

/// What the operator knows of the tags' secrets.
public struct Credentials: Hashable, Sendable {
  /// MIFARE Classic keys to try besides the public ones.
  public var keys: [Key]
  /// Password of NTAG21x and Ultralight EV1, four bytes, or key of an Ultralight C or AES, 16.
  public var password: [UInt8]?
  /// What the password follows from, with each tag's UID, in its place.
  public var derivedPassword: DerivedPassword?
  /// The key that follows from it on a tag that has one in place of a password.
  private var derivedKey: [UInt8]?

  /// Keys of DESFire cards and applications, to try besides the delivered ones: 8, 16 or 24 bytes.
  public var cardKeys: [[UInt8]]

  /// Keys of a MIFARE Classic, the password of a Type 2 tag (4 bytes), keys of a DESFire.
  public init(keys: [Key] = [], password: [UInt8]? = nil, cardKeys: [[UInt8]] = []) {
    self.keys = keys
    self.password = password
    self.cardKeys = cardKeys
  }
}

extension Credentials {
  /// The same for the tag with `uid`.
  func resolved(for uid: UID) -> Credentials {
    guard let derivedPassword else { return self }
    var credentials = self
    credentials.password = derivedPassword.secrets(of: uid).password
    credentials.derivedKey = derivedPassword.key(of: uid)
    return credentials
  }

  /// What opens a tag of `product`; nil where none was given that has as many bytes as its own.
  func secret(for product: Product) -> [UInt8]? {
    guard let count = product.secretByteCount else { return nil }
    return [password, derivedKey].compactMap(\.self).first { $0.count == count }
  }
}

extension Job {
  /// The same with the passwords that follow from `uid`.
  func resolved(for uid: UID) -> Job {
    switch self {
    case .protect(let protection): return .protect(protection.resolved(for: uid))
    case .write(let message, var options):
      options.protection = options.protection?.resolved(for: uid)
      return .write(message, options)
    default: return self
    }
  }
}

/// What holds for every job of a run.
public struct RunOptions: Sendable {
  /// How long to wait for a tag; zero is one look.
  public var timeout = Duration.seconds(30)
  /// Survey and plan, write nothing.
  public var dryRun = false
  /// Keys and passwords that the tag may ask for.
  public var credentials = Credentials()
  /// Whether `info` asks the tag for its counters, too.
  package var readsCounters = false
  /// How long a tag that went away in the middle of a job may stay away before the job gives it up.
  public var patience = Duration.seconds(1)

  /// The product that the operator says every tag of the reel is; nil: not known. A survey may
  /// leave out questions whose answer follows from it, where a wrong answer is noticed before
  /// anything is written.
  public var expected: Product?
  /// Whether no job writes a tag that turns out to be another than `expected`; else it is treated
  /// as what it is.
  public var refusesOtherTypes = true

  /// Wait 30 s for a tag, and write.
  public init() {}
}
