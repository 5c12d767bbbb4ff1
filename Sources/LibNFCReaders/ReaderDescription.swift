import Bytes

/// A reader that was found, or a serial port that may have a board behind it.
public struct ReaderDescription: Hashable, Sendable {
  /// How a reader hangs on the computer.
  public enum Attachment: String, Hashable, Sendable {
    /// A serial adapter on USB; whether a PN532 stands behind it shows when it is opened.
    case usbSerial = "usb-serial"
    /// A UART of the computer itself, which may as well lead anywhere.
    case uart
    /// A USB reader that is known by its vendor and product.
    case usb
  }

  /// What `--reader` takes.
  public var connection: String
  public var attachment: Attachment
  /// The product, where it is known: `ACS ACR122`.
  public var model: String?
  /// The device file.
  public var device: String
  /// A name below /dev/serial/by-id that is the same after unplugging; put `pn532_uart:` before it.
  public var stablePath: String?
  /// What the USB device says of itself; nil for a UART.
  public var usb: USBIdentity?
  /// Why it cannot be opened now; nil when nothing is known to stand in the way.
  public var obstacle: Obstacle?

  /// Whether it is worth taking without being asked for: anything but a bare UART.
  public var isLikely: Bool { attachment != .uart }
}

/// What a USB device says of itself.
public struct USBIdentity: Hashable, Sendable {
  public var vendor: UInt16
  public var product: UInt16
  public var serialNumber: String?
  public var manufacturer: String?
  public var productName: String?
  /// Bus and ports from the root on, as the kernel writes them: `1-2.3`.
  public var portPath: String?

  /// `0403:6001`.
  public var code: String { Self.text(vendor) + ":" + Self.text(product) }

  private static func text(_ number: UInt16) -> String {
    Hex.string([UInt8(number >> 8), UInt8(number & 0xFF)])
  }
}
