/// The speeds of the chip's serial line (HSU), as SetSerialBaudRate numbers them (UM0701-02,
/// 7.2.6).
public enum LinkSpeed: UInt8, Hashable, Sendable, CaseIterable {
  /// 9600 baud.
  case baud9600 = 0
  /// 19,200 baud.
  case baud19200
  /// 38,400 baud.
  case baud38400
  /// 57,600 baud.
  case baud57600
  /// After power-up.
  case baud115200
  /// 230,400 baud.
  case baud230400
  /// 460,800 baud.
  case baud460800
  /// 921,600 baud.
  case baud921600
  /// 1,288,000 baud, which few ports can make.
  case baud1288000

  /// Bits per second; a byte takes ten.
  package var bitsPerSecond: Int {
    [9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 921_600, 1_288_000][Int(rawValue)]
  }

  /// The speed of exactly so many bits per second, if the chip has it.
  package init?(bitsPerSecond: Int) {
    guard let speed = Self.allCases.first(where: { $0.bitsPerSecond == bitsPerSecond }) else {
      return nil
    }
    self = speed
  }
}
