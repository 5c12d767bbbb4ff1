import PN532
import TagMemory

extension TagReader {
  /// Sends a tag command and returns the tag's answer, without what addressing puts around it.
  ///
  /// Wakes the tag first where the command goes through InCommunicateThru and the chip's last look
  /// left the tag in HALT. Throws `exchangeFailed` with the chip's status (a tag's 4-bit NAK
  /// arrives as one of those), `feliCaStatus` with a FeliCa tag's flags, and `wrongAnswerLength`.
  /// Repeats once what may be repeated when the line loses it.
  package func send(_ command: TagCommand) throws(ReaderError) -> [UInt8] {
    if command.way == .thru { try wakeForThru() }
    let timeout = isInProtocol ? Allowance.isoDEP : Allowance.command
    var part = try checked(try perform(command, timeout: timeout))
    var data = part.data
    // Bit 6 of the status: the chip has more of a card's long answer than fits a frame (7.3.8).
    // libnfc fetches it by itself.
    while part.more, command.way == .dataExchange {
      part = try checked(try perform(command.fetchingMore, timeout: timeout))
      data += part.data
    }
    if command.way == .dataExchange { targetMaySleep = false }
    return try expect(command.answer, try unwrap(data, of: command))
  }

  /// InDataExchange wakes a tag in HALT by itself; InCommunicateThru does not.
  private func wakeForThru() throws(ReaderError) {
    // By its UID, not with InSelect: some copies of the chip acknowledge that and never answer.
    guard targetMaySleep, let target, try !wake(target) else { return }
    silenceCount += 1
    throw .tagLost(expected: target.uid, found: nil)
  }

  /// An answer whose status byte is good.
  private func checked(_ answer: [UInt8]) throws(ReaderError) -> ExchangeAnswer {
    guard let parsed = try? ExchangeAnswer(parsing: answer) else {
      throw .boardGarbled(reader: name)
    }
    guard parsed.status == .ok else {
      needsReselect = true
      if parsed.status == .timeout { silenceCount += 1 }
      throw .exchangeFailed(parsed.status)
    }
    return parsed
  }

  /// Checks what addressing has put around the answer, and takes it off.
  private func unwrap(_ data: [UInt8], of command: TagCommand) throws(ReaderError) -> [UInt8] {
    switch command.addressing {
    case .selection, .uid: return data
    case .length, .idm: break
    }
    guard let length = data.first, Int(length) == data.count else {
      throw .wrongAnswerLength(expected: Int(data.first ?? 1), received: data.count)
    }
    let body = Array(data.dropFirst())
    guard command.addressing == .idm else { return body }
    guard body.count >= 11 else { throw .wrongAnswerLength(expected: 12, received: data.count) }
    // The answer's code is one above the command's; another tag's answer is none to us.
    let (code, idm) = (command.frame[0] + 1, systemIDm ?? target?.uid.bytes ?? [])
    guard body[0] == code, Array(body[1...8]) == idm else { throw .exchangeFailed(.dataFormat) }
    guard body[9] == 0 else { throw .feliCaStatus(body[9], body[10]) }
    return Array(body[11...])
  }

  /// `bytes`, which must be as long as the command says. A tag that answers an acknowledge's
  /// command with data has understood another command: a smart card's `6E00` is no sector opened
  /// and nothing written.
  private func expect(_ answer: TagCommand.Answer, _ bytes: [UInt8]) throws(ReaderError) -> [UInt8]
  {
    let count: Int
    switch answer {
    case .any: return bytes
    case .none: count = 0
    case .bytes(let length): count = length
    }
    guard bytes.count == count else {
      if count == 0 || bytes.isEmpty { needsReselect = true }
      // Boards that hide a tag's NAK say that all is well, and have nothing to show for it.
      if bytes.isEmpty { throw .exchangeFailed(.dataFormat) }
      throw .wrongAnswerLength(expected: count, received: bytes.count)
    }
    return bytes
  }

  /// The selected tag has been sent RATS or ATTRIB: it speaks ISO-DEP now (SAK bit 5; AN10833,
  /// 3.2).
  var isInProtocol: Bool {
    guard let target, target.speaksISODEP else { return false }
    return target.typeA == nil || hasAutomaticRATS
  }
}
