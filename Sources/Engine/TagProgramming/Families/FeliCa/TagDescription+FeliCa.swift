import Bytes
import TagMemory

extension TagDescription {
  /// Status, capacity and message as far as they were read.
  init(_ state: FeliCaState) {
    self.init()
    hold(state.content)
    guard let ndef = state.ndef else {
      if !state.answered {
        findings = [Finding(Type3Fault.notNDEF.code, "\(Type3Fault.notNDEF)")]
      }
      return
    }
    access = ndef.status
    capacity = ndef.capacity
    findings += ndef.faults.map { Finding($0.code, "\($0)") }
    isLocked = state.configuration.map { $0.isLocked }
  }

  /// What `info` says beside.
  mutating func explain(_ state: FeliCaState) {
    let chip = state.chip
    details.append(Detail("manufacturer", "Sony" + (chip.model.map { ", \($0)" } ?? "")))
    if let attributes = state.ndef?.attributes {
      details.append(
        Detail(
          "attribute block",
          "\(attributes.messageBlockCount) blocks for a message, \(attributes.blocksPerRead) read and "
            + "\(attributes.blocksPerWrite) written at a time"))
    }
    if let rights = state.configuration {
      let user = FeliCaState.userBlocks
      details.append(Detail("memory", "14 blocks of 16 bytes, and REG"))
      details.append(Detail("writable blocks", Self.list(user.filter(rights.isFree))))
      let keyed = user.filter { rights.needsKeyToRead($0) || rights.needsKeyToWrite($0) }
      if !keyed.isEmpty { details.append(Detail("blocks under the card key", Self.list(keyed))) }
      details.append(
        Detail(
          "memory configuration",
          (rights.isFrozen ? "permanently closed" : "open")
            + (rights.canBeLocked ? "" : ", blocks can never be locked")
            + (rights.declaresNDEF
              ? ", answers as an NDEF tag" : ", does not answer as an NDEF tag")))
      isPasswordProtected = !keyed.isEmpty
    }
    memory = state.rows
  }

  private static func list(_ blocks: [UInt16]) -> String {
    blocks.isEmpty ? "none" : NumberRuns.list(blocks.map(Int.init))
  }

  /// The whole memory, as far as it shows.
  mutating func keep(_ state: FeliCaState) {
    guard let lite = state.chip.lite, let identity = state[LiteMemory.deviceID] else { return }
    let unknown = [UInt8?](repeating: nil, count: AttributeBlock.byteCount)
    let bytes = lite.blocks.flatMap { block in state[block]?.map(Optional.some) ?? unknown }
    dump = MemoryImage(.feliCaLite(lite), uid: UID(identity.prefix(8)), bytes: bytes).map {
      TagDump($0)
    }
  }

  /// Says what of the memory could not be read.
  mutating func noteUnread(_ state: FeliCaState) {
    guard let lite = state.chip.lite else { return }
    let hidden = lite.readableBlocks.filter { state[$0] == nil }
    guard !hidden.isEmpty else { return }
    findings.append(
      Finding(
        "not-known",
        "\(FeliCaWords.list(hidden)) not read: the tag shows them only with its card key."))
  }
}
