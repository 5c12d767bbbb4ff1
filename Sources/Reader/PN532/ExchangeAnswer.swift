import Bytes

/// The answer to InDataExchange or InCommunicateThru (UM0701-02, 7.3.8 and 7.3.9): a status byte,
/// then data.
package struct ExchangeAnswer: Hashable, Sendable {
  package var status: StatusCode
  /// Bit 6 of the status byte: the target has more to send.
  package var more: Bool
  /// What the tag sent; empty where the status is an error.
  package var data: [UInt8]

  package init(status: StatusCode, more: Bool = false, data: [UInt8] = []) {
    self.status = status
    self.more = more
    self.data = data
  }

  /// Reads what follows the answer code; throws when there is no status byte.
  package init(parsing bytes: some Sequence<UInt8>) throws(ResponseError) {
    self = try ByteReader.whole(bytes, "the exchange's answer") { reader throws(ByteReaderError) in
      let first = try reader.byte()
      return ExchangeAnswer(
        status: StatusCode(rawValue: first), more: first & 0x40 != 0, data: reader.rest())
    }
  }

  package func serialize() -> [UInt8] { [status.rawValue | (more ? 0x40 : 0)] + data }
}
