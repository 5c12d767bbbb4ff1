/// How a tag of type A is found and selected (ISO/IEC 14443-3, 6.4 and 6.5), frame by frame.
struct AirSelection {
  private var atqa: [UInt8] = []
  private var uid: [UInt8] = []

  /// Returns whether a frame belongs to it.
  func isStep(_ frame: [UInt8]) -> Bool {
    switch frame.first {
    case 0x26, 0x52: frame.count == 1
    case 0x93, 0x95, 0x97: frame.count >= 2 && (0x20...0x70).contains(frame[1])
    default: false
    }
  }

  /// Takes a step and its answer; returns what the chip reports of a tag that is selected now
  /// (ATQA, high byte first, SAK, the UID's length and the UID).
  mutating func take(_ frame: [UInt8], _ answer: [UInt8]?) -> [UInt8]? {
    guard frame[0] > 0x90 else {
      if let answer, answer.count == 2 { (atqa, uid) = ([answer[1], answer[0]], []) }
      return nil
    }
    guard frame[1] == 0x70, frame.count >= 7 else { return nil }
    let part = Array(frame[2..<6])
    guard part.reduce(frame[6], ^) == 0, let answer, let sak = answer.first, answer.count <= 3
    else {
      return nil
    }
    // Bit 3: the UID is not complete; its parts begin with the cascade tag.
    if sak & 0x04 != 0 {
      guard part[0] == 0x88, uid.count < 6 else { return nil }
      uid += part.dropFirst()
      return nil
    }
    let whole = uid + part
    uid = []
    guard atqa.count == 2, [4, 7, 10].contains(whole.count) else { return nil }
    return atqa + [sak, UInt8(whole.count)] + whole
  }
}

/// Blocks of ISO/IEC 14443-4, 7: APDUs in parts, with acknowledges and waiting times between.
struct AirBlocks {
  private var apdu: [UInt8] = []
  private var response: [UInt8] = []

  /// Takes a block of the reader's and one of the card's; returns an APDU and its answer when both
  /// are complete.
  mutating func take(
    _ command: [UInt8], _ answer: [UInt8]?
  ) -> (apdu: [UInt8], response: [UInt8])? {
    guard let answer, let asked = Self.information(command), let given = Self.information(answer)
    else {
      if let asked = Self.information(command), case .data(let bytes, _) = asked { apdu += bytes }
      return nil
    }
    if case .data(let bytes, _) = asked { apdu += bytes }
    guard case .data(let bytes, let more) = given else { return nil }
    response += bytes
    guard !more, !apdu.isEmpty else { return nil }
    defer { (apdu, response) = ([], []) }
    return (apdu, response)
  }

  private enum Block {
    case data([UInt8], more: Bool)
    case control
  }

  /// PCB, CID where bit 4 says so, NAD likewise, and the rest.
  private static func information(_ block: [UInt8]) -> Block? {
    guard let pcb = block.first else { return nil }
    guard pcb & 0xE2 == 0x02 else { return pcb & 0x80 != 0 ? .control : nil }
    let head = 1 + (pcb & 0x08 != 0 ? 1 : 0) + (pcb & 0x04 != 0 ? 1 : 0)
    return .data(Array(block.dropFirst(head)), more: pcb & 0x10 != 0)
  }
}
