/// What an NTAG 424 DNA keeps in non-volatile memory beside its files and keys. Torn by nothing.
package struct NTAG424Registers: Hashable, Sendable {
  /// SDMReadCtr: readings of the NDEF file since it mirrors, 24 bits (9.3.3).
  package var readings = 0
  /// TotFailCtr of each key, and failures in a row (9.1.11).
  package var failures = [0, 0, 0, 0, 0]
  package var failuresInARow = [0, 0, 0, 0, 0]
  /// The loop of a TagTamper was open once while its state was kept (NT4H2421Tx, 9.4).
  package var wasOpened = false

  package init() {}
}

/// Settings that SetConfiguration changes (10.5.1), in the last bytes of the memory.
struct NTAG424Configuration {
  static let start = 600
  static let count = 8

  var hasRandomUID: Bool
  var isLRP: Bool
  /// Nil: switched off. Else who may ask: 0 to 4, E everybody.
  var tamperKey: UInt8?
  /// No WriteData in several frames.
  var refusesChaining: Bool
  /// Limit and decrement of the failed authentications; 0 stands for 1000 and 10.
  private var limits: [UInt8]

  init(_ bytes: [UInt8]) {
    hasRandomUID = bytes[0] & 0x01 != 0
    isLRP = bytes[0] & 0x02 != 0
    refusesChaining = bytes[0] & 0x04 != 0
    tamperKey = bytes[1] & 0x80 != 0 ? bytes[1] & 0x0F : nil
    limits = Array(bytes[2..<6])
  }

  var bytes: [UInt8] {
    let flags: UInt8 = (hasRandomUID ? 1 : 0) | (isLRP ? 2 : 0) | (refusesChaining ? 4 : 0)
    return [flags, tamperKey.map { 0x80 | $0 } ?? 0] + limits + [0, 0]
  }

  var limit: Int { limits == [0, 0, 0, 0] ? 1000 : Int(limits[0]) | Int(limits[1]) << 8 }
  var decrement: Int { limits == [0, 0, 0, 0] ? 10 : Int(limits[2]) | Int(limits[3]) << 8 }

  /// SetConfiguration; throws what the tag answers to what it does not take.
  mutating func set(_ option: UInt8, _ data: [UInt8], hasTamperLoop: Bool) throws(DESFireStatus) {
    switch (option, data.count) {
    case (0x00, 1):
      guard data[0] & ~0x02 == 0 else { throw .parameter }
      // What is on stays on.
      if data[0] & 0x02 != 0 { hasRandomUID = true }
    case (0x04, 2): refusesChaining = data[0] & 0x04 != 0
    case (0x05, 10): if data[4] & 0x02 != 0 { isLRP = true }
    case (0x07, 2) where hasTamperLoop:
      if data[0] & 0x01 != 0 { tamperKey = data[1] & 0x0F }
    case (0x0A, 5):
      limits = data[0] & 0x01 != 0 ? Array(data[1...]) : [0xFF, 0xFF, 0, 0]
    case (0x0B, 1): break
    case (0x00, _), (0x04, _), (0x05, _), (0x0A, _), (0x0B, _): throw .length
    default: throw .parameter
    }
  }
}
