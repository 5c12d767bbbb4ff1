import Bytes
import TagMemory
import TagProgramming

extension FeliCaCause {
  var sentence: String {
    switch self {
    case .notFormatted:
      "The tag is not formatted for NDEF, and only a FeliCa Lite or Lite-S can be formatted here."
    case .notNDEF(let product):
      "This \(product) does not answer as an NDEF tag, and only a FeliCa Lite or Lite-S can be made one here."
    case .closedWithoutNDEF:
      "The memory configuration of the tag is closed for ever, and it does not answer as an NDEF tag."
    case .readOnly: "The tag is read-only: its attribute block allows no writing."
    case .locked(let blocks): "\(Self.list(blocks)) locked for good and would have to change."
    case .cardKeyNeeded(let blocks):
      "\(Self.list(blocks)) written with the tag's card key alone, and card keys are not used here."
    case .openForGood(let blocks):
      "\(Self.list(blocks)) open for good: the memory configuration of the tag is closed for ever."
    case .notLockable(let product):
      "This \(product) has no command here that locks it for good; its attribute block alone would only ask readers "
        + "not to write."
    case .notBlank(let block, let declaresNDEF):
      "The tag is not blank: block \(LiteMemory.text(of: block)) holds data, and "
        + (declaresNDEF
          ? "block 0 is no attribute block of NDEF." : "the tag is not formatted for NDEF.")
    case .dumpOfOtherType(let product): "The dump is not of a tag like this \(product)."
    case .closed(let blocks):
      "\(Self.list(blocks)) closed to writing, and the dump cannot be restored without changing \(blocks.count > 1 ? "them" : "it")."
    case .notDumpable(let product):
      "The whole memory of this \(product) cannot be read: only a FeliCa Lite or Lite-S is dumped here."
    case .blockDiffers(let block, let found, let wanted):
      "Block \(LiteMemory.text(of: block)) holds \(Hex.string(found, separator: " ").uppercased()) where "
        + "\(Hex.string(wanted, separator: " ").uppercased()) was written."
    case .noPassword(let product, true):
      "This \(product) has a card key of 16 bytes and no password, and card keys are not set here."
    case .noPassword(let product, false): "This \(product) has no password."
    case .otherFamily(let product): "The tag is of type \(product), which this command is not for."
    case .notRead: "The memory configuration was not read."
    }
  }

  /// `Block 5 is`, `Blocks 5, 6 and 9 are`.
  private static func list(_ blocks: [UInt16]) -> String {
    let numbers = blocks.map(LiteMemory.text)
    guard numbers.count > 1, let last = numbers.last else {
      return "Block \(numbers.first ?? "?") is"
    }
    return "Blocks \(numbers.dropLast().joined(separator: ", ")) and \(last) are"
  }
}
