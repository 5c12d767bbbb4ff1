import Bytes
import PN532

/// From the host, or to it.
enum FrameDirection: Hashable {
  case toTag, fromTag
}

/// Makes exchanges of bytes that went between a host and a chip, however a log cut or wrapped them.
struct HostFrames {
  private var exchanges: [RecordedExchange] = []
  private var remarks: [RecordedSession.Remark] = []
  /// Bytes of a frame whose end has not come.
  private var rest: (bytes: [UInt8], direction: FrameDirection, line: Int)?
  /// The command that waits for its answer is the last of `exchanges`.
  private var isOpen = false
  private var first: Duration?
  /// The checksum of a frame that was whole but for it: it comes alone in some logs.
  private var owed: (checksum: UInt8, direction: FrameDirection)?
  /// The last whole answer: some logs show what was read, and once more the part that was taken.
  private var lastAnswer: [UInt8]?

  /// Takes bytes as a log shows them at one go: frames, parts of frames, or what the frames carry.
  /// `isPartial`: the log shows their beginning alone.
  mutating func add(
    _ bytes: [UInt8], _ direction: FrameDirection, line: Int, time: Duration?,
    isPartial: Bool = false
  ) {
    guard !bytes.isEmpty else { return }
    if let time, first == nil { first = time }
    let start = time.flatMap { time in first.map { time - $0 } }
    // What goes on with a frame is no payload of its own.
    let goesOn = rest?.direction == direction
    if !goesOn, let payload = Self.unwrapped(bytes, direction) {
      rest = nil
      take(payload, direction, line, start, isPartial)
      return
    }
    var all = bytes
    if let rest, rest.direction == direction { all = rest.bytes + bytes }
    rest = nil
    if let owed, owed.direction == direction {
      self.owed = nil
      if all[0] == owed.checksum { all = Array(all.dropFirst()) }
    }
    scan(all, direction, line, start)
  }

  /// The log says that the host has waited in vain.
  mutating func timeOut() {
    guard isOpen else { return }
    exchanges[exchanges.count - 1].outcome = .silence
    isOpen = false
  }

  /// What was made of all bytes.
  mutating func session() -> RecordedSession {
    if let rest { remarks.append(.init(line: rest.line, "a frame is cut off")) }
    return RecordedSession(exchanges: exchanges, remarks: remarks)
  }

  // MARK: Frames

  /// Frames in `bytes`, one after another (UM0701-02, 6.2.1). A frame that lacks its end is kept
  /// for what follows.
  private mutating func scan(
    _ bytes: [UInt8], _ direction: FrameDirection, _ line: Int, _ start: Duration?
  ) {
    var index = 0
    while let begin = Self.startCode(in: bytes, from: index) {
      let header = begin + 2
      guard header + 1 < bytes.count else { break }
      switch (bytes[header], bytes[header + 1]) {
      case (0x00, 0xFF):
        acknowledge(direction)
        index = header + 2
        continue
      case (0xFF, 0x00):
        index = header + 2
        continue
      default: break
      }
      guard let (length, content) = Self.length(in: bytes, at: header) else {
        index = begin + 1
        continue
      }
      let end = content + length
      guard end <= bytes.count else {
        rest = (Array(bytes[begin...]), direction, line)
        return
      }
      let body = Array(bytes[content..<end])
      if end < bytes.count, body.reduce(bytes[end], &+) != 0 {
        remarks.append(.init(line: line, "a frame has a wrong checksum"))
        damage(direction)
      } else {
        if end == bytes.count { owed = (0 &- body.reduce(0, &+), direction) }
        take(body, direction, line, start, false)
      }
      index = end + 1
    }
    guard index == 0, Self.startCode(in: bytes, from: 0) == nil else { return }
    // Wake-up bytes, or the end of a frame; or noise.
    let isFiller = bytes.allSatisfy { [0x00, 0x55, 0x01].contains($0) }
    if !isFiller, direction == .fromTag {
      remarks.append(.init(line: line, "bytes that are no frame"))
    }
  }

  /// Where 00 FF begins, at `index` or behind it.
  private static func startCode(in bytes: [UInt8], from index: Int) -> Int? {
    guard index < bytes.count - 1 else { return nil }
    return (index..<bytes.count - 1).first { bytes[$0] == 0x00 && bytes[$0 + 1] == 0xFF }
  }

