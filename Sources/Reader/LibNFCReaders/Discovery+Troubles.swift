/// What is wrong beside the readers that were found: adapters that became no port, and machines
/// without USB.
extension Discovery {
  /// Something that keeps a reader from being found.
  package struct Trouble: Hashable, Sendable {
    /// The adapter; nil when the machine is meant.
    package var usb: USBIdentity?
    package var obstacle: Obstacle
  }

  package func troubles() -> [Trouble] {
    #if os(Linux)
      guard !FileSystem.names(in: "\(sysfs)/bus/usb/devices").isEmpty else {
        return [Trouble(usb: nil, obstacle: .noUSB)]
      }
      let used = Set(serialPorts().compactMap { $0.usb?.portPath })
      return usbDevices().compactMap { device in
        guard let adapter = Self.adapters["\(device.code)"], !used.contains(device.portPath) else {
          return nil
        }
        let directory = "\(sysfs)/bus/usb/devices/\(device.portPath)"
        let driver = driver(of: "\(directory)/\(device.portPath):1.0")
        // brltty takes CH340 and CP2102 adapters for Braille displays, and drives them by libusb.
        let taker = driver == "usbfs" ? brailleTerminal ?? "another program" : nil
        guard driver == nil || driver == "usbfs" else { return nil }
        let usb =
          usbIdentity(directory)
          ?? USBIdentity(vendor: device.vendor, product: device.product, portPath: device.portPath)
        return Trouble(usb: usb, obstacle: .noPort(adapter, takenBy: taker))
      }
    #else
      return []
    #endif
  }

  private var brailleTerminal: String? { PortHolder.isRunning("brltty") ? "brltty" : nil }

  /// Serial adapters that are surely ones, by vendor and product.
  private static let adapters: [String: SerialAdapter] = [
    "0403:6001": .ftdi, "0403:6010": .ftdi, "0403:6014": .ftdi, "0403:6015": .ftdi,
    "10c4:ea60": .cp210x, "10c4:ea70": .cp210x, "1a86:7523": .ch34x, "1a86:7522": .ch34x,
    "1a86:5523": .ch34x, "067b:2303": .pl2303, "067b:23a3": .pl2303,
  ]
}

extension USBDevice {
  fileprivate var code: String { USBIdentity(vendor: vendor, product: product).code.lowercased() }
}
