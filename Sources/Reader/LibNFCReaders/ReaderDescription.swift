import Bytes

/// A reader that was found, or a port or bus that may have a board behind it.
public struct ReaderDescription: Hashable, Sendable {
  /// How a reader hangs on the computer.
  package enum Attachment: String, Hashable, Sendable {
    /// A serial adapter on USB; whether a PN532 stands behind it shows when it is opened.
    case usbSerial = "usb-serial"
    /// A UART of the computer itself, which may as well lead anywhere.
    case uart
    /// A USB reader that is known by its vendor and product.
    case usb
    /// An I2C bus, which may have anything on it.
    case i2c
    /// A chip select of an SPI bus.
    case spi
  }

  /// The option `--reader` takes this text.
  public var connection: String
  package var attachment: Attachment
  /// The product, where it is known: `ACS ACR122`.
  public var model: String?
  /// The device file.
  public var device: String
  /// A name below /dev/serial/by-id that is the same after unplugging; put `pn532_uart:` before it.
  public var stablePath: String?
  /// A name below /dev/serial/by-path that stays with the USB port, whatever is plugged in there.
  package var portLink: String?
  /// That it has its name below /dev/serial/by-id with others, and so no `stablePath`.
  var sharedName: SharedName?
  /// What the USB device says of itself; nil for a UART or a bus.
  package var usb: USBIdentity?
  /// The chip in a serial adapter.
  package var adapter: SerialAdapter?
  /// The kernel driver that is bound to it.
  package var driver: String?
  /// How long an FTDI adapter holds short answers back, in milliseconds.
  package var latency: Int?
  /// What `--baud auto` does there; nil where there is no serial line.
  package var automaticSpeed: AutomaticSpeed?
  /// Who may open the device file.
  package var access: FileAccess?
  /// Who has it open: `process 4711 (picocom)`; nil when nobody has, or nobody that this user may
  /// see.
  package var holder: String?
  /// Why it cannot be opened now; nil when no obstacle is known.
  package var obstacle: Obstacle?

  /// One of which nothing is known but how it is opened.
  package static func named(
    _ connection: String, _ attachment: Attachment, device: String
  ) -> Self {
    Self(connection: connection, attachment: attachment, device: device)
  }

  /// Says whether another adapter of its kind has the same name, or might have: `stablePath` is its
  /// name only while no such one is plugged in.
  package var mayShareName: Bool { sharedName != nil || !SharedName.isOwn(usb) }

  /// The sockets of all adapters that share its name.
  package var socketsOfName: [String] { sharedName?.ports ?? [] }

  /// What stays its name: that of the adapter, else that of its socket.
  package var lastingPath: String? { stablePath ?? portLink }

  /// Is true if the reader is worth taking without being asked for: a USB reader, or a serial
  /// adapter as boards have them.
  public var isLikely: Bool {
    switch attachment {
    case .usb: true
    case .usbSerial: adapter != nil || driver == nil
    case .uart, .i2c, .spi: false
    }
  }
}

/// What a USB device says of itself.
package struct USBIdentity: Hashable, Sendable {
  package var vendor: UInt16
  package var product: UInt16
  package var serialNumber: String?
  package var manufacturer: String?
  package var productName: String?
  /// Bus and ports from the root on, as the kernel writes them: `1-2.3`.
  package var portPath: String?
  /// Which interface of the device it is; nil where that is not known.
  package var interface: Int?

  /// `0403:6001`.
  package var code: String { Self.text(vendor) + ":" + Self.text(product) }

  private static func text(_ number: UInt16) -> String {
    Hex.string([UInt8(number >> 8), UInt8(number & 0xFF)])
  }
}
