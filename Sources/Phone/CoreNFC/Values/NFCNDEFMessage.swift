import Bytes
import Foundation
import NDEF

/// An NDEF message: its records, in their order.
///
/// developer.apple.com: NFCNDEFMessage.
open class NFCNDEFMessage: NSObject, NSSecureCoding, @unchecked Sendable {
  /// Chunks of a record that was read in chunks are records of their own, all but the first of the
  /// format `unchanged`.
  open var records: [NFCNDEFPayload]

  /// None are an empty message: `D0 00 00`.
  public init(records: [NFCNDEFPayload]) { self.records = records }

  /// Reads all of `data` as one message; nil where it breaks a rule.
  public convenience init?(data: Data) {
    let raw = RawMessage(parsing: data)
    guard raw.faults.isEmpty else { return nil }
    self.init(
      records: raw.records.map { record in
        NFCNDEFPayload(
          format: NFCTypeNameFormat(record.header.typeNameFormat), type: Data(record.type),
          identifier: Data(record.id ?? []), payload: Data(record.payload))
      })
  }

  /// How many bytes the message takes on a tag.
  open var length: Int { bytes?.count ?? 0 }

  // MARK: Coding

  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) { coder.encode(records as NSArray, forKey: "records") }

  public required init?(coder: NSCoder) {
    let classes = [NSArray.self, NFCNDEFPayload.self]
    guard
      let records = coder.decodeObject(of: classes, forKey: "records") as? [NFCNDEFPayload]
    else { return nil }
    self.records = records
  }

  // MARK: NSObject

  /// Two messages with equal records are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NFCNDEFMessage)?.records == records
  }

  open override var hash: Int { records.hashValue }

  open override var description: String {
    "<NFCNDEFMessage: \(counted(records.count, "record")), \(counted(length, "byte"))>"
  }
}

extension NFCNDEFMessage {
  /// The message as it stands on a tag; nil where a field is longer than its length field can say.
  var bytes: [UInt8]? {
    let chunks = records.isEmpty ? [Chunk.empty] : records.flatMap(\.chunks)
    var bytes: [UInt8] = []
    for (index, chunk) in chunks.enumerated() {
      let next = index + 1 < chunks.count ? chunks[index + 1] : nil
      guard
        let header = RecordHeader(
          chunk.format, type: chunk.type.count, id: chunk.id.count, payload: chunk.payload.count,
          isFirst: index == 0, isLast: next == nil, isChunk: next?.format == .unchanged)
      else { return nil }
      bytes += header.serialize() + chunk.type + chunk.id + chunk.payload
    }
    return bytes
  }
}

/// A record, or a part of one, as it is written.
private struct Chunk {
  var format: TypeNameFormat
  var type: Data
  var id: Data
  var payload: Data

  static let empty = Chunk(format: .empty, type: Data(), id: Data(), payload: Data())
}

extension NFCNDEFPayload {
  /// The record whole, or in as many parts as its chunk size asks for.
  fileprivate var chunks: [Chunk] {
    let whole = Chunk(
      format: typeNameFormat.format, type: type, id: identifier, payload: payload)
    guard chunkSize > 0, payload.count > chunkSize else { return [whole] }
    return stride(from: 0, to: payload.count, by: chunkSize).map { start in
      let part = payload.dropFirst(start).prefix(chunkSize)
      return start == 0
        ? Chunk(format: whole.format, type: type, id: identifier, payload: part)
        : Chunk(format: .unchanged, type: Data(), id: Data(), payload: part)
    }
  }
}
