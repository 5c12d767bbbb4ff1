import TagMemory

/// What kept a job from ending as wanted on a MIFARE Classic.
package enum ClassicCause: Hashable, Sendable {
  /// The card is too small for a MAD2, which stands in sector 16.
  case noSecondDirectory(Geometry)
  /// The directory names sectors of other applications.
  case foreignDirectory([Sector: MAD.AID])
  /// A sector that the directory belongs in is destroyed.
  case directoryDestroyed(Sector)
  /// The access bits of these sectors are invalid: the card has shut them for good.
  case destroyed([Sector])
  /// No key that was tried opens these sectors.
  case unopened([Sector])
  /// The access bits of these sectors can never be changed; the conditions are the first one's.
  case frozen([Sector], AccessConditions)
  /// No key that was tried may change what has to be changed in these sectors.
  case notChangeable([Sector])
  /// This run has written the trailers of these sectors, and they did not take it: no key `opens`
  /// them, or may change them.
  case trailersNotTaken([Sector], opens: Bool)
  /// These sectors are permanently locked with a key A that is not the public NFC key.
  case notPublic([Sector])
  /// No sector can become an NFC sector.
  case nothingToFormat(Geometry)
  /// TLVs of others stand behind the message from this block on, and the new message needs the
  /// room.
  case othersBehind(Block)
  /// These blocks hold data, or cannot be read (`isUnread`), on a card that is neither blank nor
  /// NDEF.
  case notBlank([Block], isUnread: Bool)
  /// These blocks, which belong to no NDEF area, hold data or cannot be read (`isUnread`).
  case foreignData([Block], isUnread: Bool)
  /// This block, which should tell whether a message is there, cannot be read.
  case messageNotShown(Block)
  /// The message that is on the card is longer than the area that the format leaves; both in bytes.
  case messageOutgrowsArea(byteCount: Int, area: Int)
  /// The message on the card, of so many bytes, cannot be decoded.
  case undecodableMessage(byteCount: Int)
  /// The dump, of so many bytes, is of another type than this card.
  case dumpOfOtherType(byteCount: Int, Geometry)
  /// A sector trailer that was given, or a dump's, has invalid access bits, which would destroy the
  /// sector.
  case invalidAccessBits(Block, isOfDump: Bool)
  /// The bytes that were given do not fill whole blocks.
  case noWholeBlocks(byteCount: Int)
  /// The card has not all of the blocks that were given.
  case noSuchBlocks(first: Int, last: Int, Geometry)
  /// Block 0 was given, which holds the UID.
  case manufacturerBlock
  /// A sector trailer, with what it costs, or a block of the directory was given, which needs the
  /// operator's leave.
  case guardedBlock(Block, [TrailerCost])

  var kind: JobFailure.Kind {
    switch self {
    case .noSecondDirectory, .dumpOfOtherType, .invalidAccessBits, .noWholeBlocks, .noSuchBlocks,
      .manufacturerBlock, .guardedBlock:
      .badInput
    case .trailersNotTaken: .mismatch
    case .foreignDirectory, .directoryDestroyed, .destroyed, .unopened, .frozen, .notChangeable,
      .notPublic, .nothingToFormat, .othersBehind, .notBlank, .foreignData,
      .messageNotShown, .messageOutgrowsArea,
      .undecodableMessage:
      .refused
    }
  }
}

/// What a sector can never do again once it has a certain trailer, or a key in it that looks like a
/// mistake.
package enum TrailerCost: Hashable, Sendable {
  case accessBitsStay
  case keysStay
  case unreadable
  case unwritable
  /// All zeros, which is what a trailer shows in place of a key.
  case zeroKey(KeyType)
}

extension TrailerCost: CustomStringConvertible {
  /// A clause.
  package var description: String {
    switch self {
    case .accessBitsStay: "the access bits freeze the sector and can never change again"
    case .keysStay: "no key can change its keys"
    case .unreadable: "no key can read the data blocks"
    case .unwritable: "no key can write the data blocks"
    case .zeroKey(let type): "\(type) becomes all zeros (a trailer always reads as zeros there)"
    }
  }
}
