import Testing

@testable import LibNFCReaders

@Suite("Finding readers")
struct DiscoveryTests {
  /// A machine with an FTDI adapter, a CDC device, one real UART, one that is not there, and a
  /// console.
  private func machine() throws -> FixtureTree {
    let tree = try FixtureTree()
    let ftdi = "sys/devices/pci/usb1/1-2/1-2.3"
    for (name, text) in [
      ("idVendor", "0403"), ("idProduct", "6001"), ("serial", "A10K6SYJ"),
      ("manufacturer", "FTDI"), ("product", "FT232R USB UART"),
    ] { try tree.file("\(ftdi)/\(name)", text) }
    try tree.file("\(ftdi)/1-2.3:1.0/ttyUSB0/port_number", "0")
    try tree.link("sys/class/tty/ttyUSB0/device", to: "\(ftdi)/1-2.3:1.0/ttyUSB0")
    try tree.file("sys/devices/pci/usb1/1-4/idVendor", "2341")
    try tree.file("sys/devices/pci/usb1/1-4/idProduct", "0043")
    try tree.file("sys/devices/pci/usb1/1-4/1-4:1.0/bInterfaceClass", "02")
    try tree.link("sys/class/tty/ttyACM0/device", to: "sys/devices/pci/usb1/1-4/1-4:1.0")
    try tree.file("sys/class/tty/ttyS0/type", "4")
    try tree.file("sys/class/tty/ttyS1/type", "0")
    try tree.file("sys/class/tty/ttyAMA7/type", "32")  // without a device file
    try tree.file("sys/class/tty/tty1/active", "tty1")
    for name in ["ttyUSB0", "ttyACM0", "ttyS0", "ttyS1", "tty1"] { try tree.file("dev/\(name)") }
    try tree.link(
      "dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10K6SYJ-if00-port0", to: "dev/ttyUSB0")
    return tree
  }

  private func discovery(
    _ tree: borrowing FixtureTree, usb: [USBDevice] = [],
    isAccessible: @escaping @Sendable (String) -> Bool = { _ in true }
  ) -> Discovery {
    Discovery(
      sysfs: "\(tree.root)/sys", dev: "\(tree.root)/dev", usbDevices: { usb },
      isAccessible: isAccessible)
  }

  #if os(Linux)
    @Test("Adapters come first, then UARTs that exist; nothing else counts")
    func serialPorts() throws {
      let tree = try machine()
      let found = discovery(tree).readers()
      #expect(
        found.map(\.connection)
          == ["ttyACM0", "ttyUSB0", "ttyS0"].map { "pn532_uart:\(tree.root)/dev/\($0)" })
      #expect(found.map(\.attachment) == [.usbSerial, .usbSerial, .uart])
      #expect(found.map(\.isLikely) == [true, true, false])
      #expect(found.allSatisfy { $0.obstacle == nil })
    }

    @Test("An adapter says what it is, where it is plugged in and how to find it again")
    func identity() throws {
      let tree = try machine()
      let found = try #require(discovery(tree).readers().first { $0.device.hasSuffix("ttyUSB0") })
      #expect(
        found.usb
          == USBIdentity(
            vendor: 0x0403, product: 0x6001, serialNumber: "A10K6SYJ", manufacturer: "FTDI",
            productName: "FT232R USB UART", portPath: "1-2.3"))
      #expect(found.usb?.code == "0403:6001")
      #expect(
        found.stablePath
          == "\(tree.root)/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10K6SYJ-if00-port0")
    }

    @Test("A port that this user may not open says so, with the command that repairs it")
    func permission() throws {
      let tree = try machine()
      let found = discovery(tree) { !$0.hasSuffix("ttyUSB0") }.readers()
      let obstacles = found.compactMap { reader in reader.obstacle.map { (reader.device, $0) } }
      #expect(obstacles.map(\.0) == ["\(tree.root)/dev/ttyUSB0"])
      #expect(obstacles.first?.1.reason == "this user may not open \(tree.root)/dev/ttyUSB0")
    }
  #endif

  @Test("USB readers are known by their numbers and named as libnfc names them")
  func usbReaders() throws {
    let tree = try FixtureTree()
    let directory = "sys/bus/usb/devices/1-3"
    try tree.file("\(directory)/idVendor", "072f")
    try tree.file("\(directory)/idProduct", "2200")
    try tree.file("\(directory)/product", "ACR122U PICC Interface")
    let found = discovery(
      tree,
      usb: [
        USBDevice(bus: 1, address: 12, ports: [3], vendor: 0x072F, product: 0x2200),
        USBDevice(bus: 2, address: 7, ports: [1, 4], vendor: 0x04E6, product: 0x5591),
        USBDevice(bus: 1, address: 1, ports: [], vendor: 0x1D6B, product: 0x0002),
      ]
    ).readers()
    #expect(found.map(\.connection) == ["acr122_usb:001:012", "pn53x_usb:002:007"])
    #expect(found.map(\.model) == ["ACS ACR122", "SCM SCL3711"])
    #expect(found.first?.usb?.productName == "ACR122U PICC Interface")
    #expect(found.last?.usb?.portPath == "2-1.4")
    #expect(found.last?.device == "\(tree.root)/dev/bus/usb/002/007")
  }

  @Test(
    "A driver of the kernel or another program in the way is named with its cure",
    arguments: [
      (
        "pn533_usb",
        "the kernel driver pn533_usb uses it; sudo modprobe -r pn533_usb pn533 nfc"
      ),
      (
        "usbfs",
        "another program, perhaps pcscd, holds it; sudo systemctl stop pcscd.socket pcscd"
      ),
    ])
  func usbObstacles(driver: String, text: String) throws {
    let tree = try FixtureTree()
    try tree.file("sys/bus/usb/drivers/\(driver)/bind")
    try tree.link("sys/bus/usb/devices/1-3/1-3:1.0/driver", to: "sys/bus/usb/drivers/\(driver)")
    let device = USBDevice(bus: 1, address: 2, ports: [3], vendor: 0x04CC, product: 0x2533)
    let found = discovery(tree, usb: [device]).readers()
    #expect(found.map { $0.obstacle?.description } == [text])
  }

  @Test("A USB reader without permission is closed to this user; root's group means a udev rule")
  func usbPermission() throws {
    let tree = try FixtureTree()
    try tree.file("dev/bus/usb/001/002")
    let device = USBDevice(bus: 1, address: 2, ports: [3], vendor: 0x04CC, product: 0x2533)
    let found = discovery(tree, usb: [device]) { _ in false }.readers()
    guard case .noPermission? = found.first?.obstacle else {
      Issue.record("no obstacle")
      return
    }
    #expect(
      Obstacle.noPermission(path: "/dev/x", group: "root").remedy == Obstacle.ruleAdvice)
    #expect(
      Obstacle.noPermission(path: "/dev/x", group: "dialout").remedy
        == "sudo usermod -aG dialout $USER, then log in again")
  }

  @Test("This machine can be asked without harm")
  func thisMachine() {
    for reader in Discovery().readers() { #expect(!reader.connection.isEmpty) }
  }
}
