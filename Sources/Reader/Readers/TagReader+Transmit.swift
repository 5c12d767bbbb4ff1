import PN532
import TagMemory

extension TagReader {
  /// The most bytes of a command that any reader carries.
  package static let longestCommand = ExchangeLimit.pn532.command

  /// Is true if the selected tag speaks ISO-DEP (ISO/IEC 14443-4), and so takes APDUs.
  package var speaksISODEP: Bool { isInProtocol }

  /// Sends an APDU and returns the card's answer, once; in one exchange. With
  /// `following`, 61xx is followed by GET RESPONSE until all is there, and 6Cxx by the same command
  /// with the Le that the card wants (ISO/IEC 7816-4, 5.3.4).
  public func transmit(_ apdu: CommandAPDU, following: Bool) throws(ReaderError) -> ResponseAPDU {
    var response = try transmit(apdu)
    guard following else { return response }
    if let length = response.status.wantedLength {
      var again = apdu
      again.expectedLength = part(length)
      response = try transmit(again)
    }
    // A card that never ends is left after more than any answer has.
    for _ in 0..<Self.mostParts {
      guard let length = response.status.waitingLength else { break }
      let rest = try transmit(
        CommandAPDU(apdu.instructionClass, 0xC0, 0, 0, expectedLength: part(length)))
      response = ResponseAPDU(data: response.data + rest.data, status: rest.status)
    }
    return response
  }

  private static let mostParts = 256

  /// As much of an answer of `length` bytes as the reader carries; what is left is asked for next.
  private func part(_ length: Int) -> Int {
    limit.joinsAnswers ? length : min(length, limit.answer - 2)
  }

  private func transmit(_ apdu: CommandAPDU) throws(ReaderError) -> ResponseAPDU {
    let answer = try send(.apdu(apdu))
    guard let response = ResponseAPDU(parsing: answer) else {
      throw .wrongAnswerLength(expected: 2, received: answer.count)
    }
    return response
  }

  /// Why such a command to the selected tag does not pass the reader; nil where nothing speaks
  /// against it.
  package func excess(ofRaw command: [UInt8]) -> ExchangeLimit.Excess? {
    TagCommand(raw: command, for: target, inProtocol: isInProtocol).excess(over: limit)
  }

  /// Sends a command as a user types it, once, and returns the answer: the tag's own command, its
  /// code first, without CRC. A MIFARE Classic authentication is 60h or 61h, the block and the key;
  /// the UID is added. A FeliCa command may leave out its length, and its IDm with it.
  public func transceive(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
    try send(TagCommand(raw: command, for: target, inProtocol: isInProtocol))
  }
}
