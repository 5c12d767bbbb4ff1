import PN532

/// What `--baud auto` does on a serial line, decided before the board is told anything.
///
/// A board that is told a speed which its adapter cannot make hears nothing any more until its
/// power is cut, so the line is raised only where it is known to hold the speed.
package enum AutomaticSpeed: Hashable, Sendable {
  /// The line is raised as far as board and port follow.
  case raises
  /// It stays at the speed at which it opens.
  case stays(Reason)

  /// Why a line is not raised.
  package enum Reason: Hashable, Sendable {
    /// Nothing is known of what this driver makes of 921600 baud; nil: the port has none that has a
    /// name.
    case unknownDriver(String?)
    /// The CH340's driver is 7.5 % off at 921600 baud before Linux 5.5 (commit 35714565089e).
    case oldKernel(driver: String)
    /// It was tried, and the board was lost.
    case hasLostBoard(bitsPerSecond: Int)
  }

  /// For `port`, under Linux or macOS; nil where it is no serial port. `memory` knows what happened
  /// on it before.
  init?(_ port: ReaderDescription, memory: AdapterMemory?, kernel: KernelRelease?) {
    guard port.attachment == .usbSerial || port.attachment == .uart else { return nil }
    if let speed = memory?.speed(thatLost: AdapterMemory.key(of: port)) {
      self = .stays(.hasLostBoard(bitsPerSecond: speed))
      return
    }
    #if os(Linux)
      switch port.driver {
      case let driver? where Self.goodDrivers.contains(driver): self = .raises
      case let driver? where driver == SerialAdapter.ch34x.module:
        self =
          kernel.map { $0 >= Self.repairedCH341 } == true
          ? .raises : .stays(.oldKernel(driver: driver))
      case let driver: self = .stays(.unknownDriver(driver))
      }
    #else
      switch port.adapter {
      case .ftdi, .cp210x: self = .raises
      case let adapter: self = .stays(.unknownDriver(adapter?.rawValue))
      }
    #endif
  }

  /// For the pseudo-terminal that `memory` knows as `key`: one carries every speed.
  init(pseudoTerminal key: String, memory: AdapterMemory?) {
    let lost = memory?.speed(thatLost: key)
    self = lost.map { .stays(.hasLostBoard(bitsPerSecond: $0)) } ?? .raises
  }

  /// Drivers that hold 921600 baud: FTDI's and CP210x adapters, and the PL011 of a Raspberry Pi,
  /// which refuses what it cannot.
  private static let goodDrivers: Set<String> = [
    SerialAdapter.ftdi.module, SerialAdapter.cp210x.module, "uart-pl011",
  ]
  private static let repairedCH341 = KernelRelease(major: 5, minor: 5)
}

extension AutomaticSpeed: CustomStringConvertible {
  /// What it does, and why it does no more.
  package var description: String {
    switch self {
    case .raises: "raises the speed, up to 921600 baud"
    case .stays(let reason): "does not raise the speed: \(reason)"
    }
  }
}

extension AutomaticSpeed.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownDriver(let driver):
      "\(driver.map { "the driver \($0)" } ?? "this port's driver") is not known to support a higher speed"
    case .oldKernel(let driver): "the driver \(driver) is wrong at 921600 baud before Linux 5.5"
    case .hasLostBoard(let speed): "a board was lost on it at \(speed) baud"
    }
  }
}
