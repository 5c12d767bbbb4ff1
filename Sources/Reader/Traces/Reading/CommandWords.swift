import Bytes
import PN532
import TagMemory

/// An exchange in words, by the tables of the program: commands, status bytes, status words.
struct CommandWords {
  let meaning: String
  let result: String
  let isError: Bool
  let oddities: [String]

  init(_ exchange: RecordedExchange, _ tag: SelectedTag) {
    let code = CommandCode(rawValue: exchange.code)
    let frame = TagFrame.shown(in: exchange.command)
    let name =
      code.map { "\($0)" } ?? "unknown command \(Hex.byte(exchange.code).uppercased())h"
    meaning = frame.map { TagWords.meaning($0, tag) } ?? Self.chip(exchange, name)
    var isError = false
    var oddities: [String] = []
    switch exchange.outcome {
    case .answer(let bytes):
      let known = Self.answer(bytes, code, frame, tag)
      (result, isError) = (known.text, known.isError)
      oddities += known.odd.map { [$0] } ?? []
    case .refused: (result, isError) = ("the board does not know it (error frame)", true)
    case .silence: (result, isError) = ("no answer", true)
    case .damaged: (result, isError) = ("a damaged answer", true)
    case .lost: (result, isError) = ("the board was gone", true)
    case .interrupted: result = "ended by the host"
    case .failed(let text): (result, isError) = (text, true)
    case .untold: result = "the trace has no answer"
    }
    if isError { oddities.insert("failed", at: 0) }
    if let duration = exchange.duration, duration > .milliseconds(250) {
      oddities.append("took long")
    }
    (self.isError, self.oddities) = (isError, oddities)
  }

  /// A command to the chip itself.
  private static func chip(_ exchange: RecordedExchange, _ name: String) -> String {
    let bytes = exchange.command.map { $0 ?? 0 }
    switch (exchange.code, bytes.count) {
    case (CommandCode.inListPassiveTarget.rawValue, 3...):
      let kinds: [UInt8: String] = [
        0: "type A", 1: "FeliCa at 212 kbit/s", 2: "FeliCa at 424 kbit/s", 3: "type B", 4: "Topaz",
      ]
      let kind = kinds[bytes[2]] ?? "an unknown kind"
      let isNamed = bytes[2] == 0 && bytes.count > 3
      // A cascade tag stands before each part of a UID but the last.
      let uid = bytes.dropFirst(3)
      let parts = uid.count == 8 || uid.count == 12
      let plain =
        parts
        ? uid.enumerated().filter { $0.offset % 4 != 0 || $0.element != 0x88 }.map(\.element)
        : Array(uid)
      return isNamed
        ? "look for the tag \(Hex.string(plain))"
        : "look for \(bytes[1] == 1 ? "a tag" : "up to \(bytes[1]) tags") of \(kind)"
    case (CommandCode.rfConfiguration.rawValue, 3...):
      switch bytes[1] {
      case 0x01: return bytes[2] & 0x01 == 0 ? "field off" : "field on"
      case 0x02: return "time-outs of tags"
      case 0x04: return "repetitions of exchanges"
      case 0x05: return "repetitions of looks"
      default: return name
      }
    default: return name
    }
  }

  private static func answer(
    _ bytes: [UInt8?], _ code: CommandCode?, _ frame: [UInt8?]?, _ tag: SelectedTag
  ) -> (text: String, isError: Bool, odd: String?) {
    if code == .inListPassiveTarget {
      guard let count = bytes.first.flatMap(\.self) else { return ("an empty answer", true, nil) }
      guard count > 0 else { return ("nothing", false, nil) }
      let uid = tag.uid.map { " \(Hex.string($0))" } ?? ""
      let sak = tag.sak.map { ", SAK \(Hex.byte($0).uppercased())" } ?? ""
      return (
        "\(counted(Int(count), "tag")):\(uid)\(sak)", false, count > 1 ? "more than one tag" : nil
      )
    }
    guard code?.answersWithStatus == true else {
      return (bytes.isEmpty ? "done" : counted(bytes.count, "byte"), false, nil)
    }
    guard let status = bytes.first.flatMap(\.self) else { return ("an empty answer", true, nil) }
    guard status & 0x3F == 0 else {
      return ("\(StatusCode(rawValue: status & 0x3F))", true, nil)
    }
    guard let frame else { return ("done", false, nil) }
    return TagWords.answer(Array(bytes.dropFirst()), to: frame, tag)
  }
}
