import Bench
import LibNFCReaders

/// One reader for people: its connection string first, so that it can be copied.
enum ReaderRendering {
  static func show(_ state: ReaderState, event: ReaderWatch.Event?, on console: Console) {
    if console.json {
      console.json(ReaderJSON(state, event: event))
    } else {
      for line in lines(state, event: event) { console.result(line) }
    }
  }

  static func lines(_ state: ReaderState, event: ReaderWatch.Event? = nil) -> [String] {
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
    lines += names(of: reader)
    lines += verdict(state)
    return lines
  }

  /// By what it is found again.
  private static func names(of reader: ReaderDescription) -> [String] {
    var lines: [String] = []
    let byPath = reader.portLink.map { ", pn532_uart:\($0)" } ?? ""
    if let path = reader.stablePath {
      let condition = reader.mayShareName ? ", while no second adapter of its kind is there" : ""
      lines.append("  permanent name\(condition): pn532_uart:\(path)")
    }
    if let port = reader.usb?.portPath, reader.isLikely {
      lines.append("  by USB socket: usb:\(port)\(reader.mayShareName ? byPath : "")")
    }
    if !reader.socketsOfName.isEmpty {
      lines.append(
        "  no permanent name of its own: the adapters in the USB sockets "
          + reader.socketsOfName.joined(separator: " and ") + " have the same")
    }
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
      var (verb, aim) = ("cannot be opened", "to repair it")
      if case .unchecked = obstacle { (verb, aim) = ("was not opened", "to check it") }
      if state.checkup?.firmware != nil { verb = "has a problem" }
      lines.append("  \(verb): \(obstacle.reason) [\(obstacle.name)]")
      if let remedy = obstacle.advice { lines.append("  \(aim): \(remedy)") }
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

extension ReaderJSON {
  init(_ state: ReaderState, event: ReaderWatch.Event?) {
    self.init(
      state.reader, checkup: state.checkup, obstacle: state.obstacle,
      advice: state.obstacle?.advice, event: event?.rawValue)
  }
}
