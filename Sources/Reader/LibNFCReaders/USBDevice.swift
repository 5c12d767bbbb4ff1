import Clibusb

/// A device on a USB, as its descriptor and its place tell; it is not opened for that.
struct USBDevice: Hashable {
  var bus: UInt8
  var address: UInt8
  /// The ports from the root hub on.
  var ports: [UInt8]
  var vendor: UInt16
  var product: UInt16

  /// As the kernel writes it: `1-2.3`.
  var portPath: String { "\(bus)-" + ports.map(String.init).joined(separator: ".") }

  /// Everything that is plugged in; nothing where there is no USB.
  static func all() -> [USBDevice] {
    var context: OpaquePointer?
    guard unsafe libusb_init(&context) == 0 else { return [] }
    defer { unsafe libusb_exit(context) }
    var list: UnsafeMutablePointer<OpaquePointer?>?
    let count = unsafe libusb_get_device_list(context, &list)
    guard count >= 0, let list = unsafe list else { return [] }
    defer { unsafe libusb_free_device_list(list, 1) }
    return (0..<count).compactMap { unsafe list[$0].flatMap { unsafe USBDevice($0) } }
  }

  @unsafe private init?(_ device: OpaquePointer) {
    var descriptor = libusb_device_descriptor()
    guard unsafe libusb_get_device_descriptor(device, &descriptor) == 0 else { return nil }
    var ports = [UInt8](repeating: 0, count: 7)
    let depth = unsafe libusb_get_port_numbers(device, &ports, 7)
    self.init(
      bus: unsafe libusb_get_bus_number(device), address: unsafe libusb_get_device_address(device),
      ports: Array(ports.prefix(max(0, Int(depth)))), vendor: descriptor.idVendor,
      product: descriptor.idProduct)
  }

  init(bus: UInt8, address: UInt8, ports: [UInt8], vendor: UInt16, product: UInt16) {
    self.bus = bus
    self.address = address
    self.ports = ports
    self.vendor = vendor
    self.product = product
  }
}
