/// Finds readers without touching them: no port is opened, no byte is sent.
public struct Discovery: Sendable {
  /// Where sysfs is mounted.
  let sysfs: String
  /// Where device files are.
  let dev: String
  let usbDevices: @Sendable () -> [USBDevice]
  let isAccessible: @Sendable (String) -> Bool
  /// Who has which of these files open.
  let holders: @Sendable (Set<String>) -> [String: String]
  /// Adapters on which a board was lost.
  let memory: AdapterMemory?
  /// Names that several adapters were seen with.
  let sharedNames: SharedNames?
  /// What drives the adapters.
  let kernel: KernelRelease?

  /// Looks below `sysfs` and `dev`, and at what is plugged into USB.
  public init(sysfs: String = "/sys", dev: String = "/dev") {
    self.init(
      sysfs: sysfs, dev: dev, usbDevices: USBDevice.all, isAccessible: FileSystem.isAccessible,
      holders: PortHolder.find, memory: .standard,
      sharedNames: .standard)
  }

  init(
    sysfs: String, dev: String, usbDevices: @escaping @Sendable () -> [USBDevice],
    isAccessible: @escaping @Sendable (String) -> Bool,
    holders: @escaping @Sendable (Set<String>) -> [String: String] = { _ in [:] },
    memory: AdapterMemory? = nil, sharedNames: SharedNames? = nil,
    kernel: KernelRelease? = .running
  ) {
    self.sysfs = sysfs
    self.dev = dev
    self.usbDevices = usbDevices
    self.isAccessible = isAccessible
    self.holders = holders
    self.memory = memory
    self.sharedNames = sharedNames
    self.kernel = kernel
  }

  /// Everything that could be a reader: USB readers, then serial adapters, then ports and buses
  /// that may lead anywhere, each by device name. Without `inDetail` nobody is asked who holds
  /// them, which is most of the work.
  public func readers(inDetail: Bool = true) -> [ReaderDescription] {
    var found = usbReaders()
    let serial = serialPorts()
    found += serial.filter(\.isLikely) + serial.filter { !$0.isLikely } + buses()
    if inDetail { addHolders(to: &found) }
    return found
  }

  /// The readers that libnfc drives over USB.
  func usbReaders() -> [ReaderDescription] {
    usbDevices().compactMap { device -> ReaderDescription? in
      guard let known = KnownUSBReader.find(device) else { return nil }
      let place = Self.padded(device.bus) + ":" + Self.padded(device.address)
      let file = "\(dev)/bus/usb/\(Self.padded(device.bus))/\(Self.padded(device.address))"
      let directory = "\(sysfs)/bus/usb/devices/\(device.portPath)"
      var reader = ReaderDescription(
        connection: "\(known.driver.rawValue):\(place)", attachment: .usb, model: known.model,
        device: file)
      reader.usb =
        usbIdentity(directory)
        ?? USBIdentity(vendor: device.vendor, product: device.product, portPath: device.portPath)
      let interface = "\(directory)/\(FileSystem.lastComponent(directory)):1.0"
      reader.driver = driver(of: interface)
      reader.access = FileAccess(of: file)
      reader.obstacle =
        known.obstacle ?? usbObstacle(driver: reader.driver, file: file)
      return reader
    }.sorted { $0.connection < $1.connection }
  }

  /// What the kernel says is bound to the reader's first interface. usbfs is another program's
  /// libusb.
  private func usbObstacle(driver: String?, file: String) -> Obstacle? {
    switch driver {
    case "usbfs": .held(by: "another program, perhaps pcscd,")
    case let driver?: .kernelDriver(driver)
    case nil:
      FileSystem.resolve(file) != nil && !isAccessible(file) ? .noPermission(path: file) : nil
    }
  }

  /// Names the programs that have readers open.
  package func addHolders(to readers: inout [ReaderDescription]) {
    let paths = readers.map { FileSystem.resolve($0.device) }
    let found = holders(Set(paths.compactMap(\.self)))
    for (index, path) in paths.enumerated() {
      guard let path, let holder = found[path] else { continue }
      readers[index].holder = holder
      switch readers[index].obstacle {
      case nil where readers[index].attachment == .i2c || readers[index].attachment == .spi:
        break  // Buses are shared.
      case nil where readers[index].attachment == .usb:
        break  // Looking at a device is not claiming it.
      case nil, .held?: readers[index].obstacle = .held(by: holder)
      default: break
      }
    }
  }

  /// The driver that is bound to a device in sysfs.
  func driver(of directory: String) -> String? {
    FileSystem.resolve("\(directory)/driver").map(FileSystem.lastComponent)
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
