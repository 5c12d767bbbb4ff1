import PN532

/// The chip's registers: most are just kept, as they matter to analogue parts that are not here.
struct RegisterFile {
  private var values: [UInt16: UInt8] = [:]
  /// The 64-byte buffer between chip and air, oldest byte first.
  var fifo: [UInt8] = []

  subscript(register: Register) -> UInt8 {
    get { values[register.rawValue] ?? 0 }
    set { values[register.rawValue] = newValue }
  }

  /// Sets speed and framing, CRC on, as activation does for 0 = type A, 1 and 2 = FeliCa, 3 = type
  /// B.
  mutating func setFraming(baudRateAndType: UInt8) {
    let mode: UInt8 = [0x80, 0x92, 0xA2, 0x83, 0x80][Int(baudRateAndType)]
    self[.txMode] = mode
    self[.rxMode] = mode
  }

  /// 0 = type A, 2 = FeliCa, 3 = type B.
  var framing: UInt8 { self[.txMode] & 0x03 }
  /// 0 = 106 kbit/s, 1 = 212, 2 = 424.
  var bitRate: Int { Int(self[.txMode] >> 4 & 0x07) }
  /// The chip adds the CRC.
  var addsCRC: Bool { self[.txMode] & 0x80 != 0 }
  /// The chip checks the CRC and removes it.
  var checksCRC: Bool { self[.rxMode] & 0x80 != 0 }
  /// How many bits of the last byte are sent, 0 = all.
  var lastBits: Int { Int(self[.bitFraming] & 0x07) }
}
