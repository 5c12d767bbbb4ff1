import Bytes
import Ledger

/// Bytes that are hexadecimal digits in a document.
package struct HexBytes: Codable, Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let bytes = try? Hex.bytes(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "it is not hexadecimal"))
    }
    self.bytes = bytes
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Hex.string(bytes))
  }
}

/// What the seal of an event is made of: all that a row of `event` says, in the order in which it
/// goes into the seal.
package struct SealedEvent: Codable, Hashable, Sendable {
  package let id: Int64
  let session: Int64
  package let kind: String
  package let job: Int64?
  package let uid: HexBytes?
  let tag, station, reader, cause, text, steps: String?
  package let startedAt: Int64
  let duration: Int64
  let digest: HexBytes?
  let length: Int64?
  package let link: String?
  let madeFor: String?
  let locked, protected, setsAside, echo: Bool?
  let claim: Int64?

  init(_ event: Event, session: Int64) {
    (id, self.session, kind) = (event.number, session, event.what.word)
    (job, uid) = (event.job.map { Int64($0) }, event.tag.map(HexBytes.init))
    (tag, station, reader) = (event.tagType, event.station, event.reader)
    (cause, text, steps) = (event.cause, event.text, event.steps)
    (startedAt, duration) = (event.started, event.duration)
    let message = event.what.message
    (digest, length) = (event.what.digest.map(HexBytes.init), message.map { Int64($0.length) })
    (link, madeFor) = (message?.uri, message?.day)
    (locked, protected) = (event.what.locks?.isLocked, event.what.locks?.isProtected)
    (setsAside, echo, claim) = (event.what.setsAside, event.isEcho, event.claim)
  }

  /// SHA-256 over the seal of the event before this one and what this one says. A value that is
  /// missing is one byte 0; any other has a byte 1, its length (8 bytes, the highest first) and its
  /// bytes: UTF-8 of texts, 8 bytes of numbers and truth values.
  func seal(after last: [UInt8]) -> [UInt8] {
    var bytes = last
    func add(_ value: [UInt8]?) {
      guard let value else { return bytes.append(0) }
      bytes.append(1)
      bytes += Self.bytes(Int64(value.count)) + value
    }
    func add(_ text: String?) { add(text.map { Array($0.utf8) }) }
    func add(_ number: Int64?) { add(number.map(Self.bytes)) }
    add(id)
    add(session)
    add(kind)
    add(job)
    add(uid?.bytes)
    for text in [tag, station, reader, cause, text, steps] { add(text) }
    add(startedAt)
    add(duration)
    add(self.digest?.bytes)
    add(length)
    add(link)
    add(madeFor)
    for flag in [locked, protected, setsAside, echo] { add(flag.map { $0 ? 1 : 0 } as Int64?) }
    add(claim)
    return LedgerSQLite.digest(of: bytes)
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