  /// How many bytes a frame with a header at `index` has, TFI first, and where they begin; nil
  /// where that is no header.
  private static func length(in bytes: [UInt8], at index: Int) -> (Int, Int)? {
    if bytes[index] == 0xFF, bytes[index + 1] == 0xFF {
      guard index + 4 < bytes.count,
        bytes[index + 2] &+ bytes[index + 3] &+ bytes[index + 4] == 0
      else { return nil }
      let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
      return (1...Frame.longestPayload + 1).contains(length) ? (length, index + 5) : nil
    }
    guard bytes[index] &+ bytes[index + 1] == 0, bytes[index] > 0 else { return nil }
    return (Int(bytes[index]), index + 2)
  }

  // MARK: What frames carry

  /// What stands without PN532 frames, TFI first where there is one: in CCID blocks and APDUs of an
  /// ACR122, or bare; nil for everything else.
  private static func unwrapped(_ bytes: [UInt8], _ direction: FrameDirection) -> [UInt8]? {
    switch direction {
    case .toTag:
      // PC_to_RDR_Escape or XfrBlock, ten bytes, with an APDU to the reader itself.
      var apdu = bytes[...]
      if bytes.count > 15, bytes[0] == 0x6F || bytes[0] == 0x6B, bytes[10] == 0xFF {
        apdu = bytes[10...]
      }
      if apdu.starts(with: [0xFF, 0x00, 0x00, 0x00]), apdu.count > 5 {
        let data = Array(apdu.dropFirst(5))
        return data[0] == 0xD4 ? data : nil
      }
      return bytes[0] == 0xD4 && bytes.count > 1 ? bytes : nil
    case .fromTag:
      var data = bytes[...]
      if bytes.count > 12, bytes[0] == 0x80 || bytes[0] == 0x83, bytes[10] == 0xD5 {
        data = bytes[10...]
      }
      guard data.first == 0xD5, data.count > 1 else { return bytes == [0x7F] ? bytes : nil }
      if data.count > 3, data.suffix(2) == [0x90, 0x00] { data = data.dropLast(2) }
      return Array(data)
    }
  }

  /// TFI and what follows it.
  private mutating func take(
    _ body: [UInt8], _ direction: FrameDirection, _ line: Int, _ start: Duration?,
    _ isPartial: Bool
  ) {
    switch (direction, body[0]) {
    case (.toTag, 0xD4) where body.count > 1:
      lastAnswer = nil
      guard !isPartial else {
        remarks.append(.init(line: line, "a command is not shown as a whole"))
        isOpen = false
        return
      }
      exchanges.append(
        RecordedExchange(
          line: line, start: start, command: body.dropFirst().map { $0 }, outcome: .untold))
      isOpen = true
    case (.fromTag, 0xD5) where body.count > 1: answer(body, line, start, isPartial)
    case (.fromTag, 0x7F):
      guard isOpen else { return }
      conclude(.refused, start)
    default: remarks.append(.init(line: line, "a frame of neither direction"))
    }
  }

  private mutating func answer(
    _ body: [UInt8], _ line: Int, _ start: Duration?, _ isPartial: Bool
  ) {
    guard !isPartial else {
      remarks.append(.init(line: line, "an answer is not shown as a whole"))
      isOpen = false
      return
    }
    let data: [UInt8?] = body.dropFirst(2).map { $0 }
    if isOpen, exchanges[exchanges.count - 1].code == body[1] &- 1 {
      conclude(.answer(data), start)
    } else if lastAnswer != body {
      if isOpen {
        remarks.append(.init(line: line, "an answer does not belong to its command"))
        isOpen = false
      }
      exchanges.append(
        RecordedExchange(
          line: line, start: start, command: [], code: body[1] &- 1, outcome: .answer(data)))
    }
    lastAnswer = body
  }

  private mutating func conclude(_ outcome: RecordedExchange.Outcome, _ time: Duration?) {
    let last = exchanges.count - 1
    exchanges[last].outcome = outcome
    if let time, let start = exchanges[last].start, time >= start {
      exchanges[last].duration = time - start
    }
    isOpen = false
  }

  /// An ACK of the host's ends what runs; one of the chip's says nothing of the answer.
  private mutating func acknowledge(_ direction: FrameDirection) {
    guard direction == .toTag, isOpen else { return }
    exchanges[exchanges.count - 1].outcome = .interrupted
    isOpen = false
  }

  private mutating func damage(_ direction: FrameDirection) {
    guard direction == .fromTag, isOpen else { return }
    exchanges[exchanges.count - 1].outcome = .damaged
    isOpen = false
  }
}
