import CardCrypto
import Readers
import TagMemory

extension TagWork {
  /// The 4-bit acknowledge of a MIFARE tag (MF0ICU1, 7.6).
  static let acknowledge: UInt8 = 0x0A

  /// A native command, with its CRC or without, and its answer. A tag's acknowledge is one byte,
  /// 0Ah.
  ///
  /// To a card that speaks ISO-DEP it goes as DESFire and Plus take it: wrapped, frames followed to
  /// the end; the answer is the status and the data.
  package func miFare(_ command: [UInt8]) throws(SessionError) -> [UInt8] {
    guard !command.isEmpty else { throw SessionError(.invalidParameterLength) }
    if tag.speaksISODEP { return try native(command) }
    let frame = Self.withoutCRC(command)
    try checkLength(frame)
    let answer = try attempt { () throws(ReaderError) in
      try reader.send(TagCommand(raw: frame, for: tag.target, inProtocol: false))
    }
    let isLogin = frame.count == 8 && (frame[0] == 0x60 || frame[0] == 0x61)
    return answer.isEmpty && !isLogin ? [Self.acknowledge] : answer
  }

  /// Bytes of the commands that have one length, without their CRC (MF0ICU2, 7.6; MF0ULx1, 10;
  /// NTAG213/215/216, 10).
  private static let byteCounts: [UInt8: Int] = [
    0x1A: 2, 0x1B: 5, 0x30: 2, 0x39: 2, 0x3A: 3, 0x3C: 2, 0x3E: 2, 0xA2: 6, 0xA5: 6,
  ]

  /// Apple asks for the CRC of an Ultralight's command, and most apps leave it out: both are
  /// understood. A password or a page may end like a CRC, so the command's length decides first.
  static func withoutCRC(_ command: [UInt8]) -> [UInt8] {
    let bare = command.dropLast(2)
    guard command.count > 2, byteCounts[command[0], default: bare.count] == bare.count,
      CRCA.bytes(of: bare) == Array(command.suffix(2))
    else { return command }
    return Array(bare)
  }

  private func checkLength(_ frame: [UInt8]) throws(SessionError) {
    guard frame.count <= reader.limit.command else { throw SessionError(.packetTooLong) }
  }

  // MARK: DESFire and Plus

  /// More frames follow (NT4H2421Gx, 10.4; DESFire).
  private static let moreFrames: UInt8 = 0xAF
  /// Commands whose next frame is the app's own: authentications, and what continues them.
  private static let halves: Set<UInt8> = [0x0A, 0x1A, 0xAA, 0x71, 0x77, moreFrames]

  private func native(_ command: [UInt8]) throws(SessionError) -> [UInt8] {
    let isWrapped = command[0] == 0x90 && command.count >= 5
    let wrapped: CommandAPDU
    if isWrapped {
      guard let apdu = try? CommandAPDU(parsing: command) else {
        throw SessionError(.invalidParameter, "It begins with 90h but is not a wrapped command.")
      }
      wrapped = apdu
    } else {
      guard command.count <= 256 else { throw SessionError(.packetTooLong) }
      wrapped = Self.wrapping(command[0], Array(command.dropFirst()))
    }
    var answer = try exchange(wrapped)
    var data = answer.data
    if !Self.halves.contains(wrapped.instruction) {
      while answer.status == StatusWord(0x91, Self.moreFrames), data.count < Self.longestAnswer {
        answer = try exchange(Self.wrapping(Self.moreFrames, []))
        data += answer.data
      }
    }
    return isWrapped ? data + [answer.status.sw1, answer.status.sw2] : [answer.status.sw2] + data
  }

  /// A card that never ends is left after more than any file has.
  private static let longestAnswer = 1 << 17

  private static func wrapping(_ code: UInt8, _ data: [UInt8]) -> CommandAPDU {
    CommandAPDU(0x90, code, 0x00, 0x00, data: data, expectedLength: 0x100)
  }

  // MARK: APDUs

  /// An APDU to a MIFARE DESFire or Plus. Fails with `invalidParameter` for any other tag.
  package func miFareAPDU(_ apdu: CommandAPDU) throws(SessionError) -> ResponseAPDU {
    guard tag.speaksISODEP else {
      throw SessionError(.invalidParameter, "Only MIFARE DESFire and Plus take APDUs.")
    }
    return try exchange(apdu)
  }

  /// An APDU to a smart card. In phone mode SELECT by name is for applications that the app
  /// declares.
  package func apdu(_ apdu: CommandAPDU) throws(SessionError) -> ResponseAPDU {
    let isSelectByName = apdu.instruction == 0xA4 && apdu.parameters.p1 == 0x04
    if settings.mode == .phone, settings.grants.isLimited, isSelectByName,
      !settings.grants.applicationIDs.contains(apdu.data)
    {
      settings.remark(.undeclaredApplication(apdu.data))
      throw SessionError(.securityViolation)
    }
    return try exchange(apdu)
  }

  private func exchange(_ apdu: CommandAPDU) throws(SessionError) -> ResponseAPDU {
    try checkLength(apdu.serialize())
    return try attempt { () throws(ReaderError) in try reader.transmit(apdu, following: false) }
  }
}
