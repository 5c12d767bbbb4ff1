import Bytes
import PN532Simulator
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One conversation with a virtual tag, from a file in `Sessions/`.
///
///     == what it shows
///     tag ntag213 uid=04112233445566
///     set 3 E1101200               the page or block, stored without any cycle
///     select                       also: power, halt
///     auth A 04 FFFFFFFFFFFF | ok  the block in hexadecimal; or: no; a UID may follow
///     30 04 | 0103A00C…            a frame and its answer: bytes, [A] for a nibble, - for silence
///     state | active
///
/// `#` starts a comment.
struct Session: Sendable, CustomTestStringConvertible {
  struct Line: Sendable {
    let number: Int
    let words: [String]
    let expected: String?
  }

  let name: String
  var lines: [Line] = []
  var testDescription: String { name }

  static func load(_ file: String, from source: String = #filePath) throws -> [Session] {
    let folder = source.split(separator: "/").dropLast().joined(separator: "/")
    let data = try Data(contentsOf: URL(filePath: "/\(folder)/Sessions/\(file).txt"))
    var sessions: [Session] = []
    let text = String(decoding: data, as: UTF8.self)
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
      if line.hasPrefix("== ") {
        sessions.append(Session(name: String(line.dropFirst(3))))
        continue
      }
      let parts = line.split(separator: "|", omittingEmptySubsequences: false)
      let words = parts[0].split(separator: " ").map(String.init)
      guard !words.isEmpty else { continue }
      let expected = parts.count > 1 ? parts[1].filter { $0 != " " } : nil
      sessions[sessions.count - 1].lines.append(
        Line(number: index + 1, words: words, expected: expected))
    }
    return sessions
  }

  /// Runs the lines; `report` gets each one whose answer is another than the file's.
  func run(report: (Line, String) -> Void) throws {
    var tag: any VirtualTag = try TagCatalog.tag("ntag213")
    for line in lines {
      let answer: String?
      switch line.words[0] {
      case "tag":
        let uid = line.words.dropFirst(2).first.map { String($0.dropFirst(4)) }
        tag = try TagCatalog.tag(line.words[1], uid: uid.map { try Hex.bytes($0) })
        answer = nil
      case "select", "power", "halt":
        switch line.words[0] {
        case "select": tag.select()
        case "power": tag.powerOff()
        default: tag.halt()
        }
        answer = nil
      case "set":
        let bytes = try Hex.bytes(line.words[2...].joined())
        let offset = Int(line.words[1])! * (tag is VirtualClassic ? 16 : 4)
        var image = tag.eeprom.bytes
        image.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        tag.eeprom.load(image)
        answer = nil
      case "auth":
        let uid = try line.words.dropFirst(4).first.map { try Hex.bytes($0) }
        let isOpen = try tag.authenticate(
          command: line.words[1] == "A" ? 0x60 : 0x61, block: Hex.bytes(line.words[2])[0],
          key: Hex.bytes(line.words[3]), uid: uid ?? Array(tag.uid.suffix(4)))
        answer = isOpen ? "ok" : "no"
      case "state": answer = "\(tag.state)"
      default: answer = tag.receive(try Hex.bytes(line.words.joined())).text
      }
      if answer?.uppercased() != line.expected?.uppercased() { report(line, answer ?? "nothing") }
    }
  }
}

extension TagAnswer {
  /// As the session files spell it.
  var text: String {
    switch self {
    case .data(let bytes): Hex.string(bytes).uppercased()
    case .nibble(let value): "[\(String(value, radix: 16).uppercased())]"
    case .silence: "-"
    }
  }
}
