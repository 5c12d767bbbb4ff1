import Readers
import TagMemory

/// Secure messaging with an NTAG 424 DNA (NT4H2421Gx, 9.1).
extension Type4Session {
  /// How often a tag is asked again that makes the host wait after wrong keys (9.1.11).
  private static let mostDelays = 2000

  /// Selects the NDEF application, whatever file of it was selected.
  func enterApplication() throws(ReaderError) -> StatusWord? {
    try wake()
    return isInApplication ? nil : try selectApplication(naming)
  }

  /// Proves `key`; the status where the tag does not take it, 91AE for a wrong one.
  func authenticate(_ key: AESKey, number: UInt8) throws(ReaderError) -> StatusWord? {
    if let refusal = try enterApplication() { return refusal }
    secure = nil
    reader.willProve(key.bytes)
    for _ in 0..<Self.mostDelays {
      let challenge = (0..<EV2Authentication.challengeByteCount).map { _ in
        UInt8.random(in: 0...255)
      }
      let status =
        usesLRP
        ? try authenticate(
          with: LRPAuthentication(key: key.bytes, number: number, challenge: challenge))
        : try authenticate(
          with: EV2Authentication(key: key.bytes, number: number, challenge: challenge))
      switch status?.value {
      case 0x91AD: continue
      // The tag is in LRP mode, which it says to whoever asks for AES.
      case 0x919D where !usesLRP: usesLRP = true
      default: return status
      }
    }
    return StatusWord(0x91, 0xAD)
  }

  /// One attempt; a session follows where tag and host have shown each other that they know the
  /// key.
  private func authenticate(
    with authentication: some SecureAuthentication
  ) throws(ReaderError) -> StatusWord? {
    var authentication = authentication
    let first = try transmit(authentication.start.apdu)
    guard first.status.value == 0x91AF, let answer = authentication.answer(to: first.data) else {
      return first.status
    }
    let last = try transmit(answer.apdu)
    guard last.status.value == 0x9100 else { return last.status }
    secure = authentication.session(from: last.data)
    // Else the tag does not know the key itself.
    return secure == nil ? Self.wrongKey : nil
  }

  static let wrongKey = StatusWord(0x91, 0xAE)

  /// Sends `command` within the session, in `mode`; without one as it is.
  func secured(_ command: DESFireCommand, header: Int, _ mode: EV2Session.Mode)
    throws(ReaderError) -> Answer
  {
    try wake()
    guard var session = secure else {
      if let refusal = try enterApplication() { return .refused(refusal) }
      return try native(command)
    }
    let response = try ask(session.wrapped(command, header: header, mode))
    guard response.status.value == 0x9100 else {
      // An error ends the session.
      secure = nil
      return .refused(response.status)
    }
    // ChangeKey of the key that was proven ends it, too, without a code.
    if command.instruction == 0xC4, command.data.first == session.keyNumber, response.data.isEmpty {
      secure = nil
      return .bytes([])
    }
    // SetConfiguration may be answered without a code (NT4H2421Tx, table 51; AN12321, table 3), by
    // either side of the change that it makes: the session is not gone on with.
    if command.instruction == 0x5C {
      secure = nil
      if response.data.isEmpty {
        if command == .useLRP { usesLRP = true }
        return .bytes([])
      }
    }
    guard let data = session.opened(response.data, mode) else {
      secure = nil
      throw .wrongAnswerLength(expected: response.data.count, received: response.data.count)
    }
    if command.instruction == 0x5C {
      if command == .useLRP { usesLRP = true }
    } else {
      secure = session
    }
    return .bytes(data)
  }

  /// All of `file` from its start as somebody reads it who has no key, in one run of readings.
  func readAsStranger(_ count: Int, of file: FileID, with access: BinaryAccess)
    throws(ReaderError) -> Answer
  {
    try selectAgain()
    return try read(0..<count, of: file, with: access)
  }
}
