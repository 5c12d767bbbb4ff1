import TagMemory

@testable import TagProgramming

/// The writes that a tag has taken, as the frames to the board tell them: none of the code under
/// test has a part in it.
final class WriteLog {
  /// One block or page; of a tag with files the bytes at an offset into one, or a command that
  /// changes more than bytes.
  struct Write: Hashable, CustomStringConvertible {
    var file: Int?
    let place: Int
    let bytes: [UInt8]
    var description: String { "\(file.map { "\($0), " } ?? "")\(place): \(bytes)" }

    /// A command of its family that changes the tag; its data may be enciphered.
    static func command(_ code: UInt8) -> Write {
      Write(file: -1, place: Int(code), bytes: [])
    }
  }

  private(set) var writes: [Write] = []
  /// An authentication with a key of a MIFARE Classic sector.
  struct Authentication: Hashable {
    let block: Int
    let isB: Bool
    let key: [UInt8]

    var sector: Int { block < 128 ? block / 4 : 32 + (block - 128) / 16 }
  }

  /// The authentications, refused ones included.
  private(set) var authentications: [Authentication] = []
  /// What was selected last of a tag with files.
  private var file: Int?

  func forget() { writes = [] }

  /// Notes what `command` to the board, answered so, has written. The answer's first byte says
  /// which command it answers, the second how it went; what follows is the tag's.
  func note(_ command: [UInt8], answer: [UInt8]) {
    let frame = Self.frame(in: command)
    if frame.count == 12, [0x60, 0x61].contains(frame[0]) {
      authentications.append(
        Authentication(block: Int(frame[1]), isB: frame[0] == 0x61, key: Array(frame[2..<8])))
    }
    let sent = take(command)
    guard !sent.isEmpty, answer.dropFirst().first == 0 else { return }
    let data = Array(answer.dropFirst(2))
    let hasObeyed =
      switch frame[0] {
      case 0xA0: true
      case 0xA2 where data.isEmpty: true
      case 0x00, 0xA2, 0x90:
        [[0x90, 0], [0x91, 0], [0x91, 0xAF]].contains(Array(data.suffix(2)))
      default: data.count > 11 && data[10] == 0
      }
    if hasObeyed { writes += sent }
  }

  /// What follows InDataExchange (40 01) or InCommunicateThru (42).
  private static func frame(in command: [UInt8]) -> [UInt8] {
    switch command.first {
    case 0x40: Array(command.dropFirst(2))
    case 0x42: Array(command.dropFirst(1))
    default: []
    }
  }

  /// What `command` to the board would write, if the tag obeys. What it selects counts as selected.
  func take(_ command: [UInt8]) -> [Write] {
    let frame = Self.frame(in: command)
    guard frame.count > 1 else { return [] }
    switch frame[0] {
    // A block or a page of a card or a Type 2 tag.
    case 0xA0 where frame.count == 18, 0xA2 where frame.count == 6:
      return [Write(place: Int(frame[1]), bytes: Array(frame.dropFirst(2)))]
    case 0x00, 0xA2, 0x90: return takeAPDU(frame)
    default: return Self.feliCa(frame)
    }
  }

  /// SELECT by file ID, UPDATE BINARY, and commands that change what the card has (ISO 7816-4;
  /// MF3ICD81; SRTAG2KL).
  private func takeAPDU(_ frame: [UInt8]) -> [Write] {
    guard frame.count > 4 else {
      // ENABLE PERMANENT STATE has no data.
      return frame.count == 4 && (frame[0], frame[1]) == (0xA2, 0x28) ? [.command(0x28)] : []
    }
    let isExtended = frame.count > 7 && frame[4] == 0
    let data = frame.dropFirst(isExtended ? 7 : 5)
    switch (frame[0], frame[1]) {
    case (0x00, 0xA4) where frame[2] == 0:
      file = data.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    case (0x00, 0xD6):
      let count = isExtended ? Int(frame[5]) << 8 | Int(frame[6]) : Int(frame[4])
      return [
        Write(
          file: file, place: Int(frame[2]) << 8 | Int(frame[3]), bytes: Array(data.prefix(count)))
      ]
    case (0x90, 0xCA), (0x90, 0xCD), (0x90, 0x3D), (0x90, 0x5F), (0x90, 0xC4):
      return [.command(frame[1])]
    default: break
    }
    return []
  }

  /// LEN 08 IDm 01 SERVICES BLOCKS: Write Without Encryption, its blocks named in two bytes or
  /// three (JIS X 6319-4).
  private static func feliCa(_ frame: [UInt8]) -> [Write] {
    guard frame.count > 14, Int(frame[0]) == frame.count, frame[1] == 0x08 else { return [] }
    let list = 10 + 1 + 2 * Int(frame[10])
    guard list < frame.count else { return [] }
    var (at, blocks) = (list + 1, [Int]())
    for _ in 0..<Int(frame[list]) where at + 2 < frame.count {
      let isShort = frame[at] & 0x80 != 0
      blocks.append(isShort ? Int(frame[at + 1]) : Int(frame[at + 2]) << 8 | Int(frame[at + 1]))
      at += isShort ? 2 : 3
    }
    guard at + 16 * blocks.count <= frame.count else { return [] }
    return blocks.enumerated().map { index, block in
      Write(place: block, bytes: Array(frame[at + 16 * index..<at + 16 * index + 16]))
    }
  }
}

extension TagProgram {
  /// The writes, in their order.
  var writes: [WriteLog.Write] {
    steps.flatMap { step -> [WriteLog.Write] in
      switch (step.place, step.action) {
      case (.file(let id, let offset), .write(let bytes, _)):
        return [WriteLog.Write(file: Int(id), place: offset, bytes: bytes)]
      case (.feliCaBlock(let block), .write(let bytes, _)):
        return stride(from: 0, to: bytes.count, by: 16).map {
          WriteLog.Write(place: Int(block) + $0 / 16, bytes: Array(bytes[$0..<$0 + 16]))
        }
      case (.application, .perform(let command, _)):
        return command.frames.map { .command($0[0]) }
      case (.file, .perform(let command, _)):
        // The password is given first, and changes nothing.
        return command.frames.filter { $0[1] != 0x20 }.map { .command($0[1]) }
      case (let place, .write(let bytes, _)):
        return place.number.map { [WriteLog.Write(place: $0, bytes: bytes)] } ?? []
      default: return []
      }
    }
  }
}

extension Place {
  /// The number of a block or page, as the commands to the tag carry it.
  var number: Int? { block.map { Int($0.index) } ?? page.map { Int($0.number) } }
}
