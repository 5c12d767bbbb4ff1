#if os(Linux)
  import Readers
  import Testing

  @testable import LibNFCReaders

  @Suite("Names that several adapters have")
  struct SharedNameTests {
    /// Adapters in sockets 1-1, 1-2 and so on as /dev/ttyUSB0, ttyUSB1 …; `owner` has the link
    /// below by-id.
    private func machine(
      _ serials: [String?], owner: Int?, code: (String, String) = ("10c4", "ea60")
    ) throws -> FixtureTree {
      let tree = try FixtureTree()
      for (index, serial) in serials.enumerated() {
        let (socket, port) = ("1-\(index + 1)", "ttyUSB\(index)")
        let device = "sys/devices/pci/usb1/\(socket)"
        try tree.file("\(device)/idVendor", code.0)
        try tree.file("\(device)/idProduct", code.1)
        if let serial { try tree.file("\(device)/serial", serial) }
        try tree.file("\(device)/\(socket):1.0/bInterfaceNumber", "00")
        try tree.file("\(device)/\(socket):1.0/\(port)/port_number", "0")
        try tree.file("sys/bus/usb/drivers/cp210x/bind")
        try tree.link("\(device)/\(socket):1.0/driver", to: "sys/bus/usb/drivers/cp210x")
        try tree.link("sys/class/tty/\(port)/device", to: "\(device)/\(socket):1.0/\(port)")
        try tree.file("dev/\(port)")
        try tree.link("dev/serial/by-path/pci-usb-0:\(index + 1):1.0-port0", to: "dev/\(port)")
      }
      if let owner {
        try tree.link("dev/serial/by-id/usb-Bridge_0001-if00-port0", to: "dev/ttyUSB\(owner)")
      }
      return tree
    }

    private func discovery(_ tree: borrowing FixtureTree, remembers: Bool = false) -> Discovery {
      Discovery(
        sysfs: "\(tree.root)/sys", dev: "\(tree.root)/dev", usbDevices: { [] },
        isAccessible: { _ in true },
        sharedNames: remembers ? SharedNames(path: "\(tree.root)/state/shared-names") : nil)
    }

    @Test(
      "Two of one name have none that lasts but their sockets', whoever owns the link",
      arguments: ["0001", nil, "", "A1"], [0, 1])
    func shared(serial: String?, owner: Int) throws {
      let tree = try machine([serial, serial], owner: owner)
      let found = discovery(tree).serialPorts()
      #expect(found.map(\.stablePath) == [nil, nil])
      #expect(found.map(\.socketsOfName) == [["1-1", "1-2"], ["1-1", "1-2"]])
      #expect(
        found.map(\.lastingPath)
          == (1...2).map { "\(tree.root)/dev/serial/by-path/pci-usb-0:\($0):1.0-port0" })
    }

    @Test("A name of its own, and that of an only adapter, stay; a maker's usual number is marked")
    func own() throws {
      let two = try machine(["A1", "B2"], owner: 1)
      let found = discovery(two).serialPorts()
      #expect(found.map { $0.stablePath != nil } == [false, true])
      #expect(found.map(\.mayShareName) == [false, false])
      for (serial, isMarked) in [("0001", true), ("A1", false), (nil, true), ("0000", true)] {
        let one = try machine([serial], owner: 0)
        let port = try #require(discovery(one).serialPorts().first)
        #expect(port.stablePath?.hasSuffix("usb-Bridge_0001-if00-port0") == true)
        #expect(port.mayShareName == isMarked)
      }
    }

    @Test("The ports of one adapter with several do not share their name")
    func interfaces() throws {
      let tree = try machine(["A1"], owner: 0)
      let device = "sys/devices/pci/usb1/1-1"
      try tree.file("\(device)/1-1:1.1/bInterfaceNumber", "01")
      try tree.file("\(device)/1-1:1.1/ttyUSB1/port_number", "0")
      try tree.link("sys/class/tty/ttyUSB1/device", to: "\(device)/1-1:1.1/ttyUSB1")
      try tree.file("dev/ttyUSB1")
      #expect(discovery(tree).serialPorts().allSatisfy { $0.sharedName == nil })
    }

    @Test("Ports behind one interface of an adapter do not share their name")
    func ports() throws {
      let tree = try machine(["A1"], owner: 0)
      let place = "sys/devices/pci/usb1/1-1/1-1:1.0/ttyUSB1"
      try tree.file("\(place)/port_number", "1")
      try tree.link("sys/class/tty/ttyUSB1/device", to: place)
      try tree.file("dev/ttyUSB1")
      let found = discovery(tree).serialPorts()
      #expect(found.count == 2 && found.allSatisfy { $0.sharedName == nil })
    }

    @Test("Adapters that call themselves otherwise do not share their name")
    func products() throws {
      let tree = try machine([nil, nil], owner: 0)
      for (socket, name) in [("1-1", "USB Serial"), ("1-2", "USB2.0-Serial")] {
        try tree.file("sys/devices/pci/usb1/\(socket)/product", name)
      }
      #expect(discovery(tree).serialPorts().allSatisfy { $0.sharedName == nil })
    }

    @Test(
      "The shared link is refused with both sockets, also through another link and a relative one")
    func refused() throws {
      let tree = try machine(["0001", "0001"], owner: 1)
      let link = "\(tree.root)/dev/serial/by-id/usb-Bridge_0001-if00-port0"
      try tree.link("bench/left", to: "dev/serial/by-id/usb-Bridge_0001-if00-port0")
      try tree.link("bench/nested", to: "bench/left")
      let text = """
        2 adapters have the name usb-Bridge_0001-if00-port0, those in the USB sockets 1-1 and 1-2, \
        and it may lead to either; name the reader by its socket, usb:1-1 or usb:1-2, or by its \
        link below /dev/serial/by-path
        """
      for name in [link, "\(tree.root)/bench/left", "\(tree.root)/bench/nested"] {
        #expect(discovery(tree).refusal(of: name) == text)
      }
      for name in [
        "\(tree.root)/dev/ttyUSB1", "\(tree.root)/dev/serial/by-path/pci-usb-0:2:1.0-port0",
        "\(tree.root)/nowhere",
      ] {
        #expect(discovery(tree).refusal(of: name) == nil)
      }
      let error = #expect(throws: ReaderError.self) {
        try discovery(tree).connection(named: "0001")
      }
      #expect(error?.description.contains("ttyUSB0 (0001, usb:1-1)") == true)
      #expect(error?.description.contains("ttyUSB1 (0001, usb:1-2)") == true)
    }

    @Test("With its owner unplugged, a name that was seen shared does not lead to the other reader")
    func remembered() throws {
      let both = try machine(["0001", "0001"], owner: 0)
      _ = discovery(both, remembers: true).serialPorts()
      let file = "\(both.root)/state/shared-names"
      #expect(SharedNames(path: file).all.values.map(\.ports) == [["1-1", "1-2"]])
      let alone = try machine(["0001"], owner: 0)
      let later = Discovery(
        sysfs: "\(alone.root)/sys", dev: "\(alone.root)/dev", usbDevices: { [] },
        isAccessible: { _ in true }, sharedNames: SharedNames(path: file))
      let port = try #require(later.serialPorts().first)
      #expect(port.stablePath == nil)
      let link = "\(alone.root)/dev/serial/by-id/usb-Bridge_0001-if00-port0"
      #expect(later.refusal(of: link)?.contains("1-1 and 1-2") == true)
      let error = #expect(throws: ReaderError.self) { try later.connection(named: "0001") }
      #expect(error?.description.contains("1-1 and 1-2") == true)
      #expect(try later.connection(named: "usb:1-1").location == port.device)
    }

    @Test("A memory that is damaged, or cannot be kept, is as good as none")
    func damaged() throws {
      let tree = try machine(["0001", "0001"], owner: 0)
      try tree.file("shared-names", " in \nx in 1\n\u{0}\u{FF}in in in a b")
      let names = SharedNames(path: "\(tree.root)/shared-names")
      #expect(names.all.values.allSatisfy { $0.ports.count > 1 })
      let nowhere = SharedNames(path: "/dev/null/shared-names")
      nowhere.note(SharedName(ports: ["1-1", "1-2"]), of: "k")
      #expect(nowhere.all.isEmpty)
    }
  }
#endif
