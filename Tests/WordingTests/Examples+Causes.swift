import NDEF
import PN532
import Readers
import TagMemory

@testable import TagProgramming

extension Examples {
  static let general: [Cause] = [
    .noTagInTime, .reader(.boardSilent(reader: "pn532_uart:/dev/ttyUSB0")),
    .unsupportedProduct(.feliCa), .unidentified(remark: "It is a peer (NFC-DEP), not a tag."),
    .wrongKind(wanted: .classic, tag: "NTAG213"),
    .wrongKind(wanted: .feliCaLite, tag: "NTAG213"),
    .wrongKind(wanted: .desFire, tag: "NTAG213"),
    .wrongKind(wanted: .pages, tag: "MIFARE Classic 1K"),
    .wrongKind(wanted: .blocks, tag: "NTAG213"),
    .wrongKind(wanted: .password, tag: "MIFARE Classic 1K"),
    .otherProduct(found: .ntag215, expected: .ntag213),
    .messageTooLong(byteCount: 200, capacity: 137, tag: "NTAG213"),
    .messageTooLong(byteCount: 200, capacity: 46, tag: "MIFARE Classic 1K", canGrow: true),
    .readOnly,
    .unreadable(ReadObstacle(.pages(from: 8), .password)),
    .unreadable(ReadObstacle(.pages(from: 4), .unknown)),
    .unreadable(ReadObstacle(.sectors([1]), .sectorKey)),
    .unreadable(ReadObstacle(.sectors([0]), .publicKey)),
    .unreadable(ReadObstacle(.sectors([1, 2]), .keyB)),
    .unreadable(ReadObstacle(.sectors([1]), .nothing)),
    .unreadable(ReadObstacle(.blocks([1, 2]), .cardKey)),
    .unreadable(ReadObstacle(.file, .password, answer: "read access 80h")),
    .unreadable(ReadObstacle(.file, .nothing, answer: "read access FFh")),
    .unreadable(ReadObstacle(.pages(from: 4), .rights)),
    .nothingToLock(.format), .nothingToLock(.readers(ReadObstacle(.sectors([1]), .keyB))),
    .nothingToLock(.message), .holdsMessage,
    .nothingToLock(.wellFormedRecord(1, NDEFError(.missingMessageEnd, in: .payload, at: 5))),
    .notGenuine(.ntag213, OriginalitySignature.Verdict.none), .notGenuine(.ntag213, .notGenuine),
    .notGenuine(.ntag203, nil),
    .unwanted(reason: "https://example.com/t/04 wakes no app; it opens in the browser."),
    .leftAlone, .partOfMessage, .jobChanged(line: 5), .dumpUnseen(.capabilityContainer),
    .dumpUnseen(.directory), .dumpUnseen(.attributes), .mistake(.notSurveyed),
    .mistake(.notIdentified), .mistake(.otherFamily),
    .mistake(.undecodableJob),
  ]

  static let classic: [ClassicCause] = [
    .noSecondDirectory(.oneK),
    .foreignDirectory([1: MAD.AID(cluster: 0x48, application: 1), 5: .defect]),
    .directoryDestroyed(.mad), .destroyed([3]), .destroyed([1, 2, 3, 9]), .unopened([3]),
    .unopened([3, 7]), .unopened(Geometry.oneK.sectors.filter { $0 > 4 }),
    .frozen([2], .nfcReadOnly), .notChangeable([2]),
    .trailersNotTaken([1], opens: false), .trailersNotTaken([1, 2], opens: true), .notPublic([4]),
    .notPublic([4, 5]), .nothingToFormat(.mini), .othersBehind(5),
    .notBlank([20], isUnread: false),
    .foreignData([20], isUnread: false), .foreignData([64, 65, 80], isUnread: false),
    .foreignData([64, 65], isUnread: true),
    .notBlank([4, 5, 6, 8, 9, 10, 12, 13, 14], isUnread: false), .notBlank([4], isUnread: true),
    .messageNotShown(4), .messageOutgrowsArea(byteCount: 300, area: 96),
    .undecodableMessage(byteCount: 40), .dumpOfOtherType(byteCount: 4096, .oneK),
    .invalidAccessBits(7, isOfDump: true),
    .invalidAccessBits(7, isOfDump: false), .noWholeBlocks(byteCount: 20),
    .noSuchBlocks(first: 64, last: 64, .oneK), .noSuchBlocks(first: 60, last: 65, .oneK),
    .manufacturerBlock, .guardedBlock(1, []),
    .guardedBlock(
      7, [.accessBitsStay, .keysStay, .unreadable, .unwritable, .zeroKey(.a), .zeroKey(.b)]),
  ]

