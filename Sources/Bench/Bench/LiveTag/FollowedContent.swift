import Dispatch
import NDEF
import Synchronization

/// Follows a file that holds a message, or a text from which a message is made.
///
/// The file is looked at all the time, by a thread of its own: to read it, and to find out whether
/// its link wakes the app, may take longer than a telephone waits for an answer.
package final class FollowedContent: LiveContent, Sendable {
  /// Makes sure of what a file holds.
  package struct Demands: Sendable {
    /// Makes a message of the line that a file holds, where that may be played.
    package let message: @Sendable (_ line: String) throws(BenchError) -> Message
    /// Fails where the message that a file holds may not be played.
    package let check: @Sendable (_ message: [UInt8]) throws(BenchError) -> Void

    package init(
      message: @escaping @Sendable (_ line: String) throws(BenchError) -> Message,
      check: @escaping @Sendable (_ message: [UInt8]) throws(BenchError) -> Void
    ) {
      (self.message, self.check) = (message, check)
    }
  }

  private let path: String
  private let demands: Demands
  private let onTrouble: @Sendable (BenchError) -> Void
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "followed file")

  private struct State {
    var message: [UInt8]
    /// The bytes of the file from which `message` was made.
    var source: [UInt8]
    var rejected: Rejected?
  }

  /// Holds bytes of the file that the board does not play; nil where the file cannot be read.
  private struct Rejected {
    let source: [UInt8]?
    let reason: BenchError
    var isTold = false
  }

  /// The thread looks at the file again after this time.
  private static let pause = DispatchTimeInterval.milliseconds(50)

  /// Reads the file. Fails with `noInput`, and with `badInput` for what is no message, and for what
  /// is no file that can be read again.
  package init(
    _ path: String, _ demands: Demands, onTrouble: @escaping @Sendable (BenchError) -> Void
  ) throws(BenchError) {
    (self.path, self.demands, self.onTrouble) = (path, demands, onTrouble)
    let source = try Files.readRegular(path)
    let message = try Self.message(source, at: path, demands)
    state = Mutex(State(message: message, source: source))
    lookLater()
  }

  package func message() -> [UInt8] { state.withLock(\.message) }
  package func keep(_ message: [UInt8]) throws(BenchError) {}

  private func lookLater() {
    queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
      self?.look()
      self?.lookLater()
    }
  }

  /// Takes the file as it is now, if the board may play it. A program may be writing the file: bad
  /// content is reported only if the next look finds it, too.
  private func look() {
    var found: [UInt8]?
    var trouble: BenchError?
    do throws(BenchError) { found = try Files.readRegular(path) } catch { trouble = error }
    let before = state.withLock { $0 }
    if found == before.source {
      state.withLock { $0.rejected = nil }
    } else if let rejected = before.rejected, rejected.source == found {
      guard !rejected.isTold else { return }
      state.withLock { $0.rejected?.isTold = true }
      onTrouble(rejected.reason)
    } else {
      var message: [UInt8]?
      if let found {
        do throws(BenchError) { message = try Self.message(found, at: path, demands) } catch {
          trouble = error
        }
      }
      state.withLock { state in
        if let found, let message {
          state = State(message: message, source: found)
        } else {
          state.rejected = trouble.map { Rejected(source: found, reason: $0) }
        }
      }
    }
  }

  private static func message(
    _ source: [UInt8], at path: String, _ demands: Demands
  ) throws(BenchError) -> [UInt8] {
    if !source.isEmpty, RawMessage(parsing: source).faults.isEmpty {
      let message = try LiveTag.fitting(source)
      try demands.check(message)
      return message
    }
    guard let text = String(validating: source, as: UTF8.self) else {
      throw BenchError(.badInput, "\(path) holds neither an NDEF message nor a URL.")
    }
    let line = text.trimmingSpace
    guard !line.isEmpty, !line.contains(where: \.isNewline) else {
      throw BenchError(.badInput, "\(path) is to hold one URL, in one line, or an NDEF message.")
    }
    return try LiveTag.fitting(try demands.message(line).serialize())
  }
}

extension String {
  /// Without what stands around it and nobody sees.
  fileprivate var trimmingSpace: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
