import NDEF
import Testing

@testable import TagMemory

@Suite("What a tag shows of a message that it fills in")
struct VaryingMessageTests {
  private static let uid = UID([0x04, 0x79, 0x37, 0x3A, 0x9E, 0x6C, 0x80])

  private static func text(_ message: VaryingMessage) -> String {
    var bytes = message.bytes
    for place in message.places { bytes[place.offset] = UInt8(ascii: "_") }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "a UID is known with the tag, and a counter never is",
    arguments: [
      (ASCIIMirror.Content.uid, "t/0479373A9E6C80", "t/04____________"),
      (.counter, "t/______", "t/______"),
      (.uidAndCounter, "t/0479373A9E6C80x______", "t/04____________x______"),
    ])
  func mirror(_ content: ASCIIMirror.Content, _ known: String, _ unknown: String) {
    let message = Array("t/\(content.placeholder)".utf8)
    let mirror = MessageMirror(content, offset: 2)
    #expect(Self.text(VaryingMessage(message, mirror: mirror, uid: Self.uid)) == known)
    #expect(Self.text(VaryingMessage(message, mirror: mirror, uid: nil)) == unknown)
    // As journals and copies have it.
    let settled = mirror.settled(message, on: UID([4, 1, 2, 3, 4, 5, 6]))
    #expect(Self.text(VaryingMessage(settled, mirror: mirror, uid: nil)) == unknown)
  }

  @Test(
    "of a proof nothing is known but what stands beside it",
    arguments: [
      ("https://e.com/{uid}x{counter}?c={mac}", 14, 6 + 16),
      ("https://e.com/{picc}?c={mac}", 0, 48),
      ("https://e.com/{tt}{uid}?c={mac}", 14, 2 + 16),
      ("https://e.com/{uid}?e={enc:order7}&c={mac}", 14, 32 + 16),
    ])
  func proof(_ template: String, _ ofUID: Int, _ others: Int) throws {
    let message = Array(try SDMTemplate.expand(template).text.utf8)
    let known = VaryingMessage(message, provesItself: true, uid: Self.uid)
    #expect(known.places.count == others)
    #expect(ofUID == 0 || Self.text(known).contains("0479373A9E6C80"))
    let unknown = VaryingMessage(message, provesItself: true, uid: nil)
    #expect(unknown.places.count == others + max(0, ofUID - 2))
    #expect(VaryingMessage(message, uid: nil).places.isEmpty)
  }

  @Test("samples tell each place by what stands in it")
  func samples() {
    let message = VaryingMessage([0, 0, 0, 0], VaryingMessage.digits(in: 0..<4))
    let (low, high) = (UInt8(ascii: "0"), UInt8(ascii: "F"))
    let numbers = (0..<4).map { place in
      message.samples.dropFirst().enumerated().reduce(0) {
        $1.element[place] == high ? $0 | 1 << $1.offset : $0
      }
    }
    #expect(numbers == [1, 2, 3, 4] && message.samples[0] == [low, low, low, low])
  }
}
