import TagMemory

@testable import TagProgramming

/// The writes that a tag has taken, as the frames to the board tell them: none of the code under test has a part in it.
final class WriteLog {
  /// One block or page.
  struct Write: Hashable, CustomStringConvertible {
    let place: Int
    let bytes: [UInt8]
    var description: String { "\(place): \(bytes)" }
  }

  private(set) var writes: [Write] = []

  func forget() { writes = [] }

  /// InDataExchange (40 01) or InCommunicateThru (42), then the tag's WRITE of a block (A0) or of a page (A2).
  func note(_ command: [UInt8], answer: [UInt8]) {
    let frame =
      switch command.first {
      case 0x40: command.dropFirst(2)
      case 0x42: command.dropFirst(1)
      default: ArraySlice<UInt8>()
      }
    let isWrite =
      frame.first == 0xA0 && frame.count == 18 || frame.first == 0xA2 && frame.count == 6
    // The answer's first byte says which command it answers, the second how it went.
    guard isWrite, let place = frame.dropFirst().first, answer.dropFirst().first == 0 else {
      return
    }
    writes.append(Write(place: Int(place), bytes: Array(frame.dropFirst(2))))
  }
}

extension TagProgram {
  /// The writes, in their order.
  var writes: [WriteLog.Write] {
    steps.compactMap { step in
      guard let (place, bytes) = step.written, let number = place.number else { return nil }
      return WriteLog.Write(place: number, bytes: bytes)
    }
  }
}

extension Place {
  /// The number of a block or page, as the commands to the tag carry it.
  var number: Int? { block.map { Int($0.index) } ?? page.map { Int($0.number) } }
}
