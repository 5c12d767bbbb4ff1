/// The chips in serial adapters that boards are sold with, and in boards with a USB socket.
package enum SerialAdapter: String, Hashable, Sendable, CaseIterable {
  case ftdi = "FTDI"
  case cp210x = "CP210x"
  case ch34x = "CH340/CH341"
  case pl2303 = "PL2303"
  /// A microcontroller or bridge of the class Communication Device, which needs no driver of its
  /// own.
  case cdc = "CDC"

  /// By the kernel's driver where one is bound; a driver of something else, such as a modem, is
  /// none of these. Without one, by the vendor's number.
  init?(driver: String?, usb: USBIdentity?) {
    if let driver {
      guard
        let adapter = Self.allCases.first(where: {
          $0.driverPrefixes.contains(where: driver.hasPrefix)
        })
      else { return nil }
      self = adapter
    } else {
      guard let usb, let adapter = Self.vendors[usb.vendor] else { return nil }
      self = adapter
    }
  }

  /// By the name that macOS gives the port, and the vendors of what is plugged into USB.
  ///
  /// The drivers of the system say `cu.usbserial-…` for FTDI, CP210x and CH34x alike. Such a port
  /// is the one kind of adapter that is plugged in; of several kinds, or none that is known,
  /// nothing is taken for granted: a board may be lost at a speed that its adapter cannot make.
  init?(portName: String, vendors: some Sequence<UInt16>) {
    switch portName {
    case let name where name.hasPrefix("cu.SLAB_USBtoUART"): self = .cp210x
    case let name where name.hasPrefix("cu.wchusbserial"): self = .ch34x
    case let name where name.hasPrefix("cu.PL2303"): self = .pl2303
    case let name where name.hasPrefix("cu.usbmodem"): self = .cdc
    case let name where name.hasPrefix("cu.usbserial"):
      let kinds = Set(vendors.compactMap { Self.vendors[$0] })
      guard kinds.count == 1, let only = kinds.first else { return nil }
      self = only
    default: return nil
    }
  }

  /// How the names of its drivers begin: the kernel's, then those of the makers.
  private var driverPrefixes: [String] {
    switch self {
    case .ftdi: ["ftdi_sio"]
    case .cp210x: ["cp210x"]
    case .ch34x: ["ch341", "ch34x", "usb_ch34"]
    case .pl2303: ["pl2303"]
    case .cdc: ["cdc_acm"]
    }
  }

  /// The kernel module that drives it.
  package var module: String {
    switch self {
    case .ftdi: "ftdi_sio"
    case .cp210x: "cp210x"
    case .ch34x: "ch341"
    case .pl2303: "pl2303"
    case .cdc: "cdc_acm"
    }
  }

  private static let vendors: [UInt16: SerialAdapter] = [
    0x0403: .ftdi, 0x10C4: .cp210x, 0x1A86: .ch34x, 0x067B: .pl2303,
  ]
}
