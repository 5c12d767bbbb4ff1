import TagMemory

extension TagReader {
  /// The most bytes of a command that InDataExchange takes (UM0701-02, 7.3.8: 262 with its target number).
  public static let longestCommand = 261

  /// Whether the selected tag speaks ISO-DEP (ISO/IEC 14443-4), and so takes APDUs.
  public var speaksISODEP: Bool { isInProtocol }

  /// Sends an APDU and returns the card's answer, once; at most `longestCommand` bytes. With `following`, 61xx is followed by
  /// GET RESPONSE until all is there, and 6Cxx by the same command with the Le that the card wants (ISO/IEC 7816-4, 5.3.4).
  public func transmit(_ apdu: CommandAPDU, following: Bool) throws(ReaderError) -> ResponseAPDU {
    var response = try transmit(apdu)
    guard following else { return response }
    if let length = response.status.wantedLength {
      var again = apdu
      again.expectedLength = length
      response = try transmit(again)
    }
    // A card that never ends is left after more than any answer has.
    for _ in 0..<Self.mostParts {
      guard let length = response.status.waitingLength else { break }
      let rest = try transmit(
        CommandAPDU(apdu.instructionClass, 0xC0, 0, 0, expectedLength: length))
      response = ResponseAPDU(data: response.data + rest.data, status: rest.status)
    }
    return response
  }

  private static let mostParts = 256

  private func transmit(_ apdu: CommandAPDU) throws(ReaderError) -> ResponseAPDU {
    let answer = try exchange(apdu.serialize())
    guard let response = ResponseAPDU(parsing: answer) else {
      throw .wrongAnswerLength(expected: 2, received: answer.count)
    }
    return response
  }

  /// Sends a tag's own command and returns its answer, once.
  ///
  /// InDataExchange knows the MIFARE commands and takes their 4-bit acknowledges (UM0701-02, 7.3.8); any other command goes to the
  /// tag as it is, through InCommunicateThru, which hands out whole bytes with a CRC only. MIFARE Classic
  /// authentication is 60h or 61h, the block and the key; the UID is added. A card that speaks ISO-DEP gets
  /// every command in its protocol.
  public func transceive(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
    guard let code = command.first, !isInProtocol else { return try exchange(command) }
    switch (code, command.count) {
    case (0x60, 8), (0x61, 8):
      let uid = target?.uid.bytes.suffix(4) ?? []
      return try exchange(command + uid)
    case (0x30, 2), (0xA0, 18), (0xA2, 6), (0xB0, 2), (0xC0, _), (0xC1, _), (0xC2, _):
      return try exchange(command)
    default: return try communicate(command)
    }
  }
}
