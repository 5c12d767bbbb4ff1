import NDEF
import TagMemory

/// A job says what to do with the tag on the reader.
public enum Job: Hashable, Sendable {
  /// Everything that can be learnt of the tag.
  case info
  /// The message on it.
  case read
  /// Put a message on it, whatever its type; a blank tag is formatted on the way.
  case write(Message, WriteOptions = WriteOptions())
  /// Make a MIFARE Classic an NDEF tag.
  case formatClassic(ClassicFormat)
  /// Give a blank DESFire its NDEF application.
  case formatType4(Type4Format)
  /// Give a MIFARE Classic the keys and the empty memory it was delivered with; refused where it
  /// holds data that belong to no NDEF message.
  case resetClassic
  /// Give a MIFARE Classic the keys and the empty memory it was delivered with, whatever data it
  /// holds.
  case eraseClassic
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
  /// Puts an empty message on a tag, whatever its type; a blank tag is formatted on the way.
  package static func emptyMessage(_ options: WriteOptions) -> Job {
    var options = options
    options.encoding = []
    return .write(Message(.empty), options)
  }

  /// Is true if the job changes nothing on the tag.
  public var onlyLooks: Bool {
    switch self {
    case .info, .read, .dump: true
    default: false
    }
  }

  /// Is true if only a tag of type A can be meant: a MIFARE Classic, or one with pages.
  package var isForTypeA: Bool {
    switch self {
    case .formatClassic, .resetClassic, .eraseClassic, .writeBlocks, .writePages, .protect,
      .unprotect:
      true
    case .info, .read, .dump, .write, .formatType4, .formatFeliCa, .lock, .restore,
      .resetSDM:
      false
    }
  }

  /// Is true if it is for tags alone whose UID their maker has signed.
  var wantsGenuine: Bool {
    if case .write(_, let options) = self { options.mustBeGenuine } else { false }
  }

  /// Is true if it is for tags alone that hold no message.
  var sparesMessage: Bool {
    if case .write(_, let options) = self { options.sparesMessage } else { false }
  }

  /// What it makes a tag show of itself in its message; nil for nothing.
  var mirror: MessageMirror? {
    if case .write(_, let options) = self { options.mirror } else { nil }
  }

  /// Says whether it makes a tag prove itself, or ends that.
  var isAboutProofs: Bool {
    switch self {
    case .write(_, let options): options.personalisation != nil
    case .resetSDM: true
    default: false
    }
  }
}

/// A restore says what to write back, and how much of it.
public struct Restore: Hashable, Sendable {
  package var image: MemoryImage
  /// Write, too, what can shut the tag or never be undone: lock bits, capability container and
  /// configuration of a Type 2 tag, sector trailers that freeze a MIFARE Classic; and a message of
  /// which another tag had filled in a part.
  package var force: Bool
  /// Refuse a tag on which readers would not find the message that they find on the dump's.
  package var mustShowMessage = false
  /// What the dump's tag has counted, by the counter's number: no tag takes that.
  package var counters: [Int: Int] = [:]

  /// `force`: write also what can never be undone.
  public init(_ dump: TagDump, force: Bool = false) {
    self.init(dump.image, force: force)
    counters = dump.counters
  }

  /// `force`: write also what can never be undone.
  public init(_ image: MemoryImage, force: Bool = false) {
    self.image = image
    self.force = force
  }
}

extension Job {
  /// Returns this job with the passwords that follow from `uid`.
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
