import CardCrypto
import PN532
import Readers

/// A frame between reader and tag.
struct AirFrame {
  var line: Int
  var direction: FrameDirection
  var bytes: [UInt8]
  /// When it began and ended, by the file's own clock.
  var start: Duration?
  var end: Duration?
  /// The file shows a part of it, or damage.
  var isPartial: Bool

  /// Without a sound CRC at its end.
  var data: [UInt8] {
    guard bytes.count > 2, CRCA.bytes(of: Array(bytes.dropLast(2))) == Array(bytes.suffix(2)) else {
      return bytes
    }
    return Array(bytes.dropLast(2))
  }
}

/// Makes exchanges of frames between a reader and a tag of type A: each selection is a look, each
/// command one with the chip's command that would have sent it (ISO/IEC 14443-3, 6; 14443-4, 7).
struct AirFrames {
  private var exchanges: [RecordedExchange] = []
  private var remarks: [RecordedSession.Remark] = []
  private var asked: AirFrame?
  private var first: Duration?
  /// What the selection has shown so far.
  private var selection = AirSelection()
  /// Where the look that found the tag stands in `exchanges`.
  private var look: Int?
  /// The card has answered RATS: frames are blocks.
  private var blocks: AirBlocks?
  /// A Classic's sector is open: what follows is encrypted.
  private var isEncrypted = false
  /// The first half of a compatibility write, which was acknowledged.
  private var halfWrite: AirFrame?

  mutating func add(_ frame: AirFrame) {
    guard !frame.bytes.isEmpty else { return }
    if first == nil { first = frame.start }
    switch frame.direction {
    case .toTag:
      if let asked { conclude(asked, nil) }
      asked = frame
    case .fromTag:
      guard let asked else { return }
      self.asked = nil
      conclude(asked, frame)
    }
  }

  mutating func session() -> RecordedSession {
    if let asked { conclude(asked, nil) }
    asked = nil
    return RecordedSession(level: .air, exchanges: exchanges, remarks: remarks)
  }

  private mutating func conclude(_ command: AirFrame, _ answer: AirFrame?) {
    let data = command.data
    if command.isPartial || answer?.isPartial == true {
      remarks.append(.init(line: command.line, "a frame is damaged, or not shown as a whole"))
      if !selection.isStep(command.bytes) { return }
    }
    if selection.isStep(command.bytes) {
      isEncrypted = false
      blocks = nil
      halfWrite = nil
      look = nil
      if let found = selection.take(command.bytes, answer?.data) {
        look = exchanges.count
        append(command, answer, [0x4A, 0x01, 0x00], [0x01, 0x01] + found)
      }
      return
    }
    guard !isEncrypted else { return }
    switch (data.first, data.count) {
    case (0x50, 2) where blocks == nil, (0x50, 4) where blocks == nil:
      selection = AirSelection()
    case (0xE0, 2) where blocks == nil:
      guard let answer, let look, answer.data.first.map(Int.init) == answer.data.count else {
        return
      }
      blocks = AirBlocks()
      if case .answer(let found) = exchanges[look].outcome {
        exchanges[look].outcome = .answer(found + answer.data.map { $0 })
      }
    case (0x60, 2) where blocks == nil, (0x61, 2) where blocks == nil:
      isEncrypted = true
      remarks.append(
        .init(line: command.line, "an encrypted exchange begins, which is not replayed"))
    default:
      if blocks != nil { block(command, answer) } else { bare(command, answer) }
    }
  }

  /// A command of a tag that knows no blocks.
  private mutating func bare(_ command: AirFrame, _ answer: AirFrame?) {
    var data = command.data
    if let half = halfWrite {
      halfWrite = nil
      if data.count == 16 { data = half.data + data }
    } else if data.count == 2, data[0] == 0xA0, answer?.bytes == [0x0A] {
      halfWrite = command
      return
    }
    let way = TagCommand(raw: data, for: nil, inProtocol: false).way
    append(
      command, answer, way == .thru ? [0x42] + data : [0x40, 0x01] + data,
      AirAnswerStatus.answer(answer?.bytes, answer?.data, way))
  }

  private mutating func block(_ command: AirFrame, _ answer: AirFrame?) {
    guard let (apdu, response) = blocks?.take(command.data, answer?.data) else { return }
    append(command, answer, [0x40, 0x01] + apdu, [0x00] + response)
  }

  private mutating func append(
    _ command: AirFrame, _ answer: AirFrame?, _ bytes: [UInt8], _ result: [UInt8]
  ) {
    let duration = command.start.flatMap { start in
      (answer?.end ?? answer?.start).map { $0 - start }
    }
    exchanges.append(
      RecordedExchange(
        line: command.line, start: command.start.flatMap { start in first.map { start - $0 } },
        duration: duration.flatMap { $0 >= .zero ? $0 : nil }, command: bytes.map { $0 },
        outcome: .answer(result.map { $0 })))
  }
}

/// What the chip makes of a tag's answer: as the simulated one does.
enum AirAnswerStatus {
  static func answer(_ raw: [UInt8]?, _ data: [UInt8]?, _ way: TagCommand.Way) -> [UInt8] {
    guard let raw, let data else { return [StatusCode.timeout.rawValue] }
    guard raw.count > 1 else {
      // Four bits: Ah is an acknowledge.
      if way == .thru { return [StatusCode.crc.rawValue] }
      return [raw == [0x0A] ? StatusCode.ok.rawValue : StatusCode.dataFormat.rawValue]
    }
    return [StatusCode.ok.rawValue] + data
  }
}
