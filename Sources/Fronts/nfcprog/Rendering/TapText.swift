import Bench
import Bytes
import NDEF

/// A tap in words.
struct TapText {
  let tap: Tap

  init(_ tap: Tap) { self.tap = tap }

  /// `Tap 3: read all 27 bytes as an iPhone does, 2 selections, 0.21 s: https://…`
  var line: String {
    var text = "Tap \(tap.number): \(what)\(manner)"
    if tap.selectionCount > 1 { text += ", \(tap.selectionCount) selections" }
    text += ", \(TimeText.milliseconds(tap.duration)) ms"
    if let counter = tap.reading { text += ", reading \(counter)" }
    if tap.isWhole, tap.written == .nothing { text += ": \(Self.summary(tap.message))" }
    return text
  }

  private var what: String {
    switch tap.written {
    case .taken(let message): return "wrote \(Self.summary(message))"
    case .refused(let reason): return "wrote what is not taken (\(reason))"
    case .nothing: break
    }
    let length = counted(tap.message.count, "byte")
    if tap.isWhole { return "read all \(length)" }
    return tap.readCount > 0
      ? "left after \(tap.readCount) of \(length)" : "left before it had read the message"
  }

  private var manner: String {
    switch tap.reader {
    case .iPhone: ", as an iPhone does"
    case .iPhoneApp: ", as an app's session on an iPhone does"
    case .android: ", as an Android phone does"
    case .unknown: ""
    }
  }

  /// What is in a message, its records one behind the other.
  static func summary(_ message: [UInt8]) -> String {
    ((try? Message(parsing: message))?.records ?? []).map(\.content.summary)
      .joined(separator: ", ")
  }

  /// The word of the live view.
  var word: (text: String, style: Console.Style) {
    switch tap.written {
    case .taken: ("WRITTEN", .good)
    case .refused: ("NOT TAKEN", .bad)
    case .nothing: tap.isWhole ? ("READ", .good) : ("LEFT EARLY", .look)
    }
  }
}

/// Shows taps as they come: a line or an object each, and at a terminal a word to be read from
/// afar.
final class TapScreen: Sendable {
  private let console: Console

  init(_ console: Console) { self.console = console }

  /// Telephones can come.
  func arm() {
    large("HOLD PHONE", .bold)
    console.remark("The board is a tag now. Hold a telephone to it; Ctrl-C ends it.")
  }

  func show(_ tap: Tap) {
    let text = TapText(tap)
    large(text.word.text, text.word.style)
    if console.json { console.json(TapJSON(tap)) }
    if !(console.json && console.quiet) { console.result(text.line) }
    for command in tap.commands {
      console.detail("  \(command.isEmpty ? "(empty)" : Hex.string(command))")
    }
  }

  private func large(_ word: String, _ style: Console.Style) {
    guard console.showsProgress,
      let lines = BlockLetters.lines(word, symbol: nil, width: 78, height: 10)
    else { return }
    for line in [""] + lines + [""] { console.remark(console.styled(line, style)) }
  }
}
