import SeededNumbers
import Testing

@testable import JSON

@Suite("Random JSON")
struct RandomJSONTests {
  @Test("random JSON is read back as written, 5000 times")
  func randomJSON() throws {
    var random = SeededGenerator(seed: 4)
    func value(_ depth: Int) -> JSONText {
      let names = ["a", "é", "\"", "\\", "\u{1}", "😀", "/", ""]
      switch Int.random(in: 0..<(depth > 3 ? 4 : 6), using: &random) {
      case 0: return .null
      case 1: return .bool(Bool.random(using: &random))
      case 2: return .number(Int.random(in: -9_999...9_999, using: &random))
      case 3: return .string(random.text(of: names, upTo: 5))
      case 4:
        return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth + 1) })
      default:
        return .object(
          (0..<Int.random(in: 0...3, using: &random)).map { _ in
            (random.text(of: names, upTo: 3), value(depth + 1))
          })
      }
    }
    for _ in 0..<5_000 {
      let text = value(0)
      let line = try JSONDocument(parsing: text.line.utf8).root
      #expect(withoutPositions(line) == text.line)
      #expect(withoutPositions(try JSONDocument(parsing: text.pretty().utf8).root) == text.line)
    }
  }

  @Test("random bytes are refused or read as JSON, 30000 times")
  func randomBytes() {
    var random = SeededGenerator(seed: 5)
    let alphabet = Array(#"{}[]",:\u0aé1-.eE truefalsn"#.utf8) + [0xFF, 0, 0xEF, 0xBB, 0xBF]
    for _ in 0..<30_000 {
      let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        alphabet.randomElement(using: &random)!
      }
      do throws(JSONError) {
        let document = try JSONDocument(parsing: bytes)
        #expect(document.byteCount == bytes.count)
      } catch {
        #expect(error.position.line >= 1 && error.position.column >= 1)
      }
    }
  }
}
