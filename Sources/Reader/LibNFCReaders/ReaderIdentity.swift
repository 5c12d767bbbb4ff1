/// What stays the same of a reader that is unplugged and comes back under another name.
package enum ReaderIdentity: Hashable, Sendable {
  /// A USB device with a serial number of its own, wherever it is plugged in.
  case serialNumber(vendor: UInt16, product: UInt16, String, interface: Int?)
  /// A USB device without one, or one that shares its number: such a device in the same socket.
  case port(String, vendor: UInt16, product: UInt16, interface: Int?)
  /// Anything else: what stands at this path.
  case path(String)

  /// `others` are the readers that are there as well: many adapters all say 0001.
  init(of reader: ReaderDescription, among others: [ReaderDescription]) {
    guard let usb = reader.usb else {
      self = .path(reader.device)
      return
    }
    if let number = usb.serialNumber, !number.isEmpty {
      let identity = Self.serialNumber(
        vendor: usb.vendor, product: usb.product, number, interface: usb.interface)
      if others.count(where: identity.matches) <= 1 {
        self = identity
        return
      }
    }
    guard let port = usb.portPath else {
      self = .path(reader.device)
      return
    }
    self = .port(port, vendor: usb.vendor, product: usb.product, interface: usb.interface)
  }

  /// Returns whether `reader` is the one that is meant.
  func matches(_ reader: ReaderDescription) -> Bool {
    switch self {
    case .serialNumber(let vendor, let product, let number, let interface):
      guard let usb = reader.usb else { return false }
      return usb.vendor == vendor && usb.product == product && usb.serialNumber == number
        && usb.interface == interface
    case .port(let path, let vendor, let product, let interface):
      guard let usb = reader.usb else { return false }
      return usb.portPath == path && usb.vendor == vendor && usb.product == product
        && usb.interface == interface
    case .path(let path): return reader.device == path
    }
  }
}

extension ReaderIdentity: CustomStringConvertible {
  /// `the reader with the serial number A50285BI`.
  package var description: String {
    switch self {
    case .serialNumber(_, _, let number, _): "the reader with the serial number \(number)"
    case .port(let path, _, _, _): "the reader in USB port \(path)"
    case .path(let path): "the reader at \(path)"
    }
  }
}
