import NDEF

/// What is wrong with a message or a record.
extension ErrorTexts {
  private static let message: KeyValuePairs<String, NDEFError.Fault> = [
    "emptyMessage": .emptyMessage,
    "truncated": .truncated(.payload, wanted: 4, available: 1),
    "missingMessageBegin": .missingMessageBegin,
    "repeatedMessageBegin": .repeatedMessageBegin,
    "missingMessageEnd": .missingMessageEnd,
    "trailingBytes": .trailingBytes(count: 2),
    "emptyRecordNotEmpty": .emptyRecordNotEmpty,
    "unknownRecordHasType": .unknownRecordHasType,
    "missingType": .missingType(.media),
    "unprintableType": .unprintableType(byte: 7),
    "tooLong": .tooLong(.type, count: 300, limit: 255),
    "unwritableFormat": .unwritableFormat(.unchanged),
    "unchangedOutsideChunks": .unchangedOutsideChunks,
    "chunksInterrupted": .chunksInterrupted,
    "chunksUnfinished": .chunksUnfinished,
    "messageEndInsideChunks": .messageEndInsideChunks,
    "chunkHasType": .chunkHasType,
    "chunkHasID": .chunkHasID,
    "chunkedEmptyRecord": .chunkedEmptyRecord,
  ]

  private static let payload: KeyValuePairs<String, NDEFError.Fault> = [
    "otherType": .otherType(expected: "a Text record"),
    "shortPayload": .shortPayload(of: "URI prefix code", wanted: 1, available: 0),
    "wrongSize": .wrongSize(of: "Smart Poster action", count: 2, expected: 1),
    "invalidUTF8": .invalidUTF8,
    "invalidUTF16": .invalidUTF16,
    "controlCharacter": .controlCharacter(7),
    "emptyURI": .emptyURI,
    "missingScheme": .missingScheme,
    "invalidAddress": .invalidAddress("example.com", reason: "it has no scheme"),
    "reservedURIPrefix": .reservedURIPrefix(0x24),
    "reservedTextStatus": .reservedTextStatus(0x42),
    "invalidLanguage": .invalidLanguage("d e"),
    "smartPosterURICount": .smartPosterURICount(0),
    "smartPosterURICount": .smartPosterURICount(2),
    "repeatedTitle": .repeatedTitle(language: "en"),
    "repeatedRecord": .repeatedRecord(type: "act"),
    "reservedAction": .reservedAction(3),
    "nested": .nested(position: 1, NDEFError(.emptyURI, in: .payload)),
    "invalidMediaType": .invalidMediaType("text"),
    "invalidIcon": .invalidIcon(type: "text/plain"),
    "invalidExternalType": .invalidExternalType("a b"),
    "invalidPackageName": .invalidPackageName("com"),
    "vCardBegin": .vCardBegin,
    "vCardEnd": .vCardEnd,
    "missingAttribute": .missingAttribute(name: "network key"),
    "ssidLength": .ssidLength(33),
    "networkKey": .networkKey(length: 3),
  ]

  static let messages: [ErrorTexts] = [
    ErrorTexts("Fault", "NDEF/Fault.swift", in: "NDEFError, messages and chunks", message),
    ErrorTexts("Fault", "NDEF/Fault.swift", in: "NDEFError, payloads", payload),
  ]
}
