import Bytes
import NDEF
import TagMemory

/// What stands before the message of an area, and stays there when the message is replaced.
extension ClassicState {
  /// The bytes before the message TLV of `area`: none where there is no message TLV, or where what
  /// it holds is no message. Then a write has left the area's start damaged, and what seems to be
  /// TLVs there is part of the damage.
  func leading(of area: NDEFArea) -> [UInt8] {
    let scan = scan(of: area)
    guard let message = scan.message, isWhole(message) else { return [] }
    return Array(known(of: area).prefix(scan.messageOffset))
  }

  /// Returns whether `message` is empty, or was read and can be decoded.
  private func isWhole(_ message: TLVScan.Block) -> Bool {
    guard message.offset > 0, message.length > 0 else { return message.valueRuns != nil }
    return message.value.flatMap { try? Message(parsing: $0) } != nil
  }

  /// What stays behind the message of `area`, as far as that was read: TLVs alone.
  func behindNow(in area: NDEFArea) -> BehindMessage {
    BehindMessage(others: scan(of: area).othersBehindMessage)
  }

  /// The TLVs in `leading` that mean something to somebody: all but NULL TLVs.
  func foreignTLVs(before area: NDEFArea) -> [TLVScan.Block] {
    let leading = leading(of: area)
    return scan(of: area).blocks.prefix { $0.offset < leading.count && $0.tag != .ndefMessage }
      .map(\.self)
  }
}
