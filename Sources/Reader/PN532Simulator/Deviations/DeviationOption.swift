import Bytes
import PN532

/// One way in which a `sim:` reader or its tag can be told to differ from the data sheets: a row of
/// the table in Docs/Bench.md.
package struct DeviationOption: Sendable {
  package let key: String
  /// What its value may be, as the end of “takes …”.
  let wanted: String
  /// Values that differ from the data sheets, each in a way of its own, for tests of all ways.
  package let samples: [String]
  /// Takes the value over; false where it means nothing.
  let apply:
    @Sendable (_ value: String, _ board: inout BoardDeviations, _ tag: inout TagDeviations) -> Bool

  package static let all: [DeviationOption] = [
    choice("chip", "genuine", or: "clone") { board, _, on in board.isClone = on },
    choice("auth14", "no", or: "yes") { board, _, on in board.authenticationSticks = on },
    choice("polls", "reqa", or: "wupa") { board, _, on in board.wakesHalted = on },
    number("answers", 16...262, "bytes", "64") { board, _, count in board.longestAnswer = count },
    DeviationOption(
      key: "baudmax", wanted: "a speed from 9600 to 921600", samples: ["115200", "460800"]
    ) { value, board, _ in
      board.fastestLine = Int(value).flatMap(LinkSpeed.init(bitsPerSecond:))
      return board.fastestLine.map { $0 != .baud1288000 } ?? false
    },
    choice("longframes", "good", or: "damaged") { board, _, on in board.damagesLongFrames = on },
    choice("reader", "board", or: "acr122u") { board, _, on in
      board.limit = on ? .acr122u : nil
    },
    number("ack", 0...1000, "milliseconds", "3") { board, _, count in
      board.acknowledgeDelay = .milliseconds(count)
    },
    number("firstbyte", 0...5000, "milliseconds", "20") { board, _, count in
      board.firstByteDelay = .milliseconds(count)
    },
    choice("ram", "good", or: "bad") { board, _, on in board.hasBadRAM = on },
    choice("wakes", "yes", or: "no") { board, _, on in board.leavesAsleep = on },
    choice("leaves", "asleep", or: "awake") { board, _, on in board.leavesAwake = on },
    DeviationOption(
      key: "typeb", wanted: "selected, listed or lost", samples: ["listed", "lost"]
    ) { value, board, _ in
      guard let typeB = BoardDeviations.TypeB(rawValue: value) else { return false }
      board.typeB = typeB
      return true
    },
    choice("seeks", "all", or: "idle") { board, _, on in board.seeksIdle = on },
    DeviationOption(
      key: "pairs", wanted: "all, alike or none", samples: ["alike", "none"]
    ) { value, board, _ in
      guard let pairs = BoardDeviations.Pairs(rawValue: value) else { return false }
      board.pairs = pairs
      return true
    },
    choice("naks", "shown", or: "hidden") { board, _, on in board.hidesRefusals = on },
    number("commands", 16...262, "bytes", "64") { board, _, count in board.longestCommand = count },
    choice("parts", "no", or: "yes") { board, _, on in board.takesParts = on },
    choice("otherbaud", "silent", or: "home") { board, _, on in board.fallsHome = on },
    choice("straywake", "yes", or: "no") { board, _, on in board.diesOfWakeUp = on },
    choice("halts", "yes", or: "no") { _, tag, on in tag.ignoresHalt = on },
    choice("fastread", "yes", or: "no") { _, tag, on in tag.lacksFastRead = on },
    choice("com", "fast", or: "slow") { _, tag, on in
      // Longer than the 12.8 ms that suffice for genuine tags, shorter than the chip's default of
      // 51.2 ms.
      tag.programmingTime = on ? .milliseconds(30) : nil
    },
    DeviationOption(
      key: "sak", wanted: "two hexadecimal digits, such as 18", samples: ["18", "28"]
    ) { value, _, tag in
      guard let bytes = try? Hex.bytes(value), bytes.count == 1 else { return false }
      tag.sak = bytes[0]
      return true
    },
    number("rows", 4...256, "rows", "60") { _, tag, count in tag.rowCount = count },
    choice("page0", "fixed", or: "open") { _, tag, on in tag.takesUID = on },
    choice("password", "checked", or: "any") { _, tag, on in tag.takesAnyPassword = on },
    choice("edge", "page0", or: "nak") { _, tag, on in tag.refusesEdge = on },
    DeviationOption(
      key: "auth0", wanted: "now, selection or power", samples: ["selection", "power"]
    ) { value, _, tag in
      guard let start = ProtectionStart(rawValue: value) else { return false }
      tag.protectionHolds = start
      return true
    },
    choice("mirrors", "whole", or: "apart") { _, tag, on in tag.judgesMirrorsApart = on },
    choice("rats", "answered", or: "silent") { _, tag, on in tag.ignoresRATS = on },
    choice("mifare", "yes", or: "no") { _, tag, on in tag.wantsRATS = on },
    number("misses", 0...1000, "looks", "5") { _, tag, count in tag.missesEach = count },
    choice("torn", "bytes", or: "scrambled") { _, tag, on in tag.scramblesTorn = on },
    DeviationOption(
      key: "stuck", wanted: "ADDRESS:BIT:VALUE, such as 65:0:1", samples: ["65:0:1", "17:3:0"]
    ) { value, _, tag in
      let parts = value.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 3, let address = parts[0], let bit = parts[1], let level = parts[2],
        (0..<4096).contains(address), (0...7).contains(bit), (0...1).contains(level)
      else { return false }
      tag.stuckBits = [StuckBit(address: address, bit: bit, value: UInt8(level))]
      return true
    },
  ]

  private static func choice(
    _ key: String, _ usual: String, or other: String,
    _ set: @escaping @Sendable (inout BoardDeviations, inout TagDeviations, Bool) -> Void
  ) -> DeviationOption {
    DeviationOption(key: key, wanted: "\(usual) or \(other)", samples: [other]) {
      value, board, tag in
      set(&board, &tag, value == other)
      return value == usual || value == other
    }
  }

  private static func number(
    _ key: String, _ range: ClosedRange<Int>, _ unit: String, _ sample: String,
    _ set: @escaping @Sendable (inout BoardDeviations, inout TagDeviations, Int) -> Void
  ) -> DeviationOption {
    DeviationOption(
      key: key, wanted: "a number of \(unit) from \(range.lowerBound) to \(range.upperBound)",
      samples: [sample]
    ) { value, board, tag in
      guard let number = Int(value), range.contains(number) else { return false }
      set(&board, &tag, number)
      return true
    }
  }
}
