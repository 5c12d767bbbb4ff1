import TagMemory

extension TagReader {
  /// The most bytes of a command that InDataExchange takes (UM0701-02, 7.3.8: 262 with its target
  /// number).
  package static let longestCommand = 261

  /// Whether the selected tag speaks ISO-DEP (ISO/IEC 14443-4), and so takes APDUs.
  package var speaksISODEP: Bool { isInProtocol }

  /// Sends an APDU and returns the card's answer, once; at most `longestCommand` bytes. With
  /// `following`, 61xx is followed by GET RESPONSE until all is there, and 6Cxx by the same command
  /// with the Le that the card wants (ISO/IEC 7816-4, 5.3.4).
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
    let answer = try send(.apdu(apdu))
    guard let response = ResponseAPDU(parsing: answer) else {
      throw .wrongAnswerLength(expected: 2, received: answer.count)
    }
    return response
  }

  /// Sends a command that a user typed, as `TagCommand.init(raw:for:inProtocol:)` understands it,
  /// and returns the answer, once.
  public func transceive(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
    try send(TagCommand(raw: command, for: target, inProtocol: isInProtocol))
  }
}
