/// The USB readers that libnfc drives (1.8.0, drivers/pn53x_usb.c and drivers/acr122_usb.c).
struct KnownUSBReader: Hashable {
  let vendor: UInt16
  let product: UInt16
  let driver: ConnectionString.Driver
  let model: String
  /// What is known to be wrong with its chip before anything is sent to it.
  var obstacle: Obstacle?

  static let all: [KnownUSBReader] = [
    .init(vendor: 0x04CC, product: 0x0531, driver: .pn53xUSB, model: "NXP PN531", obstacle: pn531),
    .init(vendor: 0x04CC, product: 0x2533, driver: .pn53xUSB, model: "NXP PN533"),
    .init(vendor: 0x04E6, product: 0x5591, driver: .pn53xUSB, model: "SCM SCL3711"),
    .init(vendor: 0x04E6, product: 0x5594, driver: .pn53xUSB, model: "SCM SCL3712"),
    .init(vendor: 0x054C, product: 0x0193, driver: .pn53xUSB, model: "Sony PN531", obstacle: pn531),
    .init(vendor: 0x054C, product: 0x02E1, driver: .pn53xUSB, model: "Sony RC-S360"),
    .init(vendor: 0x1FD3, product: 0x0608, driver: .pn53xUSB, model: "ASK LoGO"),
    .init(vendor: 0x072F, product: 0x2200, driver: .acr122USB, model: "ACS ACR122"),
    .init(vendor: 0x072F, product: 0x90CC, driver: .acr122USB, model: "Touchatag"),
    .init(vendor: 0x072F, product: 0x2214, driver: .acr122USB, model: "ACS ACR1222"),
  ]

  private static let pn531 = Obstacle.wrongChip("a PN531")

  static func find(_ device: USBDevice) -> KnownUSBReader? {
    all.first { $0.vendor == device.vendor && $0.product == device.product }
  }
}
