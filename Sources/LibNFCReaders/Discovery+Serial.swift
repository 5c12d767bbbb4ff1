/// Serial ports that may have a board behind them.
extension Discovery {
  /// Ports of USB adapters, CDC devices and UARTs that really exist, by device name.
  func serialPorts() -> [ReaderDescription] {
    let links = stableLinks()
    let ports = names().compactMap { name in
      FileSystem.resolve("\(dev)/\(name)").map { (name, "\(dev)/\(name)", $0) }
    }
    let holders = PortHolder.find(paths: Set(ports.map(\.2)))
    return ports.compactMap { name, path, real in
      let identity = usbParent(of: name).flatMap(usbIdentity)
      #if os(Linux)
        guard identity != nil || isRealUART(name) else { return nil }
        let attachment: ReaderDescription.Attachment = identity == nil ? .uart : .usbSerial
      #else
        let attachment = ReaderDescription.Attachment.usbSerial
      #endif
      return ReaderDescription(
        connection: "pn532_uart:\(path)", attachment: attachment, device: path,
        stablePath: links[real], usb: identity, obstacle: serialObstacle(real, holders: holders))
    }
  }

  /// Device names that serial drivers give.
  private func names() -> [String] {
    #if os(Linux)
      let (directory, prefixes) = ("\(sysfs)/class/tty", ["ttyUSB", "ttyACM", "ttyAMA", "ttyS"])
    #else
      let (directory, prefixes) = (
        dev, ["cu.usbserial", "cu.usbmodem", "cu.SLAB_USBtoUART", "cu.wchusbserial"]
      )
    #endif
    return FileSystem.names(in: directory).filter { name in
      prefixes.contains { name.hasPrefix($0) }
    }
  }

  /// A UART's driver registers ports that no hardware answers for; their type is 0, unknown.
  private func isRealUART(_ name: String) -> Bool {
    guard let type = FileSystem.text(of: "\(sysfs)/class/tty/\(name)/type") else { return false }
    return type != "0"
  }

  /// The directory of the USB device that a tty belongs to: the first above it that names a vendor.
  private func usbParent(of name: String) -> String? {
    var directory = FileSystem.resolve("\(sysfs)/class/tty/\(name)/device")
    while let here = directory {
      if FileSystem.text(of: "\(here)/idVendor") != nil { return here }
      directory = FileSystem.parent(of: here)
    }
    return nil
  }

  /// Device files by what links below /dev/serial/by-id point at.
  private func stableLinks() -> [String: String] {
    let directory = "\(dev)/serial/by-id"
    var links: [String: String] = [:]
    for name in FileSystem.names(in: directory) {
      let link = "\(directory)/\(name)"
      if let path = FileSystem.resolve(link) { links[path] = link }
    }
    return links
  }
}
