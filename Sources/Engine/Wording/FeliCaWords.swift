import Bytes
import TagMemory
import TagProgramming

extension FeliCaCause {
  var sentence: String {
    switch self {
    case .notFormatted:
      "The tag is not formatted for NDEF, and this program formats only FeliCa Lite and Lite-S."
    case .notNDEF(let product):
      "This \(product) does not answer as an NDEF tag, and this program formats only FeliCa Lite and Lite-S."
    case .closedWithoutNDEF:
      "The memory configuration of the tag is permanently closed, and the tag does not answer as an NDEF tag."
    case .readOnly: "The tag is read-only: its attribute block does not allow writing."
    case .locked(let blocks):
      "\(Self.list(blocks)) permanently locked, but must change for this job."
    case .cardKeyNeeded(let blocks):
      "\(Self.list(blocks)) written only with the tag's card key, and this program does not use card keys."
    case .cardKeyToRead(let blocks):
      "\(Self.list(blocks)) read only with the tag's card key, so that no phone could read a message there, and this program does not use card keys."
    case .openForGood(let blocks):
      "\(Self.list(blocks)) permanently open: the permissions in the memory configuration of the tag are permanently closed."
    case .notLockable(let product):
      "This \(product) cannot be locked by this program; its attribute block would only ask readers "
        + "not to write."
    case .notBlank(let block, let declaresNDEF):
      "The tag is not blank: block \(LiteMemory.text(of: block)) holds data, and "
        + (declaresNDEF
          ? "block 0 is not an attribute block of NDEF." : "the tag is not formatted for NDEF.")
    case .dumpOfOtherType(let product): "The dump is not from a \(product)."
    case .closed(let blocks):
      "\(Self.list(blocks)) read-only, and the dump cannot be restored without changing \(blocks.count > 1 ? "them" : "it")."
    case .notDumpable(let product):
      "The whole memory of this \(product) cannot be read: this program dumps only FeliCa Lite and Lite-S."
    case .blockDiffers(let block, let found, let wanted):
      "Block \(LiteMemory.text(of: block)) holds \(Hex.string(found, separator: " ").uppercased()) where "
        + "\(Hex.string(wanted, separator: " ").uppercased()) was written."
    case .noPassword(let product, true):
      "This \(product) has a card key of 16 bytes and no password. This program does not set card keys."
    case .noPassword(let product, false): "This \(product) has no password."
    case .otherFamily(let product):
      "The tag is of type \(product), and this command is not for that type."
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
