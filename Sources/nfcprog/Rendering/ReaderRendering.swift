import BenchKit
import LibNFCReaders
import Wire

/// One reader as `readers --json` prints it. What is nil is absent.
struct ReaderJSON: Encodable {
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
  /// The command that mends it.
  var remedy: String?
  var firmware: String?
  /// The fastest that board and port both follow to.
  var speed: Int?
  /// Where an earlier program had left the board.
  var strayedTo: Int?

  init(_ state: ReaderState, event: ReaderRendering.Event?) {
    let reader = state.reader
    self.event = event?.rawValue
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
    canOpen = state.obstacle == nil
    problem = state.obstacle?.name
    reason = state.obstacle?.reason
    remedy = state.obstacle?.advice
    firmware = state.checkup?.firmware?.description
    speed = state.checkup?.speed?.bitsPerSecond
    strayedTo = state.checkup?.strayedTo?.bitsPerSecond
  }
}

/// One reader for people: its connection string first, so that it can be copied.
enum ReaderRendering {
  /// What `--watch` tells.
  enum Event: String {
    case there, came, went
  }

  static func show(_ state: ReaderState, event: Event?, on console: Console) {
    if console.json {
      console.json(JSONLine.text(ReaderJSON(state, event: event)))
    } else {
      for line in lines(state, event: event) { console.result(line) }
    }
  }

  static func lines(_ state: ReaderState, event: Event? = nil) -> [String] {
    let reader = state.reader
    if event == .went { return ["\(reader.connection) is gone"] }
    var lines = [reader.connection + (event == .came ? " has come" : "")]
    let facts = [
      reader.adapter.map { "\($0.rawValue) adapter" }, reader.model ?? reader.usb?.productName,
      reader.usb?.code, reader.usb?.serialNumber.map { "serial number \($0)" },
      reader.usb?.portPath.map { "USB port \($0)" },
    ]
    let what = facts.compactMap(\.self).joined(separator: ", ")
    lines.append("  \(reader.attachment.rawValue)\(what.isEmpty ? "" : ": \(what)")")
    let kernel = [
      reader.driver.map { "driver \($0)" }, reader.access.map { "\(reader.device) is \($0)" },
      reader.latency.map { "delays short answers by \($0) ms" },
    ].compactMap(\.self)
    if !kernel.isEmpty { lines.append("  \(kernel.joined(separator: ", "))") }
    if let speed = reader.automaticSpeed, reader.isLikely {
      lines.append("  --baud auto \(speed)")
    }
    if let path = reader.stablePath { lines.append("  permanent name: pn532_uart:\(path)") }
    if let port = reader.usb?.portPath, reader.isLikely {
      lines.append("  by USB socket: usb:\(port)")
    }
    lines += verdict(state)
    return lines
  }

  private static func verdict(_ state: ReaderState) -> [String] {
    var lines: [String] = []
    if let firmware = state.checkup?.firmware {
      let speed = state.checkup?.speed.map { ", up to \($0.bitsPerSecond) baud" } ?? ""
      lines.append("  opens: \(firmware)\(speed)")
    }
    if let strayed = state.checkup?.strayedTo {
      lines.append(
        "  was at \(strayed.bitsPerSecond) baud, left there by an earlier program; it is reset"
      )
    }
    if let obstacle = state.obstacle {
      let verb = state.checkup?.firmware == nil ? "cannot be opened" : "has a problem"
      lines.append("  \(verb): \(obstacle.reason) [\(obstacle.name)]")
      if let remedy = obstacle.advice { lines.append("  to repair it: \(remedy)") }
    } else if let holder = state.reader.holder {
      lines.append("  \(holder) has it open")
    }
    return lines
  }

  /// What is wrong with the machine, or with an adapter that is no port.
  static func text(_ trouble: Discovery.Trouble) -> String {
    let place = trouble.usb.map { usb in
      "USB \(usb.code)" + (usb.portPath.map { " in port \($0)" } ?? "") + ": "
    }
    let remedy = trouble.obstacle.advice.map { "\n  to repair it: \($0)" } ?? ""
    return sentence((place ?? "") + trouble.obstacle.reason + " [\(trouble.obstacle.name)]")
      + remedy
  }
}
