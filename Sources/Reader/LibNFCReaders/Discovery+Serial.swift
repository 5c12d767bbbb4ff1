/// Serial ports that may have a board behind them.
extension Discovery {
  /// Ports of USB adapters, CDC devices and UARTs that really exist, by device name.
  func serialPorts() -> [ReaderDescription] {
    let (stable, place) = (links(in: "by-id"), links(in: "by-path"))
    let ports: [ReaderDescription] = names().compactMap { name in
      guard var port = serialPort(named: name, memory: memory),
        let real = FileSystem.resolve(port.device)
      else { return nil }
      port.stablePath = stable[real]
      port.portLink = place[real]
      port.access = FileAccess(of: real)
      port.obstacle = isAccessible(real) ? nil : .noPermission(path: real)
      return port
    }
    return withoutSharedNames(ports)
  }

  /// No name that lasts is one that several of `ports` have, or were seen with.
  private func withoutSharedNames(_ ports: [ReaderDescription]) -> [ReaderDescription] {
    let groups = Dictionary(grouping: ports) { SharedName.key(of: $0) }
    guard groups.contains(where: { $0.key != nil }) else { return ports }
    var shared = sharedNames?.all ?? [:]
    for case (let key?, let group) in groups {
      // One adapter may have several ports, which udev's links number.
      let sockets = Set(group.map { $0.usb?.portPath ?? $0.device })
      guard sockets.count > 1 else { continue }
      let name = SharedName(ports: sockets.sorted())
      sharedNames?.note(name, of: key)
      shared[key] = name
    }
    return ports.map { port in
      guard let key = SharedName.key(of: port), let name = shared[StateFile.line(key)] else {
        return port
      }
      var port = port
      (port.stablePath, port.sharedName) = (nil, name)
      return port
    }
  }

  /// Why `path`, a link below /dev/serial/by-id or one that leads there, is no name for a reader:
  /// other adapters may be behind it. Nil where nothing speaks against it.
  func refusal(of path: String) -> String? {
    var step: String? = path
    for _ in 0..<8 {
      guard let here = step else { return nil }
      if FileSystem.parent(of: here) == "\(dev)/serial/by-id" {
        let real = FileSystem.resolve(here)
        let port = serialPorts().first { FileSystem.resolve($0.device) == real }
        return port?.sharedName?.refusal(of: FileSystem.lastComponent(here))
      }
      step = FileSystem.target(of: here).map { target in
        target.hasPrefix("/") ? target : "\(FileSystem.parent(of: here) ?? "")/\(target)"
      }
    }
    return nil
  }

  /// The port whose device file is `file`, by what drives it; nil where no port of such a name has
  /// hardware behind it.
  func serialPort(at file: String, memory: AdapterMemory?) -> ReaderDescription? {
    let name = FileSystem.lastComponent(file)
    guard names().contains(name), FileSystem.resolve("\(dev)/\(name)") == file else { return nil }
    return serialPort(named: name, memory: memory)
  }

  private func serialPort(named name: String, memory: AdapterMemory?) -> ReaderDescription? {
    let path = "\(dev)/\(name)"
    guard FileSystem.resolve(path) != nil else { return nil }
    var port = ReaderDescription(
      connection: "pn532_uart:\(path)", attachment: .usbSerial, device: path)
    #if os(Linux)
      guard describe(&port, named: name) else { return nil }
    #else
      port.adapter = SerialAdapter(portName: name, vendors: usbDevices().map(\.vendor))
    #endif
    port.automaticSpeed = AutomaticSpeed(port, memory: memory, kernel: kernel)
    return port
  }

  /// Fills in what sysfs knows of a tty; false when no hardware is behind it.
  private func describe(_ port: inout ReaderDescription, named name: String) -> Bool {
    let directory = "\(sysfs)/class/tty/\(name)"
    let ancestors = ancestors(of: "\(directory)/device")
    let interface = ancestors.first {
      FileSystem.text(of: "\($0)/bInterfaceNumber") != nil
    }
    guard let parent = ancestors.first(where: { FileSystem.text(of: "\($0)/idVendor") != nil })
    else {
      port.attachment = .uart
      // Newer kernels put devices called "ctrl" and "port" between
      // (drivers/tty/serial/serial_base_bus.c).
      port.driver = ancestors.prefix(3).lazy.compactMap(driver).first {
        !["port", "ctrl"].contains($0)
      }
      // A UART's driver registers ports that no hardware answers for; their type is 0, unknown.
      return FileSystem.text(of: "\(directory)/type").map { $0 != "0" } ?? false
    }
    port.usb = usbIdentity(parent)
    port.usb?.interface = interface.flatMap { FileSystem.text(of: "\($0)/bInterfaceNumber") }
      .flatMap { Int($0, radix: 16) }
    port.driver = interface.flatMap(driver)
    port.adapter =
      SerialAdapter(driver: port.driver, usb: port.usb)
      ?? (port.driver == nil && name.hasPrefix("ttyACM") ? .cdc : nil)
    port.latency = FileSystem.text(of: "\(directory)/device/latency_timer").flatMap { Int($0) }
    return true
  }

  /// Device names that serial drivers give.
  private func names() -> [String] {
    #if os(Linux)
      let (directory, prefixes) = (
        "\(sysfs)/class/tty", ["ttyUSB", "ttyACM", "ttyCH", "ttyAMA", "ttyS"]
      )
    #else
      let (directory, prefixes) = (
        dev,
        ["cu.usbserial", "cu.usbmodem", "cu.SLAB_USBtoUART", "cu.wchusbserial", "cu.PL2303"]
      )
    #endif
    return FileSystem.names(in: directory).filter { name in
      prefixes.contains { name.hasPrefix($0) }
    }
  }

  /// A device's directory in sysfs and those above it.
  private func ancestors(of device: String) -> [String] {
    guard let here = FileSystem.resolve(device) else { return [] }
    return Array(sequence(first: here, next: FileSystem.parent))
  }

  /// Device files by what udev's links below /dev/serial point at.
  private func links(in folder: String) -> [String: String] {
    let directory = "\(dev)/serial/\(folder)"
    var links: [String: String] = [:]
    for name in FileSystem.names(in: directory) {
      let link = "\(directory)/\(name)"
      if let path = FileSystem.resolve(link) { links[path] = link }
    }
    return links
  }
}