  static let type2: [Type2Cause] = {
    let container = CapabilityContainer(areaByteCount: 144)
    let reading = AccessProtection(auth0: 4, includesReading: true, pageCount: 45)
    let writing = AccessProtection(auth0: 4, includesReading: false, pageCount: 45)
    // Arrays of their own: one expression with all of them takes the compiler too long.
    let ofTag: [Type2Cause] = [
      .areaHoldsOther(nil), .othersBehind(9),
      .areaHoldsOther(TLVFault(offset: 0, kind: .unknownTag(TLV.Tag(rawValue: 0x77)))),
      .notBlank(5), .readOnly(CapabilityContainer(areaByteCount: 144, readOnly: true)),
      .closedToReading(container), .reservedAccess(container),
      .containerUnfit(
        found: container, wanted: CapabilityContainer(areaByteCount: 872), isOfDump: false),
      .containerUnfit(
        found: container, wanted: CapabilityContainer(areaByteCount: 872), isOfDump: true),
      .sizeIsGuess(.ntag213, byteCount: 144), .locked([5]), .locked([4, 5, 6, 9]), .pagesRefused,
      .pageDiffers(5, found: [0, 0, 0, 0], wanted: [1, 2, 3, 4]),
      .noLongerHeld(3, found: [0xE1, 16, 18, 0], wanted: [0xE1, 16, 18, 15]),
      .mirrored(bytes: nil, isFrozen: true), .mirrored(bytes: 4..<18, isFrozen: true),
      .mirrored(bytes: 4..<18, isFrozen: false), .mayBeMirrored(8),
      .noMirror(.uid, .ntag203), .noMirror(.uidAndCounter, .ntag212),
      .noMirror(.counter, .ntag213TT),
      .mirrorFrozen(.counter), .mirrorDivided,
    ]
    let ofProtection: [Type2Cause] = [
      .locksUnknown(.ntag213TT),
      .openForGood([4, 5]), .configurationFrozen(isOfDump: false),
      .configurationFrozen(isOfDump: true), .noPassword(.ultralight),
      .noSetting(.firstPage, .ultralightAES), .noSetting(.attemptLimit, .ultralightC),
      .noSetting(.readCounter, .ultralightEV1x11), .noSetting(.freeze, .ultralightC),
      .firstPageOutside(60, .ntag213, allowed: 2...39),
      .firstPageOutside(1, .ntag213, allowed: 2...39), .nothingProves(from: 5), .limitFrozen(3),
      .limitNotSaid(1), .passwordWithheld(limit: 2), .passwordWithheld(limit: nil),
      .secretLength(byteCount: 4, .ntag213),
      .secretLength(byteCount: 16, .ultralightC), .secretLength(byteCount: 16, .ultralightAES),
      .deliveredSecret(.ntag213), .deliveredSecret(.ultralightC), .passwordNotTried,
      .passwordRefused(count: 1, mayBeLost: true), .passwordRefused(count: 3, mayBeLost: false),
      .passwordRefusedBefore,
      .configurationHidden, .secureMessaging, .keyNeeded(nil), .noWholePages(byteCount: 6),
      .noSuchPages(first: 44, count: 4, .ntag213, pageCount: 45), .locksCloseEachOther(40),
      .dumpOfOtherType, .dumpOfOtherSize(pageCount: 135, .ntag213, chipPageCount: 45),
      .dumpMirrored(.uid), .dumpMirrored(.uidAndCounter), .mirrorsOverDump(.uid),
      .containerTooLarge(container, .ultralight, available: 48),
    ]
    let conditions: [AccessProtection] = [writing, reading].compactMap(\.self)
    let closed: [Type2Cause] = conditions.flatMap { (condition) -> [Type2Cause] in
      [.passwordNeeded(condition), .keyNeeded(condition)]
    }
    let guarded: [Type2Cause] = Type2Layout.Use.allCases.filter { $0 != .user }
      .map { Type2Cause.guardedPage(2, $0) }
    let unread: [Type2Cause] = Type2Cause.Part.allCases.map(Type2Cause.notRead)
    return ofTag + ofProtection + closed + guarded + unread
  }()

  static let feliCa: [FeliCaCause] = [
    .notFormatted, .notNDEF(.feliCaStandard), .closedWithoutNDEF, .readOnly, .locked([0]),
    .locked([1, 2, 5]), .cardKeyNeeded([0]), .cardKeyToRead([0, 1]), .openForGood([1, 2]),
    .notLockable(.feliCaStandard),
    .notBlank(3, declaresNDEF: false), .notBlank(3, declaresNDEF: true), .notRead,
    .dumpOfOtherType(.feliCaLite), .closed([0]), .closed([1, 2]), .notDumpable(.feliCaStandard),
    .blockDiffers(2, found: [0, 0], wanted: [1, 2]),
    .noPassword(.feliCaLite, hasCardKey: true), .noPassword(.feliCaStandard, hasCardKey: false),
    .otherFamily(.feliCaLite),
  ]

