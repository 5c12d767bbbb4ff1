/// The speeds of the chip's serial line (HSU), as SetSerialBaudRate numbers them (UM0701-02,
/// 7.2.6).
public enum LinkSpeed: UInt8, Hashable, Sendable, CaseIterable {
  case baud9600 = 0
  case baud19200
  case baud38400
  case baud57600
  /// After power-up.
  case baud115200
  case baud230400
  case baud460800
  case baud921600
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
