import LibNFCReaders

/// One reader: `readers`.
package struct ReaderJSON: WireDocument {
  /// With `--watch`: `there`, `came` or `went`.
  package var event: String?
  package var connstring: String
  /// `usb`, `usb-serial`, `uart`, `i2c` or `spi`.
  package var attachment: String
  package var model: String?
  /// The chip in a serial adapter: `FTDI`, `CP210x`, `CH340/CH341`, `PL2303`, `CDC`.
  package var adapter: String?
  /// The device file.
  package var device: String
  /// Names that are the same after unplugging: of this adapter, and of the USB port.
  package var stablePath: String?
  package var portLink: String?
  /// Vendor and product, `0403:6001`.
  package var usb: String?
  package var serialNumber: String?
  /// Bus and ports, `1-2.3`.
  package var portPath: String?
  /// The kernel driver that is bound.
  package var driver: String?
  /// Owner, group and permission bits: `root:dialout 660`.
  package var access: String?
  /// Who has it open.
  package var holder: String?
  /// How long an FTDI adapter holds short answers back.
  package var latencyMs: Int?
  /// What `--baud auto` does on a serial line, `raises` or `stays`, and why it stays.
  package var baudAuto: String?
  package var baudAutoReason: String?
  /// With `--check`: whether it was opened. Otherwise: whether nothing is known against it.
  package var canOpen: Bool
  /// What is wrong, in one word for programs.
  package var problem: String?
  package var reason: String?
  /// The command that repairs it.
  package var remedy: String?
  package var firmware: String?
  /// The fastest that board and port both follow to.
  package var speed: Int?
  /// Where an earlier program had left the board.
  package var strayedTo: Int?

  /// `obstacle`: why it cannot be used, and `advice`, what repairs that; `event` as above.
  package init(
    _ reader: ReaderDescription, checkup: Checkup?, obstacle: Obstacle?, advice: String?,
    event: String?
  ) {
    self.event = event
    connstring = reader.connection
    attachment = reader.attachment.rawValue
    model = reader.model ?? reader.usb?.productName
    adapter = reader.adapter?.rawValue
    device = reader.device
    stablePath = reader.stablePath
    portLink = reader.portLink
    usb = reader.usb?.code
    serialNumber = reader.usb?.serialNumber
    portPath = reader.usb?.portPath
    driver = reader.driver
    access = reader.access?.description
    holder = reader.holder
    latencyMs = reader.latency
    switch reader.automaticSpeed {
    case .raises?: baudAuto = "raises"
    case .stays(let reason)?: (baudAuto, baudAutoReason) = ("stays", reason.description)
    case nil: break
    }
    canOpen = obstacle == nil
    problem = obstacle?.name
    reason = obstacle?.reason
    remedy = advice
    firmware = checkup?.firmware?.description
    speed = checkup?.speed?.bitsPerSecond
    strayedTo = checkup?.strayedTo?.bitsPerSecond
  }
}
