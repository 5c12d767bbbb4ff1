#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The end of a trace file, for a problem report.
///
/// A trace that nfcprog wrote has its secrets masked. Here it is not trusted: members that no trace
/// has are left out, and keys and passwords of commands that show what they are get masked again.
package struct TraceExcerpt: Hashable, Sendable {
  /// One JSON object each, as in the file.
  package private(set) var lines: [String] = []
  /// How many lines stood before these.
  package private(set) var leftOutBefore = 0
  /// How many lines are no line of a trace.
  package private(set) var unusable = 0

  /// The most lines that a report has: enough for several tags.
  package static let limit = 2000

  /// Takes the end of a file's text.
  package init(parsing text: some StringProtocol) {
    let all = text.split(whereSeparator: \.isNewline)
    leftOutBefore = max(0, all.count - Self.limit)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var isClassic = false
    for line in all {
      if let read = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) {
        isClassic = isClassic || read.authenticates
      }
    }
    for line in all.suffix(Self.limit) {
      guard let read = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)),
        read.isHexadecimal, let data = try? encoder.encode(read.masked(isClassic: isClassic))
      else {
        unusable += 1
        continue
      }
      lines.append(String(decoding: data, as: UTF8.self))
    }
  }

  /// A line of a trace (Docs/Formats.md), two characters a byte.
  private struct Line: Codable {
    var time: Double?
    var durationMs: Double?
    var command: String
    var answer: String?
    var error: String?
    var schema: Int?

    var isHexadecimal: Bool {
      (command + (answer ?? "")).allSatisfy { $0.isASCII && $0.isHexDigit || $0 == "*" }
    }

    /// The bytes as texts.
    private static func bytes(_ text: String) -> [String] {
      var bytes: [String] = []
      var rest = text.lowercased()[...]
      while !rest.isEmpty {
        bytes.append(String(rest.prefix(2)))
        rest = rest.dropFirst(2)
      }
      return bytes
    }

    /// What goes to the tag, and where it begins: behind InDataExchange and its target number, or
    /// behind InCommunicateThru.
    private var frame: (bytes: [String], start: Int)? {
      let all = Self.bytes(command)
      switch all.first {
      case "40": return (Array(all.dropFirst(2)), 2)
      case "42": return (Array(all.dropFirst()), 1)
      default: return nil
      }
    }

    /// Is true if it opens a sector of a MIFARE Classic.
    var authenticates: Bool {
      guard let frame = frame?.bytes, frame.count == 12 else { return false }
      return frame[0] == "60" || frame[0] == "61"
    }

    /// Returns the line with `**` for each byte of a key or password that its command shows to be
    /// one.
    func masked(isClassic: Bool) -> Line {
      guard let (frame, start) = frame, let code = frame.first else { return self }
      let isTrailer =
        isClassic && frame.count > 1 && UInt8(frame[1], radix: 16).map(Self.isTrailer) == true
      var (secret, secretAnswer): ([Range<Int>], [Range<Int>]) = ([], [])
      switch code {
      case "60", "61": secret = [2..<8]
      case "1b": (secret, secretAnswer) = ([1..<5], [1..<3])
      case "a0" where isTrailer: secret = [2..<8, 12..<18]
      case "30" where isTrailer: secretAnswer = [1..<7, 11..<17]
      default: break
      }
      var line = self
      line.command = Self.mask(command, secret, from: start)
      line.answer = answer.map { Self.mask($0, secretAnswer, from: 0) }
      return line
    }

    private static func isTrailer(_ block: UInt8) -> Bool {
      block < 128 ? block % 4 == 3 : block % 16 == 15
    }

    private static func mask(_ text: String, _ ranges: [Range<Int>], from start: Int) -> String {
      bytes(text).enumerated().map { index, byte in
        ranges.contains { $0.contains(index - start) } ? "**" : byte
      }.joined()
    }
  }
}
