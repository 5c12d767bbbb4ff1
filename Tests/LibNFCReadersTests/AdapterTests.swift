import Readers
import Testing

@testable import LibNFCReaders

#if os(Linux)
  /// Recorded from a Linux 6.1 with one adapter of each kind, a modem and a Raspberry Pi's buses.
  @Suite("What sysfs says of adapters and buses")
  struct AdapterTests {
    private struct Adapter {
      let port: String
      let usb: (vendor: String, product: String, serial: String?)
      let tty: String
      let driver: String
      var interface = "00"
    }

    private static let adapters: [Adapter] = [
      Adapter(port: "1-1", usb: ("0403", "6001", "A50285BI"), tty: "ttyUSB0", driver: "ftdi_sio"),
      Adapter(port: "1-2", usb: ("10c4", "ea60", "0001"), tty: "ttyUSB1", driver: "cp210x"),
      Adapter(port: "1-3.1", usb: ("1a86", "7523", nil), tty: "ttyUSB2", driver: "ch341"),
      Adapter(port: "1-3.2", usb: ("067b", "2303", nil), tty: "ttyUSB3", driver: "pl2303"),
      Adapter(port: "1-4", usb: ("2e8a", "000a", "E660"), tty: "ttyACM0", driver: "cdc_acm"),
      Adapter(
        port: "1-5", usb: ("2c7c", "0125", nil), tty: "ttyUSB4", driver: "option", interface: "02"),
    ]

    private func machine() throws -> FixtureTree {
      let tree = try FixtureTree()
      for adapter in Self.adapters {
        let device = "sys/devices/pci/usb1/\(adapter.port)"
        try tree.file("\(device)/idVendor", adapter.usb.vendor)
        try tree.file("\(device)/idProduct", adapter.usb.product)
        if let serial = adapter.usb.serial { try tree.file("\(device)/serial", serial) }
        let interface = "\(device)/\(adapter.port):1.\(Int(adapter.interface) ?? 0)"
        try tree.file("\(interface)/bInterfaceNumber", adapter.interface)
        try tree.file("sys/bus/usb/drivers/\(adapter.driver)/bind")
        try tree.link("\(interface)/driver", to: "sys/bus/usb/drivers/\(adapter.driver)")
        let port = adapter.tty.hasPrefix("ttyUSB") ? "\(interface)/\(adapter.tty)" : interface
        if adapter.driver == "ftdi_sio" { try tree.file("\(port)/latency_timer", "16") }
        try tree.file("\(port)/uevent")
        try tree.link("sys/class/tty/\(adapter.tty)/device", to: port)
        try tree.link("sys/bus/usb/devices/\(adapter.port)", to: device)
        try tree.file("dev/\(adapter.tty)")
      }
      try tree.link(
        "dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0", to: "dev/ttyUSB0")
      try tree.file("sys/class/i2c-dev/i2c-1/name", "bcm2835 (i2c@7e804000)")
      try tree.file("sys/class/spidev/spidev0.0/uevent")
      try tree.file("dev/i2c-1")
      try tree.file("dev/spidev0.0")
      return tree
    }

    private func discovery(
      _ tree: borrowing FixtureTree, usb: [USBDevice] = [], holders: [String: String] = [:]
    ) -> Discovery {
      let root = tree.root
      return Discovery(
        sysfs: "\(root)/sys", dev: "\(root)/dev", usbDevices: { usb }, isAccessible: { _ in true },
        holders: { paths in
          holders.reduce(into: [:]) { found, entry in
            let path = "\(root)/dev/\(entry.key)"
            if paths.contains(path) { found[path] = entry.value }
          }
        })
    }

    @Test("Adapters are told apart by their drivers; a modem is none")
    func kinds() throws {
      let tree = try machine()
      let found = discovery(tree).serialPorts()
      let kinds = Dictionary(
        uniqueKeysWithValues: found.map { (FileSystem.lastComponent($0.device), $0.adapter) })
      #expect(
        kinds == [
          "ttyUSB0": .ftdi, "ttyUSB1": .cp210x, "ttyUSB2": .ch34x, "ttyUSB3": .pl2303,
          "ttyACM0": .cdc, "ttyUSB4": nil,
        ])
      #expect(found.filter { !$0.isLikely }.map(\.driver) == ["option"])
      #expect(found.first { $0.adapter == .ftdi }?.latency == 16)
      #expect(
        found.first { $0.adapter == .ftdi }?.portLink
          == "\(tree.root)/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0")
      #expect(found.first { $0.driver == "option" }?.usb?.interface == 2)
    }

    @Test("Each serial line says what --baud auto does there")
    func automaticSpeed() throws {
      let tree = try machine()
      // A Raspberry Pi's UART as newer kernels show it.
      let uart = "sys/devices/platform/fe201000.serial"
      try tree.file("\(uart)/uart:0/uart:0.0/uevent")
      for (device, driver) in [
        ("\(uart)/uart:0/uart:0.0", "port"), ("\(uart)/uart:0", "ctrl"), (uart, "uart-pl011"),
      ] {
        try tree.file("sys/bus/drivers/\(driver)/bind")
        try tree.link("\(device)/driver", to: "sys/bus/drivers/\(driver)")
      }
      try tree.link("sys/class/tty/ttyAMA0/device", to: "\(uart)/uart:0/uart:0.0")
      try tree.file("sys/class/tty/ttyAMA0/type", "32")
      try tree.file("dev/ttyAMA0")
      let memory = AdapterMemory(path: "\(tree.root)/lost-boards")
      memory.note(loss: "usb 10c4:ea60 0001", bitsPerSecond: 460_800)
      let found = Discovery(
        sysfs: "\(tree.root)/sys", dev: "\(tree.root)/dev", usbDevices: { [] },
        isAccessible: { _ in true }, memory: memory, kernel: KernelRelease("5.4.0")
      ).readers()
      let speeds = Dictionary(
        uniqueKeysWithValues: found.map {
          (FileSystem.lastComponent($0.device), $0.automaticSpeed)
        })
      #expect(
        speeds == [
          "ttyUSB0": .raises, "ttyAMA0": .raises,
          "ttyUSB1": .stays(.hasLostBoard(bitsPerSecond: 460_800)),
          "ttyUSB2": .stays(.oldKernel(driver: "ch341")),
          "ttyUSB3": .stays(.unknownDriver("pl2303")),
          "ttyACM0": .stays(.unknownDriver("cdc_acm")),
          "ttyUSB4": .stays(.unknownDriver("option")),
          "i2c-1": nil, "spidev0.0": nil,
        ])
    }

    @Test("Buses are listed last, and nobody takes them for readers")
    func buses() throws {
      let tree = try machine()
      let found = discovery(tree).readers().suffix(2)
      #expect(
        found.map(\.connection)
          == ["pn532_i2c:\(tree.root)/dev/i2c-1", "pn532_spi:\(tree.root)/dev/spidev0.0"])
      #expect(found.map(\.attachment) == [.i2c, .spi])
      #expect(found.first?.model == "bcm2835 (i2c@7e804000)")
      #expect(found.allSatisfy { !$0.isLikely })
    }

    @Test("Whoever has a port open is named as the problem")
    func holder() throws {
      let tree = try machine()
      let found = discovery(
        tree, holders: ["ttyUSB1": "process 7 (picocom)", "i2c-1": "process 8 (x)"]
      )
      .readers()
      #expect(
        found.first { $0.adapter == .cp210x }?.obstacle == .held(by: "process 7 (picocom)"))
      #expect(found.first { $0.attachment == .i2c }?.obstacle == nil)
    }

    @Test("A reader is named by its serial number or its socket")
    func naming() throws {
      let tree = try machine()
      let all = discovery(tree)
      #expect(try all.connection(named: "A50285BI").location == "\(tree.root)/dev/ttyUSB0")
      #expect(try all.connection(named: "usb:1-3.2").location == "\(tree.root)/dev/ttyUSB3")
      #expect(try all.connection(named: "usb:1-3.2").text == "usb:1-3.2")
      #expect(try all.connection(named: "A50285BI", calling: "left").text == "left")
      #expect(try all.connection(named: "pn532_i2c:/dev/i2c-1").driver == .pn532I2C)
      for name in ["NOSUCH", "usb:9-9"] {
        let error = #expect(throws: ReaderError.self) { try all.connection(named: name) }
        #expect(error?.description.contains("usb:1-3.1") == true)
        #expect(Discovery.isIdentity(name))
      }
      for name in ["usb:", "usb:x", "bogus:x", "/dev/x", "pn532_uart"] {
        #expect(!Discovery.isIdentity(name))
      }
    }

    @Test("An adapter that became no port is a trouble with a remedy")
    func noPort() throws {
      let tree = try machine()
      let devices = [
        USBDevice(bus: 1, address: 4, ports: [3, 1], vendor: 0x1A86, product: 0x7523),
        USBDevice(bus: 1, address: 9, ports: [6], vendor: 0x1A86, product: 0x7523),
      ]
      let found = discovery(tree, usb: devices).troubles()
      #expect(found.map(\.usb?.portPath) == ["1-6"])
      #expect(found.map(\.obstacle) == [.noPort(.ch34x, takenBy: nil)])
    }

    @Test("A machine without USB says so")
    func container() throws {
      let tree = try FixtureTree()
      #expect(discovery(tree).troubles() == [.init(usb: nil, obstacle: .noUSB)])
      #expect(discovery(tree).readers().isEmpty)
    }
  }
#endif
