import PN532
import TagMemory
import Testing

@testable import Readers

@Suite("More care after each failure")
struct CareTests {
  private let page = "00000000"
  private let patient = ("32 02 00 0b 0a", ScriptedLink.Answer.bytes(""))
  private let ntagAgain = ("4a0100 8804a1b2c3d4e5f6", ScriptedLink.Answer.bytes(ntag))

  private func pages(_ count: Int) -> String {
    "00" + String(repeating: page, count: count)
  }

  @Test("From the second pass on a tag has 51.2 ms, until the next tag comes")
  func patience() throws {
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(ntag)), patient, ntagAgain, ntagAgain,
        ("32 02 00 0b 08", .bytes("")), ("320100", .bytes("")), ("4a0200", .bytes(ntag)),
      ])
    let reader = TagReader(link: link)
    let tag = try reader.select()
    reader.takeMoreCare(after: nil)
    for _ in 1...2 { try reader.reselect(tag) }
    #expect(reader.exchangeTime.patience == .microseconds(51_200))
    reader.forgetCare()
    _ = try reader.select()
    #expect(reader.exchangeTime.patience == .microseconds(12_800))
    // What concerns the tag before is not put on the next one's account.
    #expect(reader.counts.frames - reader.lastLook.counts.frames == 2)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test(
    "A FAST_READ that is too long for chip or wire is asked for in parts, then READ takes its place",
    arguments: ["07", "0e", "00 0102", "00"])
  func shorter(failure: String) throws {
    let link = ScriptedLink(
      [("42 3a 00 1d", .bytes(failure)), ("42 3a 00 0b", .bytes(failure))]
        + stride(from: 0, through: 26, by: 4).map { first in
          let start = min(first, 26)
          return ("4001 30 " + (start < 16 ? "0" : "") + String(start, radix: 16), .bytes(pages(4)))
        } + [("4001 30 1a", .bytes(pages(4)))])
    let reader = TagReader(link: link)
    for _ in 1...2 {
      #expect(throws: ReaderError.self) { try reader.fastRead(0...29) }
      reader.takeMoreCare(after: nil)
    }
    #expect(try reader.fastRead(0...29).count == 120)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("A tag that does not know FAST_READ is read with READ from the second pass on")
  func noFastRead() throws {
    let memory = (0..<64).map { UInt8($0) }
    for status in ["01", "02", "05"] {
      let link = ScriptedLink([("42 3a 02 0b", .bytes(status))])
      link.afterwards = { sent in
        guard sent.hasPrefix("400130"), let page = Int(sent.suffix(2), radix: 16), page <= 8 else {
          return .bytes("01")
        }
        return .bytes(
          "00"
            + memory[page * 4..<page * 4 + 16].map { String(0x100 + Int($0), radix: 16).suffix(2) }
            .joined())
      }
      let reader = TagReader(link: link)
      #expect(throws: ReaderError.self) { try reader.fastRead(2...11) }
      reader.takeMoreCare(after: nil)
      // Never beyond the last page, which may be the last that may be read.
      #expect(try reader.fastRead(2...11) == Array(memory[8..<48]))
      #expect(try reader.fastRead(2...3) == Array(memory[8..<16]))
      reader.forgetCare()
      link.afterwards = { _ in .bytes(self.pages(10)) }
      #expect(try reader.fastRead(2...11).count == 40)
    }
  }

  @Test("A pass that failed by something else leaves FAST_READ as it is")
  func otherFailure() throws {
    let link = ScriptedLink([("42 3a 00 3b", .bytes(pages(60)))])
    let reader = TagReader(link: link)
    reader.takeMoreCare(after: .exchangeFailed(.timeout))
    #expect(try reader.fastRead(0...59).count == 240)
  }

  @Test("The second failure of the line within one job slows it down; the tag's failures do not")
  func slowLine() {
    final class Line: ChipLink {
      let name = "line"
      var slowed = 0
      func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] { [] }
      func slowDown() { slowed += 1 }
      func close() {}
    }
    let line = Line()
    let reader = TagReader(link: line)
    let (silent, garbled) = (
      ReaderError.boardSilent(reader: "line"), ReaderError.boardGarbled(reader: "line")
    )
    for error in [nil, .exchangeFailed(.timeout), silent] { reader.takeMoreCare(after: error) }
    reader.forgetCare()
    for error in [nil, .exchangeFailed(.timeout), garbled] { reader.takeMoreCare(after: error) }
    #expect(line.slowed == 0)
    reader.takeMoreCare(after: silent)
    #expect(line.slowed == 1)
  }
}
