import LibNFCReaders
import PN532
import Readers
import TagMemory

@testable import Bytes

/// Errors between the host and a tag.
extension ErrorTexts {
  private static let port = "pn532_uart:/dev/ttyUSB0"
  private static let uid = UID([4, 1, 2, 3, 4, 5, 6])
  private static let otherUID = UID([4, 1, 2, 3, 4, 5, 7])

  private static let reader: KeyValuePairs<String, ReaderError> = [
    "cannotOpen": .cannotOpen(reader: port, reason: "permission is denied"),
    "busy": .busy(reader: port, holder: "gpsd (process 211)"),
    "busy": .busy(reader: port, holder: nil),
    "boardSilent": .boardSilent(reader: port),
    "boardLost": .boardLost(reader: port),
    "agentLost": .agentLost(reader: port),
    "boardGarbled": .boardGarbled(reader: port),
    "boardRefused": .boardRefused(reader: port),
    "interrupted": .interrupted,
    "notCarried": .notCarried(
      reader: "acr122_usb:001:004",
      reason: "an ACR122U carries at most 250 bytes from a tag, and the command asks for 260"),
    "notRecorded": .notRecorded(
      command: "4001a20503030303",
      place:
        "it changes the tag, and was not sent there; exchange 17 of the trace, line 19, is 4001a20403030303"
    ),
    "noTag": .noTag,
    "severalTags": .severalTags([uid, otherUID]),
    "tagLost": .tagLost(expected: uid, found: nil),
    "tagLost": .tagLost(expected: uid, found: otherUID),
    "tagLost": .tagLost(expected: UID([8, 1, 2, 3]), found: UID([8, 4, 5, 6])),
    "exchangeFailed": .exchangeFailed(.timeout),
    "feliCaStatus": .feliCaStatus(0xFF, 0xA5),
    "wrongAnswerLength": .wrongAnswerLength(expected: 16, received: 4),
    "wrongAnswerLength": .wrongAnswerLength(expected: 0, received: 4),
  ]

  private static let obstacle: KeyValuePairs<String, Obstacle> = [
    "noPermission": .noPermission(path: "/dev/ttyUSB0", group: "dialout"),
    "noPermission": .noPermission(path: "/dev/bus/usb/001/004", group: nil),
    "loginAgain": .loginAgain(path: "/dev/ttyUSB0", group: "dialout"),
    "held": .held(by: "process 4711 (pcscd)"),
    "held": .held(by: "process 4711 (minicom)"),
    "kernelDriver": .kernelDriver("pn533_usb"),
    "noPort": .noPort(.ftdi, takenBy: nil),
    "noPort": .noPort(.ch34x, takenBy: "brltty"),
    "noUSB": .noUSB,
    "silent": .silent,
    "takesNothing": .takesNothing,
    "onlyAcknowledges": .onlyAcknowledges(overUSB: false),
    "onlyAcknowledges": .onlyAcknowledges(overUSB: true),
    "noise": .noise,
    "echo": .echo,
    "refusesSAM": .refusesSAM,
    "stuck": .stuck(bitsPerSecond: 115_200),
    "lostAt": .lostAt(bitsPerSecond: 1_288_000),
    "wrongChip": .wrongChip("a PN531"),
    "halfDead": .halfDead("its ROM test fails"),
    "unchecked": .unchecked(connection: "pn532_i2c:/dev/i2c-1"),
    "other": .other("libnfc does not start"),
  ]

  private static let frame: KeyValuePairs<String, FrameFault> = [
    "lengthChecksum": .lengthChecksum(header: [0, 0xFF, 5, 0xFA]),
    "length": .length(300),
    "dataChecksum": .dataChecksum(content: [0xD5, 3], received: 0x12),
    "identifier": .identifier(content: [0xD6]),
  ]

  private static let response: KeyValuePairs<String, ResponseError> = [
    "truncated": .truncated(
      what: "the list of tags", ByteReaderError(offset: 3, wanted: 4, available: 1)),
    "trailing": .trailing(what: "the list of tags", offset: 9, count: 2),
    "invalid": .invalid(what: "the list of tags", offset: 0, value: 9),
  ]

  private static let hex: KeyValuePairs<String, HexError> = [
    "notADigit": .notADigit("G"),
    "oddDigitCount": .oddDigitCount,
    "splitByte": .splitByte,
  ]

  static let readers: [ErrorTexts] = [
    ErrorTexts("ReaderError", "Readers/ReaderError.swift", reader),
    ErrorTexts("Obstacle", "LibNFCReaders/Obstacle.swift", obstacle),
    ErrorTexts("FrameFault", "PN532/FrameFault.swift", frame),
    ErrorTexts("ResponseError", "PN532/ResponseError.swift", response),
    ErrorTexts("HexError", "Bytes/Hex.swift", hex),
  ]
}
