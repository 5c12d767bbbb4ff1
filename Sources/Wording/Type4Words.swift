import TagMemory
import TagProgramming

extension Type4Cause {
  var sentence: String {
    switch self {
    case .noApplication(let product, let stranger?):
      "The card is \(stranger), of type \(product). It has no NDEF application, and nothing is written to it."
    case .noApplication(let product, nil):
      "The tag is of type \(product). It has no NDEF application, and nothing is written to it."
    case .notFormatted(let product):
      "This \(product) has no NDEF application yet."
    case .container(let fault): "The tag cannot be used for NDEF: \(fault)."
    case .unreadable(let status):
      "The tag refuses to show its capability container or its message (\(status))."
    case .readOnly: "The tag is read-only: its capability container says that nobody may write."
    case .writeCondition(let access):
      "The tag lets its message be written only under a condition of its maker's (write access \(access))."
    case .readCondition(let access):
      "The tag lets its message be read only under a condition of its maker's (read access \(access))."
    case .cannotLock(let product):
      "No command is known that locks this \(product): a reader must not set the write access of its capability container itself."
    case .lockNeedsKey(let product, let key?):
      "This \(product) lets only the holder of its key \(key) change who may write. This program does not use the keys of this chip."
    case .lockNeedsKey(let product, nil):
      "This \(product) lets nobody change who may write."
    case .passwordRefused(let product):
      "This \(product) cannot be locked: its write password is not the delivered one."
    case .applicationKeyUnknown:
      "None of the keys opens the NDEF application: neither those that were given nor the delivered one."
    case .filesUnknown:
      "The files of the application are not those that an NDEF application of a DESFire has."
    case .cannotFormat(let product):
      "The tag is of type \(product). Only a DESFire EV1, EV2 or EV3 gets an NDEF application here."
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
    case .noPages(let product):
      "The tag is of type \(product), which has files, and neither pages nor blocks."
    case .noPassword(let product): "A tag of type \(product) has no password that can be set here."
    }
  }
}
