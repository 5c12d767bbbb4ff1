/// FeliCa commands (JIS X 6319-4).
extension TagReader {
  /// Read Without Encryption: 16 bytes of each of `blocks`, in their order. Throws `feliCaStatus`
  /// where the tag refuses.
  public func readFeliCa(_ blocks: [UInt16]) throws(ReaderError) -> [UInt8] {
    let answer = try send(.feliCaRead(blocks))
    // The tag says how many blocks follow.
    guard Int(answer[0]) == blocks.count else {
      throw .wrongAnswerLength(expected: 16 * blocks.count, received: 16 * Int(answer[0]))
    }
    return Array(answer.dropFirst())
  }

  /// Write Without Encryption: 16 bytes for each block from `block` on. Throws `feliCaStatus` where
  /// the tag refuses.
  public func writeFeliCa(_ block: UInt16, _ bytes: [UInt8]) throws(ReaderError) {
    _ = try send(.feliCaWrite(block: block, data: bytes))
  }

  /// Returns whether the selected tag answers to `systemCode`, too; silence says no. Commands go to
  /// that system from then on: a tag with several has an IDm for each (FeliCa Card User's Manual,
  /// 2.2.2).
  package func serves(systemCode: UInt16) throws(ReaderError) -> Bool {
    do throws(ReaderError) {
      let answer = try send(.feliCaPolling(systemCode: systemCode))
      let identity = Array(answer[1...8])
      systemIDm = identity == target?.uid.bytes ? nil : identity
      return true
    } catch .exchangeFailed(.timeout) {
      // It has not refused anything: it need not be selected again.
      needsReselect = false
      return false
    }
  }
}
