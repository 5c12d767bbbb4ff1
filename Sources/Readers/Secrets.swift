/// Which bytes of a command and of its answer no trace may show.
struct Secrets {
  /// Offsets into the command, its code at 0.
  var command = 0..<0
  /// A second run of them: a sector trailer holds two keys.
  var commandToo = 0..<0
  /// Offsets into the answer, what follows the answer code at 0.
  var answer = 0..<0
  /// A second run of them.
  var answerToo = 0..<0

  static let none = Secrets()

  /// What is secret in `command` by its own bytes: MIFARE keys, passwords and sector trailers.
  /// `isClassic` tells a block number from a page number.
  init(of command: [UInt8], isClassic: Bool) {
    let isExchange = command.first == 0x40
    let tagCommand = command.dropFirst(isExchange ? 2 : 1)
    guard isExchange || command.first == 0x42, let code = tagCommand.first else { return }
    let argument = tagCommand.startIndex + 1
    let isTrailer =
      isClassic && tagCommand.count > 1 && Self.isTrailer(Int(command[argument]))
    switch code {
    case 0x60, 0x61:
      self.command = argument + 1..<argument + 7
    case 0x1B:
      self.command = argument..<argument + 4
      answer = 1..<3
    case 0xA0 where isTrailer:
      self.command = argument + 1..<argument + 7
      commandToo = argument + 11..<argument + 17
    case 0x30 where isTrailer:
      answer = 1..<7
      answerToo = 11..<17
    default: break
    }
  }

  init(command: Range<Int> = 0..<0) { self.command = command }

  func mask(command bytes: [UInt8]) -> [UInt8?] { mask(bytes, command, commandToo) }

  func mask(answer bytes: [UInt8]) -> [UInt8?] { mask(bytes, answer, answerToo) }

  private func mask(_ bytes: [UInt8], _ one: Range<Int>, _ other: Range<Int>) -> [UInt8?] {
    bytes.indices.map { one.contains($0) || other.contains($0) ? nil : bytes[$0] }
  }

  /// Whether a Classic block is a sector trailer: the last of 4, from block 128 on the last of 16.
  private static func isTrailer(_ block: Int) -> Bool {
    block < 128 ? block % 4 == 3 : block % 16 == 15
  }
}
