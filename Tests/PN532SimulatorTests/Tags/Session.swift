import Bytes
import PN532Simulator
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One conversation with virtual tags, from a file in `Sessions/`.
///
///     == what it shows
///     tag ntag213 uid=04112233445566 blank    and other options of sim:
///     set 3 E1101200               the page or block, stored without any cycle
///     counter 2 5                  a counter outside the memory
///     random 0102030405060708      the next challenges
///     tear 2 7E                    the next cycle fails after two bytes, the third holds 7E
///     worn                         no cycle in the user memory succeeds any more
///     select                       also: power, halt
///     auth A 04 FFFFFFFFFFFF | ok  the block in hexadecimal; or: no; a UID may follow
///     poll 12FC 1 | 01…            system code, request code
///     30 04 | 0103A00C *12         a frame and its answer: bytes (*n: any n), [A] a nibble, -
///                                  silence
///     state | active
///
/// `#` starts a comment.
struct Session: Sendable, CustomTestStringConvertible {
  struct Line: Sendable {
    let number: Int
    let words: [String]
    let expected: [String]
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
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.split(separator: " ").map(String.init)
      }
      guard !parts[0].isEmpty else { continue }
      sessions[sessions.count - 1].lines.append(
        Line(number: index + 1, words: parts[0], expected: parts.count > 1 ? parts[1] : []))
    }
    return sessions
  }

  /// Runs the lines; `report` gets each one whose answer is another than the file's.
  func run(report: (Line, String) -> Void) throws {
    var tag: any StoredTag = try TagCatalog.tag("ntag213")
    for line in lines {
      if line.words[0] == "tag" {
        let words = line.words.dropFirst().map { $0 == "blank" ? "content=blank" : $0 }
        tag = try SimulatedTagSpec(parsing: words.joined(separator: ",")).tag(at: 0)
      } else {
        let answer = try tag.answer(to: line.words)
        if !line.accepts(answer) { report(line, answer) }
      }
    }
  }
}

extension Session.Line {
  /// Whether `answer` is what is expected; `*n` stands for any n bytes.
  func accepts(_ answer: String) -> Bool {
    var rest = answer.uppercased()[...]
    for word in expected {
      if word.hasPrefix("*"), let count = Int(word.dropFirst()) {
        guard rest.count >= 2 * count else { return false }
        rest = rest.dropFirst(2 * count)
      } else {
        guard rest.hasPrefix(word.uppercased()) else { return false }
        rest = rest.dropFirst(word.count)
      }
    }
    return rest.isEmpty
  }
}

extension StoredTag {
  /// Does what a session line says; the answer as the file spells it, empty for lines that have
  /// none.
  fileprivate func answer(to words: [String]) throws -> String {
    switch words[0] {
    case "select": select()
    case "power": powerOff()
    case "halt": halt()
    case "worn": eeprom.defects = userMemory
    case "tear":
      let (cycle, mixed) = (eeprom.programmingCycles, try Hex.bytes(words[2])[0])
      let count = Int(words[1])!
      eeprom.fate = { $0 == cycle ? .tears(afterBytes: count, mixed: mixed) : .completes }
    case "random":
      (self as! VirtualType2).generator = Constant(
        word: try Hex.bytes(words[1]).reduce(0) { $0 << 8 | UInt64($1) })
    case "counter": store(Int(words[2])!, in: "Counter \(words[1])")
    case "set":
      let bytes = try Hex.bytes(words[2...].joined())
      let offset = rows.numbers.firstIndex(of: Int(words[1])!)! * rows.size
      #expect(bytes.count == rows.size)
      var image = eeprom.bytes
      image.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      eeprom.load(image)
    case "auth":
      let isOpen = authenticate(
        command: words[1] == "A" ? 0x60 : 0x61, block: try Hex.bytes(words[2])[0],
        key: try Hex.bytes(words[3]),
        uid: words.count > 4 ? try Hex.bytes(words[4]) : Array(uid.suffix(4)))
      return isOpen ? "ok" : "no"
    case "poll":
      let code = try Hex.bytes(words[1]).reduce(0) { $0 << 8 | UInt16($1) }
      return poll(systemCode: code, requestCode: UInt8(words[2])!).map { Hex.string($0) } ?? "none"
    case "state": return "\(state)"
    default: return receive(try Hex.bytes(words.joined())).text
    }
    return ""
  }
}

/// A generator that always gives the same number.
private struct Constant: RandomNumberGenerator {
  let word: UInt64
  mutating func next() -> UInt64 { word }
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
