/// Finds readers without touching them: no port is opened, no byte is sent.
public struct Discovery {
  /// Where sysfs is mounted.
  let sysfs: String
  /// Where device files are.
  let dev: String
  private let usbDevices: () -> [USBDevice]
  private let isAccessible: (String) -> Bool

  /// Looks below `sysfs` and `dev`, and at what is plugged into USB.
  public init(sysfs: String = "/sys", dev: String = "/dev") {
    self.init(
      sysfs: sysfs, dev: dev, usbDevices: USBDevice.all, isAccessible: FileSystem.isAccessible)
  }

  init(
    sysfs: String, dev: String, usbDevices: @escaping () -> [USBDevice],
    isAccessible: @escaping (String) -> Bool
  ) {
    self.sysfs = sysfs
    self.dev = dev
    self.usbDevices = usbDevices
    self.isAccessible = isAccessible
  }

  /// Everything that could be a reader: USB readers, then serial adapters, then UARTs, each by device name.
  public func readers() -> [ReaderDescription] {
    let serial = serialPorts()
    return usbReaders() + serial.filter(\.isLikely) + serial.filter { !$0.isLikely }
  }

  /// The readers that libnfc drives over USB.
  func usbReaders() -> [ReaderDescription] {
    usbDevices().compactMap { device -> ReaderDescription? in
      guard let known = KnownUSBReader.find(device) else { return nil }
      let place = Self.padded(device.bus) + ":" + Self.padded(device.address)
      let file = "\(dev)/bus/usb/\(Self.padded(device.bus))/\(Self.padded(device.address))"
      let directory = "\(sysfs)/bus/usb/devices/\(device.portPath)"
      let identity =
        usbIdentity(directory)
        ?? USBIdentity(vendor: device.vendor, product: device.product, portPath: device.portPath)
      return ReaderDescription(
        connection: "\(known.driver.rawValue):\(place)", attachment: .usb, model: known.model,
        device: file, usb: identity, obstacle: usbObstacle(directory, file: file))
    }.sorted { $0.connection < $1.connection }
  }

  /// What the kernel says is bound to the reader's first interface. usbfs is another program's libusb.
  private func usbObstacle(_ directory: String, file: String) -> Obstacle? {
    let interface = "\(directory)/\(FileSystem.lastComponent(directory)):1.0"
    switch FileSystem.resolve("\(interface)/driver").map(FileSystem.lastComponent) {
    case "usbfs": return .held(by: PortHolder.find(path: file) ?? "another program, perhaps pcscd,")
    case let driver?: return .kernelDriver(driver)
    case nil: break
    }
    let isThere = FileSystem.resolve(file) != nil
    return isThere && !isAccessible(file) ? .noPermission(path: file) : nil
  }

  func serialObstacle(_ path: String, holders: [String: String]) -> Obstacle? {
    isAccessible(path) ? holders[path].map(Obstacle.held) : .noPermission(path: path)
  }

  /// A USB device's own words, from its directory in sysfs.
  func usbIdentity(_ directory: String) -> USBIdentity? {
    func text(_ name: String) -> String? { FileSystem.text(of: "\(directory)/\(name)") }
    guard let vendor = text("idVendor").flatMap({ UInt16($0, radix: 16) }),
      let product = text("idProduct").flatMap({ UInt16($0, radix: 16) })
    else { return nil }
    return USBIdentity(
      vendor: vendor, product: product, serialNumber: text("serial"),
      manufacturer: text("manufacturer"), productName: text("product"),
      portPath: FileSystem.lastComponent(directory))
  }

  private static func padded(_ number: UInt8) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }
}
