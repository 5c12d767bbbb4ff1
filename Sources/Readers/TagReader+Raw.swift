import PN532
import TagMemory

extension TagReader {
  /// Sends a tag command through InDataExchange (UM0701-02, 7.3.8; at most 262 bytes) and returns the tag's answer.
  /// The chip knows MIFARE commands by their first byte, wakes a halted tag, and does ISO-DEP for tags that do.
  /// Throws `exchangeFailed` with the chip's status; never repeats anything.
  public func exchange(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
    try exchange(command, repetition: .never)
  }

  /// Sends a tag command as it is, CRC added and checked, through InCommunicateThru (UM0701-02, 7.3.9) and returns the
  /// tag's answer. Wakes the tag first when the chip's last look left it in HALT. Throws `exchangeFailed` with the
  /// chip's status: a tag's 4-bit NAK arrives as one of those. Never repeats anything.
  public func communicate(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
    try communicate(command, repetition: .never)
  }

  func exchange(
    _ command: [UInt8], repetition: Repetition, secrets: Secrets? = nil
  ) throws(ReaderError) -> [UInt8] {
    let frame = Command.inDataExchange(command)
    let answer = try perform(
      frame, timeout: isInProtocol ? Allowance.isoDEP : Allowance.command, repetition: repetition,
      secrets: secrets ?? Secrets(of: frame.bytes, isClassic: isClassic))
    let data = try checked(answer)
    targetMaySleep = false
    return data
  }

  func communicate(_ command: [UInt8], repetition: Repetition) throws(ReaderError) -> [UInt8] {
    // By its UID, not with InSelect: some copies of the chip acknowledge that and never answer.
    if targetMaySleep, let target, try !isThere(target) {
      throw .tagLost(expected: target.uid, found: nil)
    }
    let frame = Command.inCommunicateThru(command)
    return try checked(
      try perform(
        frame, repetition: repetition, secrets: Secrets(of: frame.bytes, isClassic: isClassic)))
  }

  /// Answer bytes without their status byte, which must be good.
  private func checked(_ answer: [UInt8]) throws(ReaderError) -> [UInt8] {
    guard let parsed = try? ExchangeAnswer(parsing: answer) else {
      throw .boardGarbled(reader: name)
    }
    guard parsed.status == .ok else {
      needsReselect = true
      throw .exchangeFailed(parsed.status)
    }
    return parsed.data
  }

  /// Whether 30h and A0h take blocks, whose trailers hold keys: SAK bit 3 marks MIFARE Classic (AN10833, 3.2), as do the
  /// SAKs of copies.
  private var isClassic: Bool {
    guard let target else { return false }
    return (target.sak ?? 0) & 0x08 != 0 || Geometry(target) != nil
  }

  /// The selected tag has been sent RATS: it speaks ISO-DEP now (SAK bit 5; AN10833, 3.2).
  var isInProtocol: Bool { hasAutomaticRATS && target?.speaksISODEP ?? false }

  /// Takes the acknowledge of a command that earns no data. A tag that answers with some has understood another
  /// command: a smart card's `6E00` is no sector opened and nothing written.
  func expectNothing(_ bytes: [UInt8]) throws(ReaderError) {
    guard bytes.isEmpty else {
      needsReselect = true
      throw .wrongAnswerLength(expected: 0, received: bytes.count)
    }
  }

  /// `bytes`, which must be `count` long.
  func expect(_ count: Int, _ bytes: [UInt8]) throws(ReaderError) -> [UInt8] {
    guard bytes.count == count else {
      throw .wrongAnswerLength(expected: count, received: bytes.count)
    }
    return bytes
  }
}
