import Testing

@testable import Bytes

@Suite("A text for a terminal")
struct EscapingTests {
  /// Each scalar of the first planes, and those that turn the direction of writing.
  private static let scalars = (0..<0x3000 as Range<UInt32>).compactMap { Unicode.Scalar($0) }

  @Test("has no character that acts on one, and keeps all others")
  func orders() {
    for scalar in Self.scalars {
      let text = "a\(scalar)b"
      let kind = scalar.properties.generalCategory
      let acts =
        [.control, .lineSeparator, .paragraphSeparator].contains(kind)
        || scalar.properties.isBidiControl
      let escaped = "a\\u{\(String(scalar.value, radix: 16))}b"
      #expect(text.escapingControls == (acts ? escaped : text), "\(scalar.value)")
      let isLine = scalar == "\n" || scalar == "\t"
      #expect(text.escapingControlsInLines == (acts && !isLine ? escaped : text), "\(scalar.value)")
    }
    #expect("x\u{1B}[2J\u{9B}1mPASS".escapingControls == "x\\u{1b}[2J\\u{9b}1mPASS")
    #expect("\u{D}\u{A}".escapingControlsInLines == "\\u{d}\n")
  }
}
