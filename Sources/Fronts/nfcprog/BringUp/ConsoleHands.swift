import BringUp
import LibNFCReaders
import Readers

/// A person at a real board: asked on standard error, answering by what lies on the reader and on
/// the keyboard.
final class ConsoleHands: BringUpHands {
  private let console: Console
  /// How long a tag is waited for.
  private let patience: Duration
  private let shouldStop: () -> Bool
  /// Reads what a person types; nil where nobody sits there.
  private let keyboard: LineKeyboard?
  /// The tag that was put there when it was asked for, and for what.
  private var given: (wish: TagWish, tags: [SeenTag])?
  /// What nobody had.
  private var missing: Set<TagWish> = []

  init(_ console: Console, patience: Duration, shouldStop: @escaping () -> Bool) {
    (self.console, self.patience, self.shouldStop) = (console, patience, shouldStop)
    keyboard = .ifAttended
  }

  func present(_ wish: TagWish, to bench: BringUpBench) throws(ReaderError) -> Bool {
    guard wish != .nothing else { return true }
    guard !missing.contains(wish) else { return false }
    if let given, given.wish == wish, try bench.seenTags(for: wish) == given.tags { return true }
    // What lies there has to go first: whoever lays a tag down to be written must have been asked
    // for that.
    if wish.isWritten { guard try waitForAbsence(bench) else { return refuse(wish) } }
    let skip = keyboard == nil ? "" : " (Enter: skip)"
    console.complain(wish.request + skip)
    let deadline = ContinuousClock.now + patience
    // What still lies there from the point before needs no remark.
    var known = try bench.seenTags(for: wish)
    repeat {
      if shouldStop() { throw .interrupted }
      if keyboard?.line() != nil { return refuse(wish) }
      let tags = try bench.seenTags(for: wish)
      if wish.isMet(by: tags) {
        given = (wish, tags)
        return true
      }
      if !tags.isEmpty, tags != known {
        console.complain("This is another tag. " + wish.request + skip)
        known = tags
      }
      bench.wait(.milliseconds(150))
    } while ContinuousClock.now < deadline
    return refuse(wish)
  }

  private func refuse(_ wish: TagWish) -> Bool {
    missing.insert(wish)
    return false
  }

  /// Waits until nothing lies there, three looks on end. False where something stays.
  private func waitForAbsence(_ bench: BringUpBench) throws(ReaderError) -> Bool {
    given = nil
    let deadline = ContinuousClock.now + patience
    var (empty, isAsked) = (0, false)
    repeat {
      if shouldStop() { throw .interrupted }
      empty = try bench.seenTags().isEmpty ? empty + 1 : 0
      if empty == 3 { return true }
      if empty == 0, !isAsked {
        console.complain("Take everything off the reader.")
        isAsked = true
      }
      if isAsked, keyboard?.line() != nil { return false }
      bench.wait(.milliseconds(100))
    } while ContinuousClock.now < deadline
    return false
  }

  func liftWhileWriting(round: Int, of count: Int) throws(ReaderError) -> Duration? {
    console.complain(
      "The card is written now, again and again. Take it off the reader (\(round) of \(count)).")
    return patience
  }

  func layBack(_ uid: [UInt8], to bench: BringUpBench) throws(ReaderError) -> Bool {
    console.complain("Put the same card back on the reader, alone.")
    let deadline = ContinuousClock.now + patience
    repeat {
      if shouldStop() { throw .interrupted }
      if try bench.seenTags().map(\.uid) == [uid] { return true }
      bench.wait(.milliseconds(150))
    } while ContinuousClock.now < deadline
    return false
  }

  func lift() throws(ReaderError) -> Bool {
    guard let keyboard else { return false }
    console.complain("Take the tag off the reader, then press Enter.")
    guard try keyboard.wait(patience, shouldStop) != nil else { return false }
    given = nil
    return true
  }

  func cutPower() throws(ReaderError) -> ConnectionString? {
    guard let keyboard, let reopened = connection else { return nil }
    console.complain("Unplug the reader, plug it in again, then press Enter.")
    guard try keyboard.wait(patience * 4, shouldStop) != nil else { return nil }
    return reopened
  }

  /// Where the reader is, for after it was unplugged.
  var connection: ConnectionString?

  func ask(_ question: String) throws(ReaderError) -> Bool? {
    guard let keyboard else { return nil }
    console.complain("\(question) (y, n; Enter: skip)")
    return try keyboard.agrees(patience * 10, shouldStop)
  }
}
