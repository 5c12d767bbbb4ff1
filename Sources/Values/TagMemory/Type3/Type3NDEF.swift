/// The NDEF data of a Type 3 tag, as far as it was read (NFC Forum Type 3 Tag 1.0, 6).
package struct Type3NDEF: Hashable, Sendable {
  /// In CoreNFC's words, by what the blocks allow: `readOnly`, too, where the attribute block
  /// allows what the memory configuration does not.
  package let status: NDEFStatus
  /// Nil where block 0 holds none that can be used.
  package let attributes: AttributeBlock?
  /// How many blocks there are for a message.
  package let blockCount: Int
  /// The longest message in bytes that fits; nil where the tag is not formatted.
  package let capacity: Int?
  /// The length of the message that readers find; nil where they find none.
  package let messageLength: Int?
  /// Everything wrong or odd.
  package let faults: [Type3Fault]

  /// Judges block 0. `configuration` is that of a FeliCa Lite; without one the tag must have
  /// `answered` to the system code of NDEF, and nothing but the attribute block says what it has
  /// room for.
  package init(block0: [UInt8], configuration: MemoryConfiguration?, answersNDEF: Bool) {
    let available = configuration == nil ? nil : Int(MemoryConfiguration.userBlocks.upperBound)
    let parsed: AttributeBlock
    do throws(AttributeError) {
      parsed = try AttributeBlock(parsing: block0)
    } catch {
      (status, attributes, capacity, messageLength) = (.notSupported, nil, nil, nil)
      blockCount = configuration?.messageBlockCount ?? 0
      faults = (answersNDEF ? [] : [.notNDEF]) + [.attribute(error)]
      return
    }
    var found = parsed.faults(available: available).map(Type3Fault.attribute)
    if !answersNDEF { found.insert(.notNDEF, at: 0) }
    attributes = parsed
    blockCount = min(Int(parsed.messageBlockCount), available ?? Int(parsed.messageBlockCount))
    let room = min(blockCount * AttributeBlock.byteCount, parsed.capacity)
    let isReadable = answersNDEF && parsed.blocksPerRead > 0 && blockCount > 0
    capacity = isReadable ? room : nil
    messageLength =
      isReadable && !parsed.isBeingWritten && parsed.length <= room ? parsed.length : nil
    guard isReadable else {
      status = .notSupported
      faults = found
      return
    }
    let blocks = 0...UInt16(min(blockCount, Int(UInt16.max)))
    if let configuration, let hidden = blocks.first(where: configuration.needsKeyToRead) {
      status = .notSupported
      faults = found + [.keyToRead(block: hidden)]
      return
    }
    guard parsed.allowsWriting else {
      status = .readOnly
      faults = found
      return
    }
    let closed = configuration.map { rights in blocks.filter { !rights.isFree($0) } } ?? []
    if let configuration, let first = closed.first {
      found.append(
        configuration.isWritable(first) ? .keyToWrite(block: first) : .lockedBlocks(closed))
    }
    status = closed.isEmpty ? .readWrite : .readOnly
    faults = found
  }
}

/// Something wrong with, or odd about, the NDEF data of a Type 3 tag.
package enum Type3Fault: Hashable, Sendable {
  case attribute(AttributeError)
  /// The tag does not answer to the system code 12FC: readers do not look for a message on it.
  case notNDEF
  /// The attribute block allows writing, but the memory configuration does not for these blocks.
  case lockedBlocks([UInt16])
  /// The attribute block allows writing, yet a key must be proved first.
  case keyToWrite(block: UInt16)
  /// A key must be proved before the message is read.
  case keyToRead(block: UInt16)

  /// Stable, for programs.
  package var code: String {
    switch self {
    case .attribute(let fault): fault.code
    case .notNDEF: "not-ndef"
    case .lockedBlocks: "locked-blocks"
    case .keyToWrite, .keyToRead: "card-key"
    }
  }
}

extension Type3Fault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .attribute(let fault): "\(fault)"
    case .notNDEF:
      "the tag does not answer to the system code of NDEF (12FC), so readers do not look for a message on it"
    case .lockedBlocks(let blocks):
      "the attribute block allows writing, but the memory configuration does not: \(blocks.count == 1 ? "block" : "blocks") "
        + blocks.map(String.init).joined(separator: ", ")
    case .keyToWrite(let block):
      "the attribute block allows writing, but block \(block) needs the card key"
    case .keyToRead(let block): "block \(block) can be read only with the card key"
    }
  }
}
