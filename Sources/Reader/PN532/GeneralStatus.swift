import Bytes

/// The answer to GetGeneralStatus (UM0701-02, 7.2.3).
///
///     Err Field NbTg [Tg BrRx BrTx Type]… SAM
package struct GeneralStatus: Hashable, Sendable {
  /// A target that the chip controls.
  package struct Target: Hashable, Sendable {
    package var number: UInt8
    /// 0, 1, 2 for 106, 212, 424 kbit/s, in both directions.
    package var receiveRate: UInt8
    package var sendRate: UInt8
    /// 00h MIFARE, ISO/IEC 14443-3 or -4; 10h FeliCa; 01h active mode; 02h Jewel.
    package var modulation: UInt8

    package init(number: UInt8, receiveRate: UInt8, sendRate: UInt8, modulation: UInt8) {
      self.number = number
      self.receiveRate = receiveRate
      self.sendRate = sendRate
      self.modulation = modulation
    }
  }

  /// The last error the chip met.
  package var lastError: StatusCode
  /// Is true if a field other than its own is present.
  package var externalField: Bool
  package var targets: [Target]
  /// The secure module's status.
  package var sam: UInt8

  package init(lastError: StatusCode, externalField: Bool, targets: [Target], sam: UInt8) {
    self.lastError = lastError
    self.externalField = externalField
    self.targets = targets
    self.sam = sam
  }

  /// Reads what follows the answer code.
  package init(parsing bytes: some Sequence<UInt8>) throws(ResponseError) {
    self = try ByteReader.whole(bytes, "the general status") { reader throws(ByteReaderError) in
      let (error, field) = (StatusCode(rawValue: try reader.byte()), try reader.byte() == 1)
      var targets: [Target] = []
      for _ in 0..<(try reader.byte()) {
        targets.append(
          Target(
            number: try reader.byte(), receiveRate: try reader.byte(),
            sendRate: try reader.byte(), modulation: try reader.byte()))
      }
      return GeneralStatus(
        lastError: error, externalField: field, targets: targets, sam: try reader.byte())
    }
  }

  package func serialize() -> [UInt8] {
    [lastError.rawValue, externalField ? 1 : 0, UInt8(targets.count)]
      + targets.flatMap { [$0.number, $0.receiveRate, $0.sendRate, $0.modulation] } + [sam]
  }
}
