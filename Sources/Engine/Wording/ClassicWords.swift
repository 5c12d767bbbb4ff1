import Bytes
import TagMemory
import TagProgramming

extension ClassicCause {
  var sentence: String {
    switch self {
    case .noSecondDirectory(let geometry):
      "A \(geometry) has no sector 16, so it cannot have a MAD2."
    case .foreignDirectory(let entries):
      "The tag belongs to another application: its directory names "
        + entries.sorted { $0.key < $1.key }.map { "\($0.key) as \($0.value)" }
        .joined(separator: ", ") + "."
    case .directoryDestroyed(let sector):
      "\(capitalized("\(sector)")) is destroyed. The directory belongs there, so this tag can never be NDEF."
    case .destroyed(let sectors):
      "\(Self.list(sectors)) \(sectors.count > 1 ? "are" : "is") destroyed: its access bits are invalid. This is permanent."
    case .unopened(let sectors):
      "No key opens \(Self.list(sectors).lowercased()). The program tried the factory, NFC and MAD keys, other well-known keys and the keys "
        + "that were given.\(sectors == Self.lackingInMini ? " A MIFARE Mini has no such sectors: the card may be one." : "")"
    case .frozen(let sectors, let conditions):
      "\(Self.list(sectors)) cannot be changed: the access bits are frozen (\(conditions))."
    case .notChangeable(let sectors):
      "\(Self.list(sectors)) can be read, but no key that was tried may write what must change there."
    case .trailersNotTaken(let sectors, let opens):
      "\(Self.list(sectors.map(\.trailer))) did not store the keys and access bits that were written: no key that was tried "
        + "\(opens ? "may change" : "opens") \(Self.list(sectors).lowercased())."
    case .notPublic(let sectors):
      "\(Self.list(sectors)) \(sectors.count > 1 ? "are" : "is") permanently locked with a key A that is not the public NFC key, "
        + "so readers cannot read \(sectors.count > 1 ? "them" : "it")."
    case .nothingToFormat(let geometry): "No sector of this \(geometry) can be formatted."
    case .othersBehind(let block):
      "Behind its message, from \(block) on, the tag holds bytes that read as TLVs of others (proprietary, Lock Control or Memory Control), "
        + "and the new message needs that room. They are another program's, or the rest of an older message."
    case .notBlank(let blocks, let isUnread):
      isUnread
        ? "\(capitalized(Self.first(blocks))) cannot be read, so it is not known whether the tag is blank."
        : "The tag is neither blank nor NDEF: \(Self.first(blocks)) \(blocks.count > 1 ? "hold" : "holds") data."
    case .foreignData(let blocks, let isUnread):
      isUnread
        ? "\(Self.list(blocks)) \(blocks.count > 1 ? "belong" : "belongs") to no NDEF area and cannot be read."
        : "\(Self.list(blocks)) \(blocks.count > 1 ? "hold" : "holds") data that belong to no NDEF area."
    case .messageNotShown(let block):
      "\(capitalized("\(block)")) cannot be read, so it is not known whether the tag holds a message."
    case .messageOutgrowsArea(let byteCount, let area):
      "The message on the tag has \(counted(byteCount, "byte")); the formatted tag would have an area of \(area)."
    case .undecodableMessage(let byteCount):
      "The message on the tag, \(counted(byteCount, "byte")), cannot be decoded."
    case .dumpOfOtherType(let byteCount, let geometry):
      "The dump has \(counted(byteCount, "byte")); it is not from a \(geometry)."
    case .invalidAccessBits(let block, let isOfDump):
      "\(capitalized("\(block)"))\(isOfDump ? " of the dump" : "") would get invalid access bits in bytes 6 to 8, which destroy "
        + "\(Self.list([block.sector]).lowercased())."
    case .noWholeBlocks(let byteCount):
      "A block has 16 bytes; \(counted(byteCount, "byte")) \(byteCount == 1 ? "does" : "do") not fill whole blocks."
    case .noSuchBlocks(let first, let last, let geometry):
      "This card has the \(geometry.blocks.count) blocks of a \(geometry), 0 to \(geometry.blocks.count - 1); "
        + (first == last
          ? "block \(first) is not there." : "blocks \(first) to \(last) are not all there.")
    case .manufacturerBlock:
      "Block 0 is the manufacturer block: it holds the UID, and no MIFARE Classic accepts a write to it."
    case .guardedBlock(let block, let costs):
      ([Self.purpose(of: block)] + costs.map { "\(capitalized("\(block)")): \($0)." })
        .joined(separator: " ")
    }
  }

  /// What a 1K has and a Mini lacks.
  private static let lackingInMini = Geometry.oneK.sectors.filter { !Geometry.mini.contains($0) }

  /// What a block is for that is not simply written.
  private static func purpose(of block: Block) -> String {
    block.isTrailer
      ? "\(capitalized("\(block)")) is a sector trailer: keys and access conditions of \(list([block.sector]).lowercased())."
      : "\(capitalized("\(block)")) belongs to the MIFARE application directory, in which readers look for the message."
  }

  /// `Sector 3`, `Sectors 1, 2 and 5`, `Sectors 1 to 15 and 17 to 39`.
  private static func list(_ sectors: [Sector]) -> String {
    let numbers = NumberRuns.list(sectors.map(\.index))
    return sectors.count > 1 ? "Sectors \(numbers)" : "Sector \(numbers)"
  }

  /// `Block 7`, `Blocks 7 and 11`.
  private static func list(_ blocks: [Block]) -> String {
    let numbers = NumberRuns.list(blocks.map { Int($0.index) })
    return blocks.count > 1 ? "Blocks \(numbers)" : "Block \(numbers)"
  }

  /// `block 4`, `blocks 4, 5`; of more than eight the first.
  private static func first(_ blocks: [Block]) -> String {
    let names = blocks.prefix(8).map { String($0.index) }.joined(separator: ", ")
    let more = blocks.count > 8 ? " and \(blocks.count - 8) more" : ""
    return "\(blocks.count > 1 ? "blocks" : "block") \(names)\(more)"
  }
}
