import Dispatch
import NDEF
import PN532
import Readers
import Synchronization
import TagMemory

/// Plays a Type 4 tag on a board, tap after tap, until `shouldStop` is true.
package final class LiveTag {
  private let session: ReaderSession
  private let content: any LiveContent
  private let isWritable: Bool
  private let onTap: @Sendable (Tap) -> Bool
  private let onArmed: () -> Void
  /// The last three bytes of the UID: 08h before them says that it is made up anew each time.
  private let identity = (0..<3).map { _ in UInt8.random(in: .min ... .max) }
  private let taps = Taps()
  private let interrupt: @Sendable () -> Void

  /// The open tap, which a timer may end while the reader's thread waits for a telephone.
  private final class Taps: Sendable {
    private let state = Mutex((fold: TapFold(), isOver: false))
    private let start = ContinuousClock.now

    var now: Duration { start.duration(to: .now) }

    /// Does `body` and tells what it returns; true where whoever was told of that wants no more.
    func change(_ tell: (Tap) -> Bool, _ body: (inout TapFold, Duration) -> Tap?) -> Bool {
      state.withLock { state in
        guard let tap = body(&state.fold, now), !state.isOver, !tell(tap) else { return false }
        state.isOver = true
        return true
      }
    }

    func look<Value: Sendable>(_ body: (TapFold, Duration) -> Value) -> Value {
      state.withLock { body($0.fold, now) }
    }
  }

  /// `onTap` is told of each tap that is over and says whether to go on; it may be called on
  /// another thread. `onArmed`: telephones can come from now on.
  package init(
    _ session: ReaderSession, _ content: any LiveContent, isWritable: Bool = false,
    onArmed: @escaping () -> Void = {}, onTap: @escaping @Sendable (Tap) -> Bool
  ) {
    (self.session, self.content, self.isWritable) = (session, content, isWritable)
    (self.onTap, self.onArmed, interrupt) = (onTap, onArmed, session.interrupt)
  }

  /// `message`, where a Type 4 tag can hold it. Fails with `badInput`.
  package static func fitting(_ message: [UInt8]) throws(BenchError) -> [UInt8] {
    guard message.count <= Type4Responder.longestMessage else {
      throw BenchError(
        .badInput,
        "The message has \(message.count) bytes; the file of a Type 4 tag has room for \(Type4Responder.longestMessage)."
      )
    }
    return message
  }

  /// The run ends when the board has failed this often, within `failureMemory`, to become a tag. A
  /// few disturbances of the line in a day do not end it.
  private static let mostFailures = 3
  private static let failureMemory = Duration.seconds(10)

  /// Plays until `shouldStop`, after which somebody calls the session's `interrupt`, or until
  /// `onTap` has had enough. The board is a reader again afterwards.
  ///
  /// Fails with `unavailable` for a reader that cannot be a tag, or is gone.
  package func run(shouldStop: () -> Bool) throws(BenchError) {
    let reader = session.reader
    do throws(ReaderError) {
      try reader.requirePlaying()
      var failures: [ContinuousClock.Instant] = []
      while !shouldStop() {
        do throws(ReaderError) {
          try reader.waitForReader(identity) {
            if !isArmed { onArmed() }
            isArmed = true
          }
          if try serve(reader) { break }
        } catch .interrupted {
          break
        } catch {
          // A frame that the line has damaged; not a line that is gone.
          switch error {
          case .boardSilent, .boardGarbled, .boardRefused: break
          default: throw error
          }
          let now = ContinuousClock.now
          failures = failures.filter { $0.duration(to: now) < Self.failureMemory } + [now]
          guard failures.count < Self.mostFailures else { throw error }
        }
      }
      try reader.stopPlaying()
    } catch {
      try? reader.stopPlaying()
      _ = taps.change(onTap) { fold, _ in fold.finish() }
      throw failure ?? BenchError(error)
    }
    _ = taps.change(onTap) { fold, _ in fold.finish() }
    if let failure { throw failure }
  }

  /// Takes an end back that was asked for when the run had ended by itself, so that the next one is
  /// not ended by it.
  package func settle() { try? session.reader.stopPlaying() }

  private var failure: BenchError?
  private var responder: Type4Responder?
  private var lastHeld: [UInt8] = []
  private var isArmed = false

  /// One selection, to its end; true where that was the last.
  private func serve(_ reader: TagReader) throws(ReaderError) -> Bool {
    let isSame = taps.look { fold, now in fold.isUnderWay(at: now) }
    let held = isSame ? nil : content.message()
    if let held {
      lastHeld = held
      responder = Type4Responder(message: held, isWritable: isWritable)
    }
    guard var tag = responder else { return true }
    tag.activate()
    let message = lastHeld
    let hidden = content.holdsStandIns
    if taps.change(
      onTap, { fold, now in fold.select(at: now, holding: message, asStandIn: hidden) })
    {
      return true
    }
    var end = TapFold.End()
    var lost: ReaderError?
    do throws(ReaderError) { end.status = try converse(reader, &tag) } catch { lost = error }
    // The telephone keeps what it has read and written, also where the contact broke off.
    (end.readCount, end.isWhole) = (tag.readCount, tag.wasReadWhole)
    end.written = take(tag.writing)
    if lost == nil, end.status == .released { end.fieldIsOn = reader.hearsField() }
    let isOver = taps.change(onTap) { fold, now in fold.release(end, at: now) }
    if let lost { throw lost }
    if isOver || failure != nil { return true }
    expireLater()
    return false
  }

  /// Answers one reader until it goes; returns how the chip says so.
  private func converse(
    _ reader: TagReader, _ tag: inout Type4Responder
  ) throws(ReaderError) -> StatusCode? {
    var hasShown = false
    while true {
      switch try reader.hear() {
      case .over(let status): return status
      case .command(let bytes):
        _ = taps.change(onTap) { fold, now in
          fold.hear(bytes, at: now)
          return nil
        }
        if !hasShown, tag.givesOut(bytes) {
          hasShown = true
          do throws(BenchError) {
            if let (shown, counter) = try content.reading() {
              tag.show(shown)
              _ = taps.change(onTap) { fold, _ in
                fold.count(counter, showing: shown)
                return nil
              }
            }
          } catch {
            // Nothing is given out whose counter is not kept.
            failure = error
            return nil
          }
        }
        if case .over(let status)? = try reader.answer(tag.answer(bytes)) { return status }
        tag.noteArrival()
      }
    }
  }

  /// What a telephone has left in the file.
  private func take(_ writing: Type4Responder.Writing) -> Tap.Written {
    switch writing {
    case .nothing: return .nothing
    case .unfinished: return .refused("it has not finished")
    case .message(let bytes):
      guard RawMessage(parsing: bytes).faults.isEmpty else {
        return .refused("it is no NDEF message")
      }
      do throws(BenchError) {
        try content.keep(bytes)
      } catch {
        failure = error
        return .refused("it cannot be kept: \(error.reason)")
      }
      lastHeld = bytes
      responder = Type4Responder(message: bytes, isWritable: isWritable)
      return .taken(bytes)
    }
  }

  /// Tells of the open tap once it is over, while this thread waits for the next.
  private func expireLater() {
    guard let due = taps.look({ fold, _ in fold.dueTime }) else { return }
    let wait = due - taps.now
    let (taps, onTap, interrupt) = (taps, onTap, interrupt)
    DispatchQueue.global().asyncAfter(
      deadline: .now() + .microseconds(max(0, Int(wait / .microseconds(1))) + 1000)
    ) {
      if taps.change(onTap, { fold, now in fold.expire(at: now) }) { interrupt() }
    }
  }
}
