import JSON
import LibNFCReaders

/// One reader: `readers`.
struct ReaderJSON: OutputDocument {
  /// With `--watch`: `there`, `came` or `went`.
  var event: String?
  var connstring: String
  /// `usb`, `usb-serial`, `uart`, `i2c` or `spi`.
  var attachment: String
  var model: String?
  /// The chip in a serial adapter: `FTDI`, `CP210x`, `CH340/CH341`, `PL2303`, `CDC`.
  var adapter: String?
  /// The device file.
  var device: String
  /// Names that are the same after unplugging: of this adapter, and of the USB port.
  var stablePath: String?
  var portLink: String?
  /// The USB sockets of all adapters that have the name which would be `stablePath`.
  var nameSharedBy: [String]?
  /// Vendor and product, `0403:6001`.
  var usb: String?
  var serialNumber: String?
  /// Bus and ports, `1-2.3`.
  var portPath: String?
  /// The kernel driver that is bound.
  var driver: String?
  /// Owner, group and permission bits: `root:dialout 660`.
  var access: String?
  /// Who has it open.
  var holder: String?
  /// How long an FTDI adapter holds short answers back.
  var latencyMs: Int?
  /// What `--baud auto` does on a serial line, `raises` or `stays`, and why it stays.
  var baudAuto: String?
  var baudAutoReason: String?
  /// With `--check`: whether it was opened. Otherwise: whether nothing is known against it.
  var canOpen: Bool
  /// What is wrong, in one word for programs.
  var problem: String?
  var reason: String?
  /// The command that repairs it.
  var remedy: String?
  var firmware: String?
  /// The fastest that board and port both follow to.
  var speed: Int?
  /// Where an earlier program had left the board.
  var strayedTo: Int?

  /// `obstacle`: why it cannot be used, and `advice`, what repairs that; `event` as above.
  init(
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
    nameSharedBy = reader.socketsOfName.isEmpty ? nil : reader.socketsOfName
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
