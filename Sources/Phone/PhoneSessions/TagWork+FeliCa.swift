import Readers
import TagMemory

/// FeliCa commands (JIS X 6319-4; FeliCa Card User's Manual, 4).
extension TagWork {
  /// The longest packet without its length byte.
  private static let longestPacket = 254

  /// A whole packet, its code first, without length and CRC; the answer likewise.
  package func feliCa(packet: [UInt8]) throws(SessionError) -> [UInt8] {
    guard let code = packet.first else { throw SessionError(.invalidParameterLength) }
    guard packet.count <= Self.longestPacket else { throw SessionError(.packetTooLong) }
    if code == 0x00 {
      guard packet.count == 5 else { throw SessionError(.invalidParameterLength) }
      try checkSystem(Array(packet[1...2]))
    } else if settings.mode == .phone {
      // A phone lets an app talk to the system that it has found, and to no other.
      guard Array(packet.dropFirst().prefix(8)) == tag.identifier else {
        throw SessionError(
          .securityViolation, "The packet does not carry the IDm of the connected tag.")
      }
    }
    return try attempt { () throws(ReaderError) in
      try reader.send(TagCommand(raw: packet, for: tag.target, inProtocol: false))
    }
  }

  /// `code` with the tag's IDm and `parameters`; what follows code and IDm in the answer, at least
  /// `count` bytes.
  package func feliCa(
    _ code: UInt8, _ parameters: [UInt8] = [], atLeast count: Int = 0
  ) throws(SessionError) -> [UInt8] {
    let answer = try feliCa(packet: [code] + tag.identifier + parameters)
    guard answer.count >= 9 + count, answer[0] == code + 1,
      Array(answer[1...8]) == tag.identifier
    else { throw SessionError(.tagResponseError) }
    return Array(answer.dropFirst(9))
  }

  /// Polling: PMm, and what `request` asks for.
  package func polling(
    systemCode: [UInt8], request: UInt8, slots: UInt8
  ) throws(SessionError) -> (pmm: [UInt8], data: [UInt8]) {
    guard systemCode.count == 2 else { throw SessionError(.invalidParameterLength) }
    let answer = try feliCa(packet: [0x00] + systemCode + [request, slots])
    guard answer.count >= 17, answer[0] == 0x01 else { throw SessionError(.tagResponseError) }
    return (Array(answer[9..<17]), Array(answer[17...]))
  }

  private func checkSystem(_ code: [UInt8]) throws(SessionError) {
    guard settings.mode == .phone else { return }
    let isDeclared = !settings.grants.isLimited || settings.grants.systemCodes.contains(code)
    guard isDeclared, !code.contains(0xFF) else {
      settings.remark(.undeclaredSystem(code))
      throw SessionError(.securityViolation)
    }
  }
}
