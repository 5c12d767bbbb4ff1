import Bytes
import Foundation

/// Frames between a host and a real board, as somebody published them.
struct Capture: Decodable, CustomStringConvertible, Sendable {
  struct Step: Decodable, Sendable {
    /// `tx` from the host, `rx` to it, `event` in between.
    let dir: String
    let hex: String?
    let note: String?

    var bytes: [UInt8] { (try? Hex.bytes(hex ?? "")) ?? [] }
  }

  let id: String
  let source: String
  let context: String
  let level: String
  let frames: [Step]

  var description: String { id }

  static let all: [String: Capture] = {
    let path = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let text = (try? String(contentsOfFile: "/\(path)/captures.jsonl", encoding: .utf8)) ?? ""
    let captures = text.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(Capture.self, from: Data($0.utf8))
    }
    return Dictionary(uniqueKeysWithValues: captures.map { ($0.id, $0) })
  }()

  /// What the host sent, each with everything that came back until it sent again.
  var turns: [(sent: [UInt8], received: [UInt8], event: String?)] {
    var turns: [(sent: [UInt8], received: [UInt8], event: String?)] = []
    for step in frames {
      switch step.dir {
      case "tx": turns.append((step.bytes, [], nil))
      case "rx" where !turns.isEmpty && turns[turns.count - 1].event == nil:
        turns[turns.count - 1].received += step.bytes
      case "event" where !turns.isEmpty: turns[turns.count - 1].event = step.note ?? "event"
      default: break
      }
    }
    return turns
  }
}
