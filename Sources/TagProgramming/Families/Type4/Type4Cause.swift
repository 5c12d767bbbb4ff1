import TagMemory

/// What kept a job from ending as wanted on a tag that speaks ISO-DEP.
enum Type4Cause: Hashable, Sendable {
  /// The card has no NDEF application; what it is, where that was found out.
  case noApplication(Product, stranger: String?)
  /// A blank DESFire, which is formatted first.
  case notFormatted(Product)
  /// The tag has an NDEF application, whose capability container cannot be used.
  case container(CapabilityFault)
  /// The tag refuses to show its capability container or its message.
  case unreadable(StatusWord)
  /// The tag says that nobody may write its message.
  case readOnly
  /// Only whoever fulfils a condition of the maker's may write.
  case writeCondition(FileControl.Access)
  /// Only whoever fulfils a condition of the maker's may read.
  case readCondition(FileControl.Access)

  /// The chip has no command that locks it, or none that is known here.
  case cannotLock(Product)
  /// Only whoever knows this key of an NTAG 424 DNA may change who writes; nil: nobody may.
  case lockNeedsKey(Product, UInt8?)
  /// The write password of an ST25TA is not the delivered one, or was refused before.
  case passwordRefused(Product)
  /// None of the keys given, and not the delivered one either, opens the application.
  case applicationKeyUnknown
  /// A DESFire's files are not those of an application for NDEF.
  case filesUnknown

  /// This product is formatted from the start, or never for NDEF.
  case cannotFormat(Product)
  /// None of the keys given, and not the delivered one either, opens the card.
  case masterKeyUnknown
  /// The application holds a file that an NDEF application does not have.
  case foreignFile(UInt8)
  /// The card has so many free bytes, and needs so many.
  case notEnoughMemory(free: Int, needed: Int)
  /// The new key is for another cipher than the application has.
  case keyOfOtherKind

  /// The dump is of another kind of tag, or of a file that the tag does not have.
  case dumpOfOther
  /// The dump's message file is larger than the tag's.
  case dumpTooLarge(byteCount: Int, fileByteCount: Int)
  /// A file of the dump cannot be written to this tag.
  case fileNotWritable(FileID)

  var kind: ProgramFailure.Kind {
    switch self {
    case .cannotFormat, .keyOfOtherKind, .dumpOfOther, .dumpTooLarge, .notEnoughMemory: .badInput
    default: .refused
    }
  }
}

extension Type4Cause {
  var sentence: String {
    switch self {
    case .noApplication(let product, let stranger?):
      "The card is \(stranger) (\(product.displayName)). It has no NDEF application, and nothing is written to it."
    case .noApplication(let product, nil):
      "The tag is of type \(product.displayName). It has no NDEF application, and nothing is written to it."
    case .notFormatted(let product):
      "This \(product.displayName) has no NDEF application yet."
    case .container(let fault): "The tag cannot be used for NDEF: \(fault)."
    case .unreadable(let status):
      "The tag refuses to show its capability container or its message (\(status))."
    case .readOnly: "The tag is read-only: its capability container says that nobody may write."
    case .writeCondition(let access):
      "The tag lets its message be written only under a condition of its maker's (write access \(access))."
    case .readCondition(let access):
      "The tag lets its message be read only under a condition of its maker's (read access \(access))."
    case .cannotLock(let product):
      "No command is known that locks this \(product.displayName): a reader must not set the write access of its capability container itself."
    case .lockNeedsKey(let product, let key?):
      "This \(product.displayName) lets only the holder of its key \(key) change who may write. This program does not use the keys of this chip."
    case .lockNeedsKey(let product, nil):
      "This \(product.displayName) lets nobody change who may write."
    case .passwordRefused(let product):
      "This \(product.displayName) cannot be locked: its write password is not the delivered one."
    case .applicationKeyUnknown:
      "None of the keys opens the NDEF application: neither those that were given nor the delivered one."
    case .filesUnknown:
      "The files of the application are not those that an NDEF application of a DESFire has."
    case .cannotFormat(let product):
      "The tag is of type \(product.displayName). Only a DESFire EV1, EV2 or EV3 gets an NDEF application here."
    case .masterKeyUnknown:
      "None of the keys opens the card: neither those that were given nor the delivered one."
    case .foreignFile(let number):
      "The NDEF application holds file \(number), which does not belong there. Nothing of it is deleted."
    case .notEnoughMemory(let free, let needed):
      "The card has \(free) bytes left; an NDEF application needs at least \(needed). Applications that are on the card are never deleted."
    case .keyOfOtherKind:
      "The new key has another length than the application's keys: AES and two-key triple DES have 16 bytes, three-key triple DES 24."
    case .dumpOfOther: "The dump holds no message file of a Type 4 tag."
    case .dumpTooLarge(let count, let size):
      "The dump's message file holds \(count) bytes; the tag's file has \(size)."
    case .fileNotWritable(let file):
      "The tag has no \(file) that everyone may write, and the dump has other bytes for it."
    }
  }
}
