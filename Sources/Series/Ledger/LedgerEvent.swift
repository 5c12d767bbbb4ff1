/// The name of an event, which the bench makes, so that the same event sent twice is
/// known. 16 random bytes, a UUID of version 4 (RFC 9562, 5.4).
package struct EventID: Hashable, Sendable {
  package let bytes: [UInt8]

  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  package init(using generator: inout some RandomNumberGenerator) {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    self.bytes = bytes
  }

  /// As it was stored; nil for anything but 16 bytes.
  package init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }
}

/// Something that happened to a job or a tag, as a store has it: what the line does is read here in
/// order, also while it works.
package struct LedgerEvent: Hashable, Sendable {
  /// Grows with every event of the store; where to go on reading.
  package let number: Int64
  /// `reserved`, `written`, `held`, … (Docs/Formats.md).
  package let kind: String
  package let job: Int?
  /// The tag's UID.
  package let tag: [UInt8]?
  package let station: String?
  package let reader: String?
  /// Why, where something went wrong: a stable word, and a sentence.
  package let cause: String?
  package let text: String?
  /// Milliseconds since 1970, by the bench's clock; before the year 10000.
  package let started: Int64
  /// Microseconds; at most eleven days.
  package let duration: Int64

  package init(
    number: Int64, kind: String, job: Int?, tag: [UInt8]?, station: String?, reader: String?,
    cause: String?, text: String?, started: Int64, duration: Int64
  ) {
    (self.number, self.kind, self.job, self.tag) = (number, kind, job, tag)
    (self.station, self.reader, self.cause, self.text) = (station, reader, cause, text)
    // Whoever writes to a store may write anything there, and times are added to each other.
    self.started = started.asStoredTime
    self.duration = min(max(duration, 0), 1_000_000_000_000)
  }
}
