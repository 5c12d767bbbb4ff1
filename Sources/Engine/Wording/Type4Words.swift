import Bytes
import TagMemory
import TagProgramming

extension Type4Cause {
  var sentence: String {
    switch self {
    case .noApplication(let product, let stranger?):
      "The card is \(stranger), of type \(product). It has no NDEF application, so nothing is written to it."
    case .noApplication(let product, nil):
      "The tag is of type \(product). It has no NDEF application, so nothing is written to it."
    case .notFormatted(let product):
      "This \(product) has no NDEF application yet."
    case .container(let fault): "The tag cannot be used for NDEF: \(fault)."
    case .unreadable(let status):
      "The tag refuses to show its capability container or its message (\(status))."
    case .readOnly: "The tag is read-only: its capability container does not allow writing."
    case .writeCondition(let access):
      "The message can be written only under a condition that the tag's maker has set (write access \(access))."
    case .writeNeedsKey(let product, let key?):
      "Only its key \(key) can change the message of this \(product)."
    case .writeNeedsKey(let product, nil):
      "The settings of this \(product) let nobody write its message."
    case .mirrorsCover(let mirrors):
      "The tag fills in \(SDMMirror.list(mirrors)) at each reading where this message would stand, so that nobody would read it as it is written."
    case .mirrorsUnknown:
      "The tag fills in something at each reading, and its settings do not tell where: it may be in the middle of this message."
    case .readCondition(let access):
      "The message can be read only under a condition that the tag's maker has set (read access \(access))."
    case .cannotLock(let product):
      "This program knows no command that locks this \(product): a reader must not change the write access in its capability container."
    case .lockNeedsKey(let product, let key?):
      "This \(product) needs its key \(key) to change who may write."
    case .lockNeedsKey(let product, nil):
      "This \(product) does not allow anyone to change who may write."
    case .passwordRefused(let product):
      "This \(product) cannot be locked: its write password is not the one it was delivered with."
    case .applicationKeyUnknown:
      "None of the keys opens the NDEF application: neither the given keys nor the key of delivery."
    case .filesUnknown:
      "The files of the application are not the files of a DESFire NDEF application."
    case .cannotFormat(let product):
      "The tag is of type \(product). Only a DESFire EV1, EV2 or EV3 can get an NDEF application from this program."
    case .masterKeyUnknown:
      "None of the keys opens the card: neither the given keys nor the key of delivery."
    case .foreignFile(let number):
      "The NDEF application holds file \(number), which does not belong there. This program does not delete it."
    case .notEnoughMemory(let free, let needed):
      "The card has \(free) bytes left; an NDEF application needs at least \(needed). This program never deletes an application."
    case .keyOfOtherKind:
      "The length of the new key differs from that of the application's keys: AES and two-key triple DES have 16 bytes, three-key triple DES 24."
    case .dumpOfOther: "The dump has no message file of a Type 4 tag."
    case .dumpMirrored:
      "The tag of the dump fills in a part of its message at each reading, as NTAG 424 DNA does for its proof. The dump holds what one reading showed: this tag would always show the same, and it proves nothing."
    case .dumpTooLarge(let count, let size):
      "The dump's message file holds \(counted(count, "byte")); the tag's file has \(size)."
    case .fileNotWritable(let file):
      "The tag has no \(file) that everyone may write, but the dump has different bytes for it."
    case .noProofs(let product):
      "The tag is of type \(product). Only an NTAG 424 DNA can prove itself by its message."
    case .template(let error): error.sentence
    case .keysUnknown(let numbers):
      "None of the keys that were given opens \(numbers.count == 1 ? "key" : "keys") \(numbers.map { "\($0)" }.joined(separator: ", ")) of the tag: neither the new keys nor the ones before."
    case .uidHidden:
      "The tag shows a random UID, and no key that is the same on all tags opens it, which would tell the true one."
    case .usesLRP:
      "The tag uses LRP in place of AES, which can never be undone, and the job is for AES."
    case .noTamperLoop(let product):
      "The tag is of type \(product), which has no tamper loop. Only an NTAG 424 DNA TagTamper can show {tt}."
    case .loopUnwatched:
      "The message shows the state of the tamper loop ({tt}), but this tag does not watch its loop yet."
    case .noPages(let product):
      "The tag is of type \(product), which has files, not pages or blocks."
    case .noPassword(let product):
      "A tag of type \(product) has no password that this program can set."
    }
  }
}
