import Bytes
import TagMemory
import TagProgramming

extension Cause {
  /// What happened: full sentences.
  package var sentence: String {
    switch self {
    case .noTagInTime: "No tag was presented in time."
    case .reader(let error): capitalized(error.words) + "."
    case .step(let failure): failure.sentence
    case .unsupportedProduct(let product):
      "The tag is of type \(product). This program cannot read it, so its content is not known."
    case .unidentified(let remark):
      "\(remark) This program cannot read it, so its content is not known."
    case .wrongKind(.classic, let tag): "The tag is of type \(tag), not a MIFARE Classic."
    case .wrongKind(.feliCaLite, let tag): "The tag is of type \(tag), not a FeliCa Lite or Lite-S."
    case .wrongKind(.desFire, let tag):
      "The tag is of type \(tag), not a DESFire EV1, EV2 or EV3."
    case .wrongKind(.pages, let tag): "The tag is of type \(tag), which has blocks and no pages."
    case .wrongKind(.blocks, let tag): "The tag is of type \(tag), which has pages and no blocks."
    case .wrongKind(.password, let tag): "A tag of type \(tag) has keys and no password."
    case .otherProduct(let found, let expected):
      "The tag is of type \(found), not \(expected), the type that was given."
    case .messageTooLong(let byteCount, let capacity, let tag, let canGrow):
      "The message has \(counted(byteCount, "byte")); this \(tag)\(canGrow ? " as it is formatted now" : "") takes \(capacity)."
    case .readOnly: "The tag is read-only."
    case .holdsMessage: "The tag holds a message, which is not to be replaced."
    case .unreadable(let obstacle): obstacle.sentence
    case .nothingToLock(let missing): "\(missing.sentence) A lock would make that permanent."
    case .notGenuine(let product, .none?):
      "The tag is not shown to be genuine: as a \(product) it should show its maker's signature, and shows none."
    case .notGenuine(let product, _?):
      "The tag is not genuine: no key of the maker of \(product) signed its UID."
    case .notGenuine(let product, nil):
      "The tag is not shown to be genuine: a tag of type \(product) has no signature that is known here."
    case .unwanted(let reason): "The link is not for this tag. \(reason)"
    case .leftAlone: "This tag is skipped."
    case .partOfMessage:
      "The dump does not hold all of its message; with what the tag holds, it would become another message."
    case .jobChanged(let line):
      "Line \(line) of the job list has changed since the journal took it, so the job's password cannot be read."
    case .dumpUnseen(let frame): frame.lack
    case .mistake(let mistake): mistake.sentence
    case .classic(let cause): cause.sentence
    case .type2(let cause): cause.sentence
    case .feliCa(let cause): cause.sentence
    case .type4(let cause): cause.sentence
    case .raw(let cause): cause.sentence
    }
  }
}

extension Cause.Mistake {
  fileprivate var sentence: String {
    switch self {
    case .notSurveyed: "The tag was not read for this job."
    case .notIdentified: "The tag was not identified."
    case .otherFamily: "The tag was identified as one of another family."
    case .undecodableJob: "The message that the job was reserved for cannot be decoded."
    }
  }
}

extension Cause.Missing {
  fileprivate var sentence: String {
    switch self {
    case .format: "The tag is not formatted for NDEF."
    case .readers(let obstacle): "Readers do not find the message: \(obstacle)."
    case .message: "The tag holds no message that can be read."
    case .wellFormedRecord(let number, let error):
      "Record \(number) of the message breaks the rules of its type (\(error))."
    }
  }
}
