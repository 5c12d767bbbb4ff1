import Foundation
import PN532Simulator
import Testing

@testable import Bench
@testable import nfcprog

@Suite("What is written for people")
struct TerminalTextTests {
  @Test("holds no order to a terminal, whoever wrote the text")
  func orders() {
    let strange: [Unicode.Scalar] = ["\u{202E}", "\u{2066}", "\u{2028}", "\u{200F}"]
    for scalar in (0...0x9F as ClosedRange<UInt32>).compactMap({ Unicode.Scalar($0) })
      + strange
    where !scalar.isASCII || scalar.value < 0x20 || scalar.value == 0x7F {
      let text = TerminalText.shown("a\(scalar)b")
      let isKept = scalar == "\n" || scalar == "\t" || scalar.value >= 0xA0 && scalar.value < 0x2000
      #expect(text == (isKept ? "a\(scalar)b" : "a\\u{\(String(scalar.value, radix: 16))}b"))
    }
    #expect(TerminalText.shown("x\u{1B}[2J\u{1B}[HPASS") == "x\\u{1b}[2J\\u{1b}[HPASS")
    #expect(TerminalText.shown("\u{1B}]0;title\u{7}") == "\\u{1b}]0;title\\u{7}")
    #expect(TerminalText.shown("Größe „A17“ \u{1F600}") == "Größe „A17“ \u{1F600}")
  }

  @Test("keeps the program's own colours", arguments: Console.Style.allCases)
  func colours(style: Console.Style) {
    let text = "\u{1B}[\(style.rawValue)mPASS\u{1B}[0m"
    #expect(TerminalText.shown(text) == text)
    #expect(TerminalText.shown("\u{1B}[\(style.rawValue)") == "\\u{1b}[\(style.rawValue)")
  }

  @Test("is broken between words, loses none of them, and keeps a link whole", arguments: 0..<200)
  func lines(seed: Int) {
    var numbers = SplitMix64(state: UInt64(seed))
    let words = (0..<Int.random(in: 1...40, using: &numbers)).map { _ in
      String(repeating: "wö", count: Int.random(in: 1...35, using: &numbers))
    }
    let indent = String(repeating: " ", count: seed % 5)
    let text = indent + words.joined(separator: " ")
    let lines = TerminalText.laidOut(text, columns: 60).split(separator: "\n")
    #expect(lines.flatMap { $0.split(separator: " ") }.map(String.init) == words)
    for line in lines where line.count > 60 {
      #expect(line.split(separator: " ").count == 1, "\(line)")
    }
    #expect(
      lines[0].hasPrefix(indent) && lines.dropFirst().allSatisfy { $0.hasPrefix(indent + "  ") })
    #expect(TerminalText.laidOut(text, columns: nil) == text)
    let table = "  a    b   c\n\n  d    e   f\n"
    #expect(TerminalText.laidOut(table, columns: 60) == table)
  }
}
