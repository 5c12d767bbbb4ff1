/// Finds frames in a stream of bytes, one byte at a time.
///
/// Preambles may be of any length; whatever is no frame is skipped. A damaged frame is reported as
/// a fault, and the search goes on behind it.
package struct FrameParser: Sendable {
  /// What a byte completed.
  package enum Event: Hashable, Sendable {
    case frame(Frame)
    case fault(FrameFault)
  }

  private enum State: Hashable {
    /// Looking for the start code 00 FF.
    case searching(lastWasZero: Bool)
    /// Within the header; `seen` holds it, start code included.
    case header
    /// Within TFI and data of the given length, which `seen` holds, or at DCS behind them.
    case content(length: Int)
  }
  private var state = State.searching(lastWasZero: false)
  private var seen: [UInt8] = []

  package init() {}

  /// Is true if a start code has been seen whose frame is not complete yet.
  package var isWithinFrame: Bool {
    if case .searching = state { false } else { true }
  }

  /// Forgets an unfinished frame.
  package mutating func reset() { state = .searching(lastWasZero: false) }

  /// Takes the next byte; returns what it completed, if anything.
  package mutating func feed(_ byte: UInt8) -> Event? {
    switch state {
    case .searching(lastWasZero: true) where byte == 0xFF:
      state = .header
      seen = [0x00, 0xFF]
      return nil
    case .searching:
      state = .searching(lastWasZero: byte == 0)
      return nil
    case .header:
      seen.append(byte)
      return header(seen)
    case .content(let length):
      guard seen.count == length else {
        seen.append(byte)
        return nil
      }
      reset()
      return Self.judge(seen, checksum: byte)
    }
  }

  /// Every event that `bytes` complete.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Event] {
    bytes.compactMap { feed($0) }
  }

  private mutating func header(_ bytes: [UInt8]) -> Event? {
    let fields = bytes.dropFirst(2)
    guard fields.count >= 2 else { return nil }
    switch (bytes[2], bytes[3]) {
    case (0x00, 0xFF):
      reset()
      return .frame(.ack)
    case (0xFF, 0x00):
      reset()
      return .frame(.nack)
    case (0xFF, 0xFF):
      guard fields.count == 5 else { return nil }
      return begin(
        length: Int(bytes[4]) << 8 | Int(bytes[5]), sum: bytes[4] &+ bytes[5] &+ bytes[6], bytes)
    case (let length, let checksum):
      return begin(length: Int(length), sum: length &+ checksum, bytes)
    }
  }

  private mutating func begin(length: Int, sum: UInt8, _ bytes: [UInt8]) -> Event? {
    guard sum == 0, (1...Frame.longestPayload + 1).contains(length) else {
      // What was taken for a header may hold the start code of the true one.
      reset()
      for byte in bytes.dropFirst() { _ = feed(byte) }
      return .fault(sum == 0 ? .length(length) : .lengthChecksum(header: bytes))
    }
    state = .content(length: length)
    seen = []
    return nil
  }

  private static func judge(_ content: [UInt8], checksum: UInt8) -> Event {
    guard content.reduce(checksum, &+) == 0 else {
      return .fault(.dataChecksum(content: content, received: checksum))
    }
    let payload = Array(content.dropFirst())
    switch content[0] {
    case Frame.toChip where !payload.isEmpty: return .frame(.command(payload))
    case Frame.fromChip where !payload.isEmpty: return .frame(.answer(payload))
    case Frame.syntaxError where payload.isEmpty: return .frame(.error)
    default: return .fault(.identifier(content: content))
    }
  }
}
