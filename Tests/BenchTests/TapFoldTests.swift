import Readers
import Testing

@testable import Bench

@Suite("Which selections are one tap")
struct TapFoldTests {
  private let read: [UInt8] = [0x00, 0xB0, 0x00, 0x00, 0x20]

  private func end(
    whole: Bool = false, read: Int = 0, field: Bool = false, _ written: Tap.Written = .nothing
  ) -> TapFold.End {
    var end = TapFold.End()
    (end.isWhole, end.readCount, end.fieldIsOn, end.written) = (whole, read, field, written)
    end.status = .released
    return end
  }

  @Test("a telephone that has read everything and whose field is gone has gone")
  func whole() throws {
    var fold = TapFold()
    let before = fold.select(at: .seconds(1), holding: [1, 2])
    #expect(before == nil)
    fold.hear(read, at: .milliseconds(1050))
    let ended = fold.release(end(whole: true, read: 2), at: .milliseconds(1100))
    let tap = try #require(ended)
    #expect(tap.number == 1 && tap.isWhole && tap.reader == .iPhone && tap.selectionCount == 1)
    #expect(tap.duration == .milliseconds(100) && tap.message == [1, 2])
    #expect(!fold.isUnderWay(at: .milliseconds(1101)))
    let rest = fold.finish()
    #expect(rest == nil)
  }

  @Test("of a tag that proves itself the tap tells of the reading that got furthest")
  func readings() throws {
    // Each: bytes of the message that a selection reads, of 4; nil: it asks for none.
    for (reads, told) in [
      ([4, 2], 1), ([2, 4], 2), ([1, 3, 2], 2), ([2, 2], 2), ([nil, 4], 1), ([4, 4], 2),
    ] as [([Int?], Int)] {
      var fold = TapFold()
      var counter = 0
      for (index, count) in reads.enumerated() {
        _ = fold.select(at: .milliseconds(10 * index), holding: [9, 9, 9, 9], asStandIn: true)
        fold.hear(read, at: .milliseconds(10 * index + 1))
        if count != nil {
          counter += 1
          fold.count(counter, showing: [UInt8](repeating: UInt8(counter), count: 4))
        }
        let ended = fold.release(
          end(whole: count == 4, read: count ?? 0, field: true),
          at: .milliseconds(10 * index + 2))
        #expect(ended == nil)
      }
      let finished = fold.finish()
      let tap = try #require(finished)
      #expect(tap.reading == told && tap.message[0] == UInt8(told), "\(reads)")
      #expect(tap.counters == Array(1...counter) && !tap.holdsStandIns)
    }
    // No telephone has read a byte, so the tap names no reading.
    for isCounted in [false, true] {
      var fold = TapFold()
      _ = fold.select(at: .zero, holding: [9], asStandIn: true)
      fold.hear(read, at: .zero)
      if isCounted { fold.count(1, showing: [1]) }
      _ = fold.release(end(whole: false, read: 0, field: true), at: .milliseconds(1))
      let finished = fold.finish()
      let tap = try #require(finished)
      #expect(tap.holdsStandIns && tap.reading == nil && tap.counters == (isCounted ? [1] : []))
    }
  }

  @Test("one that looks first, or comes back at once, is the same")
  func returns() throws {
    var fold = TapFold()
    _ = fold.select(at: .zero, holding: [1])
    let first = fold.release(end(field: true), at: .milliseconds(5))
    #expect(first == nil)
    #expect(fold.isUnderWay(at: .milliseconds(900)))
    let second = fold.select(at: .milliseconds(900), holding: [9])
    #expect(second == nil)
    fold.hear(read, at: .milliseconds(950))
    let third = fold.release(end(whole: true, read: 1, field: true), at: .milliseconds(960))
    #expect(third == nil)
    #expect(fold.dueTime == .milliseconds(1260))
    let early = fold.expire(at: .milliseconds(1259))
    let late = fold.expire(at: .milliseconds(1260))
    #expect(early == nil)
    let tap = try #require(late)
    #expect(tap.selectionCount == 2 && tap.message == [1] && tap.duration == .milliseconds(960))
  }

  @Test("one that left early and another after a while are two, and a look alone is none")
  func early() throws {
    var fold = TapFold()
    _ = fold.select(at: .zero, holding: [1, 2, 3])
    fold.hear([0x00, 0xB0, 0x00, 0x02, 0x01], at: .milliseconds(10))
    _ = fold.release(end(read: 1), at: .milliseconds(20))
    let selected = fold.select(at: .seconds(2), holding: [4])
    let first = try #require(selected)
    #expect(first.reader == .android && !first.isWhole && first.readCount == 1)
    let looked = fold.release(end(), at: .seconds(2))
    let expired = fold.expire(at: .seconds(3))
    #expect(looked == nil && expired == nil && fold.dueTime == nil)
    _ = fold.select(at: .seconds(4), holding: [4])
    fold.hear(read, at: .seconds(4))
    let last = fold.finish()
    #expect(last?.number == 2)
  }

  @Test("what was written ends it, too")
  func written() throws {
    var fold = TapFold()
    _ = fold.select(at: .zero, holding: [])
    fold.hear([0x00, 0xD6, 0, 0, 1, 0], at: .zero)
    let tap = fold.release(end(.taken([7])), at: .zero)
    #expect(tap?.written == .taken([7]))
  }

  @Test("an app's session on an iPhone is told by what it asks for first")
  func app() {
    var tap = Tap(message: [])
    tap.hear([0x90, 0x60, 0, 0, 0])
    #expect(tap.reader == .unknown)
    tap.hear([0x00, 0xA4, 0x04, 0x00, 0x10, 0xA0, 0, 0, 3, 0x96, 0x56, 0x43, 0x41, 0xFF, 0])
    tap.hear(read)
    #expect(tap.reader == .iPhoneApp)
    var other = Tap(message: [])
    other.hear([0x00, 0xA4, 0x00, 0x0C, 2, 0xE1, 0x03])
    other.hear([0x00, 0xB0, 0, 0, 15])
    other.hear([0x00, 0xA4, 0x00, 0x0C, 2, 0xE1, 0x04])
    other.hear([0x00, 0xB0, 0, 0, 2])
    other.hear([])
    #expect(other.reader == .unknown)
    // As long as the container is, and not the container.
    other.hear([0x00, 0xB0, 0, 0, 15])
    #expect(other.reader == .iPhone)
  }

  @Test("what is read behind a message that was taken is not the tap's message")
  func readsBack() throws {
    var fold = TapFold()
    _ = fold.select(at: .zero, holding: [1, 2])
    fold.hear([0x00, 0xD6, 0, 0, 1, 0], at: .zero)
    let first = fold.release(end(field: true, .taken([7, 8, 9])), at: .milliseconds(10))
    #expect(first == nil)
    _ = fold.select(at: .milliseconds(20), holding: [7, 8, 9])
    fold.hear(read, at: .milliseconds(30))
    let ended = fold.release(end(whole: true, read: 3), at: .milliseconds(40))
    let tap = try #require(ended)
    #expect(tap.readCount == 0 && !tap.isWhole && tap.written == .taken([7, 8, 9]))
  }
}