  static let type4: [Type4Cause] = [
    .noApplication(.type4, stranger: "a payment card"), .noApplication(.type4, stranger: nil),
    .notFormatted(.desFireEV2), .container(.version(0x90)), .unreadable(StatusWord(0x69, 0x82)),
    .readOnly, .writeCondition(FileControl.Access(0x80)), .readCondition(FileControl.Access(0x80)),
    .cannotLock(.type4), .writeNeedsKey(.ntag424, 0), .writeNeedsKey(.ntag424, nil),
    .lockNeedsKey(.ntag424, 0), .lockNeedsKey(.ntag424, nil), .passwordRefused(.st25TA02K),
    .applicationKeyUnknown, .filesUnknown, .cannotFormat(.ntag424), .masterKeyUnknown,
    .foreignFile(7), .notEnoughMemory(free: 100, needed: 288), .keyOfOtherKind, .dumpOfOther,
    .dumpMirrored, .dumpTooLarge(byteCount: 200, fileByteCount: 128),
    .fileNotWritable(.usualMessage),
    .noPages(.type4), .noPassword(.ntag424), .noProofs(.type4), .keysUnknown([0]),
    .keysUnknown([1, 2]), .uidHidden, .usesLRP, .noTamperLoop(.ntag424), .loopUnwatched,
    .template(.twice(.picc)),
    .template(.argument(.enc)),
    .template(.argument(.mac)), .template(.argument(.uid)), .template(.standInInText("nfcCTR")),
    .mirrorsCover([.uid, .counter, .mac]), .mirrorsUnknown,
    .template(.codeInputInScheme("https")), .template(.unverifiable), .template(.codeWithoutUID),
    .template(.standInLost(.picc)), .template(.noCodeInput), .template(.nothingMirrored),
    .template(.fault(.nothingMirrored)), .template(.fault(.noSuchKey(7))),
    .template(.fault(.plainAndEncrypted)), .template(.fault(.noPlace(.mac))),
    .template(.fault(.encryptedAlone)), .template(.fault(.encryptedLength(16))),
    .template(.fault(.codeInputTooLate)), .template(.fault(.codeBeforeEncrypted)),
    .template(.fault(.limit(0))), .template(.fault(.overlap(.uid, .mac))),
    .template(.fault(.outsideFile(.mac))), .template(.fault(.tamperInRoom)),
    .template(.fault(.noCounter)),
  ]

  static let raw: [RawCause] = [
    .interrupted(command: 2, count: 3), .noISODEP,
    .noStatus(command: 1, count: 1, byteCount: 1),
    .notCarried(
      command: 2, count: 3,
      reason: "an ACR122U carries at most 252 bytes to a tag, and the command has 255"),
    .noAnswer(command: 1, count: 3),
    .refused(command: 1, count: 1, .timeout),
    .flags(command: 1, count: 1, FeliCaStatus(0x01, 0xA8)),
    .status(command: 2, count: 3, StatusWord(0x6A, 0x82)),
  ]

  static let steps: [StepFailure] = {
    let write = TagProgram.Step(.write([1, 2, 3, 4], .content), at: .page(5))
    let update = TagProgram.Step(
      .write([0, 0], .switchOff), at: .file(id: FileID.usualMessage.rawValue, offset: 0))
    let check = TagProgram.Step(.check([1, 2, 3, 4]), at: .page(5))
    let open = TagProgram.Step(.authenticate(.key(KeyCandidate(.a, .nfc))), at: .sector(1))
    let enter = TagProgram.Step(
      .authenticate(.password([1, 2, 3, 4], pack: [0, 0])), at: .tag)
    let refusal = TagProgram.Step(.checkRefusal([1, 2, 3, 4]), at: .page(4))
    let failed: [(TagProgram.Step, StepFailure.Trouble)] = [
      (write, .stopped),
      (write, .reader(.tagLost(expected: UID([4, 1, 2, 3, 4, 5, 6]), found: nil))),
      (open, .keyRefused), (open, .newKeyUnknown(7)), (enter, .newPasswordUnknown(.page(43))),
      (enter, .otherAcknowledge(.page(44))), (refusal, .passwordIgnored),
      (write, .writeRefused(.exchangeFailed(.timeout))),
      (write, .repairRefused(.page(5), .feliCaStatus(0xA1, 0x70))),
      (check, .pageDiffers(5, found: [0, 0, 0, 0], wanted: [1, 2, 3, 4])), (check, .pagesMissing),
      (check, .differs),
      (update, .answered(StatusWord(0x69, 0x82))),
      (update, .repairAnswered(update.place, StatusWord(0x65, 0x81))),
    ]
    return failed.map { StepFailure(step: $0, number: 4, count: 8, trouble: $1) }
  }()
}
