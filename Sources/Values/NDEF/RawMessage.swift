import Bytes

/// A message as it stands in the bytes, with everything that is wrong with it.
///
/// Reading never fails: what can be read is in `records`, each broken rule is in `faults`.
/// `Message` takes only bytes without faults; this view is for showing and judging what a tag
/// holds.
package struct RawMessage: Hashable, Sendable {
  /// Records and chunks in their order, up to the first that ends outside the bytes, or up to ME.
  package private(set) var records: [RawRecord] = []
  /// The broken rules in the order in which they were met.
  package private(set) var faults: [NDEFError] = []

  /// Is true if any record is in chunks: legal, but not every reader joins them.
  package var isChunked: Bool { records.contains(where: \.isPartOfChunkedRecord) }

  /// Reads all of `bytes` as one message.
  package init(parsing bytes: some Sequence<UInt8>) {
    var reader = ByteReader(bytes)
    guard !reader.isAtEnd else {
      faults.append(NDEFError(.emptyMessage, in: .message))
      return
    }
    var chunksAreOpen = false
    while !reader.isAtEnd {
      let record: RawRecord
      do throws(NDEFError) {
        record = try RawRecord(parsing: &reader)
      } catch {
        faults.append(error)
        return
      }
      judge(record, chunksAreOpen: chunksAreOpen)
      chunksAreOpen = record.header.isChunk
      records.append(record)
      if record.header.isMessageEnd { break }
    }
    judgeEnd(at: reader.offset, left: reader.remaining, chunksAreOpen: chunksAreOpen)
  }

  private mutating func judge(_ record: RawRecord, chunksAreOpen: Bool) {
    let header = record.header
    if header.isMessageBegin != records.isEmpty {
      faults.append(
        record.error(records.isEmpty ? .missingMessageBegin : .repeatedMessageBegin))
    }
    switch (chunksAreOpen, header.typeNameFormat == .unchanged) {
    case (true, true):
      if header.typeLength != 0 { faults.append(record.error(.chunkHasType)) }
      if header.idLength != nil { faults.append(record.error(.chunkHasID)) }
    case (false, true):
      faults.append(record.error(.unchangedOutsideChunks))
    case (true, false):
      faults.append(record.error(.chunksInterrupted))
      if let fault = record.formatFault() { faults.append(fault) }
    case (false, false):
      if let fault = record.formatFault() { faults.append(fault) }
    }
    if header.isChunk, header.isMessageEnd {
      faults.append(record.error(.messageEndInsideChunks))
    }
  }

  private mutating func judgeEnd(at offset: Int, left: Int, chunksAreOpen: Bool) {
    let isEnded = records.last?.header.isMessageEnd == true
    if chunksAreOpen, !isEnded {
      faults.append(NDEFError(.chunksUnfinished, in: .message, at: offset))
    }
    if !isEnded { faults.append(NDEFError(.missingMessageEnd, in: .message, at: offset)) }
    if left > 0 { faults.append(NDEFError(.trailingBytes(count: left), in: .message, at: offset)) }
  }

  /// The records as CoreNFC hands them on: chunks are records of their own.
  package var unjoinedRecords: [Record] {
    records.map {
      Record(checked: $0.header.typeNameFormat, type: $0.type, id: $0.id, payload: $0.payload)
    }
  }

  /// The whole records, chunks joined, as well as they can be told from a faulty message.
  ///
  /// A record whose type breaks the rules counts as unknown and keeps its ID and payload.
  package func joinedRecords() -> [Record] { joined().map(\.record) }

  /// The whole records, and where the first byte of each stands.
  func joined() -> [(offset: Int, record: Record)] {
    var joined: [(offset: Int, record: Record)] = []
    var index = records.startIndex
    while index < records.endIndex {
      let first = records[index]
      var payload = first.payload
      var isOpen = first.header.isChunk
      index += 1
      while isOpen, index < records.endIndex, records[index].header.typeNameFormat == .unchanged {
        payload += records[index].payload
        isOpen = records[index].header.isChunk
        index += 1
      }
      joined.append((first.offset, Record(first, joined: payload)))
    }
    return joined
  }
}

extension Record {
  fileprivate init(_ raw: RawRecord, joined payload: [UInt8]) {
    let format = raw.header.typeNameFormat
    let isReadable = raw.formatFault() == nil && format != .unchanged
    self.init(
      checked: isReadable ? format : .unknown, type: isReadable ? raw.type : [], id: raw.id,
      payload: payload)
  }
}
