/// How much passes a reader in one exchange between host and tag: what is longer is lost on the
/// way, which looks like a bad cable.
package struct ExchangeLimit: Hashable, Sendable {
  /// What texts call the kind of reader: `a PN532`.
  package let reader: String
  /// The most bytes of a command to the tag, with what addressing adds to it.
  package let command: Int
  /// The most bytes of a tag's answer in one frame.
  package let answer: Int
  /// Is true if a card's longer answer comes in several frames (UM0701-02, 7.3.8: status, bit 6).
  package let joinsAnswers: Bool

  private init(_ reader: String, command: Int, answer: Int, joinsAnswers: Bool) {
    (self.reader, self.command, self.answer) = (reader, command, answer)
    self.joinsAnswers = joinsAnswers
  }

  /// UM0701-02, 7.3.8: InDataExchange takes 262 bytes with its target number, and gives as many.
  package static let pn532 = ExchangeLimit(
    "a PN532", command: 261, answer: 262, joinsAnswers: true)

  /// A PN533's firmware has the limits of a PN532 (libnfc 1.8.0, chips/pn53x.h: frames of 264
  /// bytes).
  package static let pn533 = ExchangeLimit(
    "a PN533", command: 261, answer: 262, joinsAnswers: true)

  /// A pseudo-APDU around each of the chip's commands carries 255 bytes: D4, the command's code and
  /// the target number before what goes to the tag; D5, a code, a status and 9000 around what comes
  /// from it (ACS, ACR122U API, 2.04, 6.1; libnfc 1.8.0, drivers/acr122_usb.c).
  package static let acr122u = ExchangeLimit(
    "an ACR122U", command: 252, answer: 250, joinsAnswers: false)
}

extension ExchangeLimit {
  /// What does not pass: a clause without its full stop.
  package struct Excess: Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Why a command of `command` bytes that asks a tag for `answer` bytes (nil: nobody can say) does
  /// not pass; nil where nothing speaks against it. `isAPDU`: a card answers.
  package func excess(command count: Int, answer wanted: Int?, isAPDU: Bool) -> Excess? {
    if count > command {
      return Excess(
        description:
          "\(reader) carries at most \(command) bytes to a tag, and the command has \(count)")
    }
    let most = isAPDU && joinsAnswers ? Self.longestResponse : answer
    if let wanted, wanted > most {
      return Excess(
        description:
          "\(reader) carries at most \(most) bytes from a tag, and the command asks for \(wanted)")
    }
    return nil
  }

  /// Of an APDU with extended length, its status word included (ISO/IEC 7816-4, 5.1).
  private static let longestResponse = 65_538

  /// How many FeliCa blocks of 16 bytes one command reads at most: length, code, IDm, two status
  /// flags and their number come with them (JIS X 6319-4).
  package var feliCaReads: Int { min(15, (answer - 13) / 16) }

  /// How many it writes at most: length, code, IDm, one service, their number, and up to three
  /// bytes of the block list for each.
  package var feliCaWrites: Int { min(13, (command - 14) / 19) }
}
