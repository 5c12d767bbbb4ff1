import TagMemory

/// What is wrong with a tag's memory, and with a command.
extension ErrorTexts {
  private static let memory: KeyValuePairs<String, TagMemoryError> = [
    "wrongLength": .wrongLength(format: "a sector trailer", expected: 16, found: 4),
    "messageTooLong": .messageTooLong(byteCount: 200, capacity: 137),
    "noRoomForMessage": .noRoomForMessage(area: 6, leading: 5),
    "accessBitsDisagree": .accessBitsDisagree([0xFF, 7, 0x81]),
    "madChecksum": .madChecksum(.mad, stored: 0x12, computed: 0x34),
  ]

  private static let tlv: KeyValuePairs<String, TLVFault.Kind> = [
    "lengthMissing": .lengthMissing(.ndefMessage),
    "lengthReserved": .lengthReserved(.ndefMessage),
    "beyondArea": .beyondArea(.ndefMessage, length: 200, room: 100),
    "longForm": .longForm(.ndefMessage, length: 20),
    "controlLength": .controlLength(.lockControl, length: 2),
    "controlAfterMessage": .controlAfterMessage(.lockControl),
    "secondMessage": .secondMessage,
    "unknownTag": .unknownTag(TLV.Tag(rawValue: 0x77)),
    "bareRecord": .bareRecord(length: 19),
    "terminatorMissing": .terminatorMissing,
  ]

  private static let container = CapabilityContainer(areaByteCount: 144)

  private static let type2: KeyValuePairs<String, Type2Fault> = [
    "containerBlank": .containerBlank,
    "containerForeign": .containerForeign(container),
    "containerSpoilt": .containerSpoilt(container),
    "areaBeyondMemory": .areaBeyondMemory(claimed: 872, available: 144),
    "areaEmpty": .areaEmpty,
    "readAccess": .readAccess(.reserved(1)),
    "writeAccess": .writeAccess(.proprietary(8)),
    "lockedPages": .lockedPages([4, 5, 6]),
    "passwordNeeded": .passwordNeeded(
      AccessProtection(auth0: 4, includesReading: false, pageCount: 45)!),
    "lockControlWrong": .lockControlWrong(
      offset: 0, found: LockControl(byteAddress: 160, bitCount: 12, bytesPerBit: 8)!, right: nil),
    "messageMissing": .messageMissing,
    "messageGarbled": .messageGarbled,
    "tlv": .tlv(TLVFault(offset: 0, kind: .secondMessage)),
  ]

  private static let capability: KeyValuePairs<String, CapabilityError> = [
    "tooShort": .tooShort(7),
    "lengthReserved": .lengthReserved(5),
    "version": .version(0x90),
    "readsNothing": .readsNothing,
    "messageMissing": .messageMissing(5),
    "fileReserved": .fileReserved(.usualMessage),
    "fileSize": .fileSize(1),
    "controlLength": .controlLength(4, 3),
    "controlCutShort": .controlCutShort(4),
    "readsFew": .readsFew(4),
    "writesFew": .writesFew(4),
    "longFile": .longFile(0x20),
    "readAccess": .readAccess(FileControl.Access(0x80)),
    "writeAccess": .writeAccess(FileControl.Access(0x80)),
    "secondMessage": .secondMessage(.usualMessage),
    "unknownControl": .unknownControl(9),
  ]

  private static let attribute: KeyValuePairs<String, AttributeError> = [
    "size": .size(4),
    "blank": .blank,
    "checksum": .checksum(stored: 0x1234, computed: 0x5678),
    "version": .version(0x20),
    "noRead": .noRead,
    "noWrite": .noWrite,
    "noRoom": .noRoom,
    "beyondMemory": .beyondMemory(claimed: 20, available: 13),
    "reserved": .reserved([0, 1, 0, 0]),
    "beingWritten": .beingWritten,
    "writeFlag": .writeFlag(5),
    "accessFlag": .accessFlag(5),
    "length": .length(300, capacity: 208),
  ]

  private static let type3: KeyValuePairs<String, Type3Fault> = [
    "attribute": .attribute(.blank),
    "notNDEF": .notNDEF,
    "lockedBlocks": .lockedBlocks([1, 2]),
    "keyToWrite": .keyToWrite(block: 1),
    "keyToRead": .keyToRead(block: 1),
  ]

  private static let apdu: KeyValuePairs<String, APDUError> = [
    "tooShort": .tooShort(3),
    "lengthCutShort": .lengthCutShort,
    "noData": .noData,
    "wrongLength": .wrongLength(declared: 5, present: 3),
  ]

  private static let mirror: KeyValuePairs<String, MirrorTemplateError> = [
    "several": .several,
    "unknown": .unknown("date"),
    "placeholderInText": .placeholderInText("00000000000000"),
  ]

  static let tagFaults: [ErrorTexts] = [
    ErrorTexts("TagMemoryError", "TagMemory/TagMemoryError.swift", memory),
    ErrorTexts("Kind", "TagMemory/TLVFault.swift", in: "TLVFault", tlv),
    ErrorTexts("Type2Fault", "TagMemory/Type2/Type2Fault.swift", type2),
    ErrorTexts("CapabilityError", "TagMemory/Type4/CapabilityError.swift", capability),
    ErrorTexts("AttributeError", "TagMemory/Type3/AttributeError.swift", attribute),
    ErrorTexts("Type3Fault", "TagMemory/Type3/Type3NDEF.swift", type3),
    ErrorTexts("APDUError", "TagMemory/Type4/CommandAPDU.swift", apdu),
    ErrorTexts("MirrorTemplateError", "TagMemory/Type2/MirrorTemplate.swift", mirror) {
      $0.sentence
    },
  ]
}
