import Bench
import Bytes
import JSON
import NDEF

/// A tap on a board that plays a tag: `emulate`. What is nil is absent.
struct TapJSON: OutputDocument {
  var command = "emulate"
  /// From 1.
  var tap: Int
  /// `read`, `left`, `written` or `refused`: what it wrote is not taken.
  var result: String
  /// By its commands: `iphone`, `iphone-app`, `android` or `unknown`.
  var reader: String
  var selections: Int
  /// Hexadecimal, in their order.
  var commands: [String]
  /// Bytes of the message, and how many of them were read in one selection.
  var length: Int
  var readLength: Int
  var complete: Bool
  var durationMs: Int
  /// Of the message that it could read; of a tag that proves itself, of one that it has read: a
  /// proof that nobody has seen is still good.
  var records: [RecordJSON]
  /// Of the message that it wrote, where the tag holds it now.
  var written: [RecordJSON]?
  /// Why what it wrote is not taken.
  var reason: String?
  /// Of a tag that proves itself: the number of each reading, and of the one that `records` show.
  var counters: [Int]?
  var counter: Int?

  init(_ tap: Tap) {
    self.tap = tap.number
    reader = tap.reader.rawValue
    (selections, length) = (tap.selectionCount, tap.message.count)
    (readLength, complete) = (tap.readCount, tap.isWhole)
    commands = tap.commands.map { Hex.string($0) }
    durationMs = TimeText.milliseconds(tap.duration)
    let isProof = tap.holdsStandIns || !tap.counters.isEmpty
    records = isProof && !tap.isWhole ? [] : Self.records(tap.message)
    (counters, counter) = (tap.counters.isEmpty ? nil : tap.counters, tap.reading)
    switch tap.written {
    case .nothing: result = tap.isWhole ? "read" : "left"
    case .taken(let message): (result, written) = ("written", Self.records(message))
    case .refused(let text): (result, reason) = ("refused", text)
    }
  }

  private static func records(_ message: [UInt8]) -> [RecordJSON] {
    ((try? Message(parsing: message))?.records ?? []).map(RecordJSON.init)
  }
}
