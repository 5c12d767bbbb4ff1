import TagMemory

/// A tag that a program plays answers whatever a reader sends: nothing beyond its file, nothing
/// longer than it says, and a file that nobody may write stays as it is.
enum ResponderTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    var input = Input(bytes)
    let (isWritable, length) = (input.byte() & 1 == 1, Int(input.byte()))
    let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    guard var tag = Type4Responder(message: message, isWritable: isWritable) else {
      throw Broken("a short message does not fit")
    }
    let file = [UInt8(length >> 8), UInt8(length & 0xFF)] + message
    while !input.rest.isEmpty {
      let count = Int(input.byte())
      if count == 0xFF {
        tag.activate()
        continue
      }
      let command = input.bytes(count)
      let givesOut = tag.givesOut(command)
      let answer = tag.answer(command)
      if input.byte() & 1 == 1 { tag.noteArrival() }
      try require(command.isEmpty == answer.isEmpty, "silence, or a word to nothing")
      guard answer.count >= 2 else { continue }
      try require(answer.count <= Type4Responder.longestPart + 2, "an answer beyond MLe")
      try require(answer.count == 2 || answer.suffix(2) == [0x90, 0x00], "data with a refusal")
      if !isWritable {
        try require(tag.writing == .nothing, "a file changed that nobody may write")
        if givesOut, answer.count > 2 {
          let start = Int(command[2]) << 8 | Int(command[3])
          let there = file.dropFirst(start).prefix(answer.count - 2)
          try require(answer.starts(with: there), "other bytes than the file's")
        }
      }
      try require(tag.readCount <= length, "more was read than there is")
    }
  }
}
