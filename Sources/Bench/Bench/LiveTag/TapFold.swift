import PN532
import Readers

/// Makes taps of selections: which of them belong to one coming of a telephone. Pure; `now` is a
/// time since any start.
///
/// A telephone selects a tag several times (to look, to read, after letting go), and the chip says
/// no more than that it was let go of. So a tap is over at once where everything was read and the
/// reader's field is gone; else when nobody comes for a while. A hand cannot take a telephone away
/// and bring it back within a fifth of a second; a telephone's field may be off for a moment.
package struct TapFold: Sendable {
  /// How long one that has not read everything may take to select the tag again while its field is
  /// on.
  package static let patience = Duration.seconds(1)
  /// A telephone whose field is gone may take this long to select the tag again.
  package static let blink = Duration.milliseconds(200)
  /// A telephone that has read everything may take this long to select the tag again while its
  /// field is on.
  package static let briefPatience = Duration.milliseconds(300)

  private var open: Tap?
  private var start = Duration.zero
  private var lastSign = Duration.zero
  private var isSelected = false
  private var due: Duration?
  private var count = 0
  /// A tag that proves itself has shown this to the selection that is under way.
  private var shown: (message: [UInt8], counter: Int)?

  package init() {}

  /// Returns whether a tap goes on at `now`, so that the tag shows the same as before.
  package func isUnderWay(at now: Duration) -> Bool {
    open != nil && (isSelected || due.map { now < $0 } ?? true)
  }

  /// When the open tap is over unless somebody comes.
  package var dueTime: Duration? { isSelected ? nil : due }

  /// Somebody selects the tag, which holds `message`; ends a tap that was over.
  package mutating func select(
    at now: Duration, holding message: [UInt8], asStandIn: Bool = false
  ) -> Tap? {
    let ended = isUnderWay(at: now) ? nil : close()
    if open == nil { (open, start) = (Tap(message: message, holdsStandIns: asStandIn), now) }
    open?.select()
    (isSelected, due, lastSign, shown) = (true, nil, now, nil)
    return ended
  }

  package mutating func hear(_ command: [UInt8], at now: Duration) {
    open?.hear(command)
    lastSign = now
  }

  /// This selection is shown `message`, reading number `counter` of the tag.
  package mutating func count(_ counter: Int, showing message: [UInt8]) {
    open?.counters.append(counter)
    shown = (message, counter)
  }

  /// How a selection has ended.
  package struct End: Sendable {
    package var readCount = 0
    package var isWhole = false
    package var written = Tap.Written.nothing
    package var status: StatusCode?
    /// Is true if the reader's field is still there.
    package var fieldIsOn = false

    package init() {}
  }

  /// It was let go of; returns the tap where it is over with that.
  package mutating func release(_ end: End, at now: Duration) -> Tap? {
    guard isSelected else { return nil }
    isSelected = false
    lastSign = max(lastSign, now)
    guard var tap = open else { return nil }
    // Of several readings the tap tells of the one that got furthest.
    if let shown,
      end.isWhole || !tap.isWhole && end.readCount > 0 && end.readCount >= tap.readCount
    {
      (tap.message, tap.reading, tap.holdsStandIns) = (shown.message, shown.counter, false)
    }
    // Behind a message that was taken, another is read than that of this tap.
    if case .taken = tap.written {
    } else {
      tap.readCount = max(tap.readCount, end.readCount)
      if end.isWhole { tap.isWhole = true }
    }
    if end.written != .nothing { tap.written = end.written }
    tap.ending = end.status
    open = tap
    let isDone = tap.isWhole || tap.written != .nothing
    if isDone, !end.fieldIsOn { return close() }
    due = now + (isDone ? Self.briefPatience : end.fieldIsOn ? Self.patience : Self.blink)
    return nil
  }

  /// The open tap, where nobody has come for long enough.
  package mutating func expire(at now: Duration) -> Tap? {
    guard let due = dueTime, now >= due else { return nil }
    return close()
  }

  /// The open tap, at the end of all.
  package mutating func finish() -> Tap? {
    isSelected = false
    return close()
  }

  /// A selection without a word is no tap: telephones do that to look.
  private mutating func close() -> Tap? {
    defer { (open, due, isSelected) = (nil, nil, false) }
    guard var tap = open, !tap.commands.isEmpty else { return nil }
    count += 1
    tap.number = count
    tap.duration = lastSign - start
    return tap
  }
}
