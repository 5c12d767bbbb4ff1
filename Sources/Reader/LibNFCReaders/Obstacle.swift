import PN532
import Readers

/// Why a reader that is there cannot be used, under a name of its own, and how to repair it.
package enum Obstacle: Hashable, Sendable {
  /// The device file is closed to this user; `group` may open it.
  case noPermission(path: String, group: String?)
  /// The user belongs to the group that may open it, but logged in before that.
  case loginAgain(path: String, group: String)
  /// Another program has the device open.
  case held(by: String)
  /// A driver of the kernel has taken the USB reader.
  case kernelDriver(String)
  /// A serial adapter is plugged in, and no serial port has come of it.
  case noPort(SerialAdapter, takenBy: String?)
  /// The machine shows no USB at all.
  case noUSB
  /// The device is there, but not a byte comes back, whatever the speed.
  case silent
  /// A USB reader takes no command.
  case takesNothing
  /// Every command is acknowledged, none is answered.
  case onlyAcknowledges(overUSB: Bool)
  /// Bytes come back, but no frame, whatever the speed.
  case noise
  /// What is sent comes back.
  case echo
  /// The board refuses SAMConfiguration as libnfc sends it.
  case refusesSAM
  /// The board answers at this speed only, and does not follow to the one it should open at.
  case stuck(bitsPerSecond: Int)
  /// The board took up this speed, which its adapter cannot make, and answers at none.
  case lostAt(bitsPerSecond: Int)
  /// Something else answers.
  case wrongChip(String)
  /// The chip answers, but damages what it sends or finds itself faulty.
  case halfDead(String)
  /// A port or a bus that may have any device on it: nobody has said that this one is a reader.
  case unchecked(connection: String)
  /// Anything else, as a clause.
  case other(String)
}

extension Obstacle {
  static func noPermission(path: String) -> Obstacle {
    let group = FileSystem.group(of: path)
    if let group, Membership.isOnlyOnPaper(group) { return .loginAgain(path: path, group: group) }
    return .noPermission(path: path, group: group)
  }

  /// What is wrong with a chip that answers GetFirmwareVersion with `firmware`, behind the answer
  /// code; nil for one that is supported. A PN531 has two bytes to say (libnfc 1.8.0,
  /// chips/pn53x.c).
  static func chip(firmware: [UInt8]) -> Obstacle? {
    if firmware.count == 2 { return .wrongChip("a PN531") }
    guard let version = try? FirmwareVersion(parsing: firmware) else {
      return .wrongChip("something else")
    }
    return [0x32, 0x33].contains(version.chip) ? nil : .wrongChip("a \(version)")
  }

  /// Stable, for programs.
  package var name: String {
    switch self {
    case .noPermission: "no-permission"
    case .loginAgain: "login-again"
    case .held: "busy"
    case .kernelDriver: "kernel-driver"
    case .noPort: "no-port"
    case .noUSB: "no-usb"
    case .silent, .takesNothing: "silent"
    case .onlyAcknowledges: "only-acknowledges"
    case .noise: "noise"
    case .echo: "echo"
    case .refusesSAM: "sam-refused"
    case .stuck: "stuck-speed"
    case .lostAt: "lost-speed"
    case .wrongChip: "wrong-chip"
    case .halfDead: "half-dead"
    case .unchecked: "unchecked"
    case .other: "other"
    }
  }

  /// The problem, as a clause.
  package var reason: String {
    switch self {
    case .noPermission(let path, _): "this user may not open \(path)"
    case .loginAgain(let path, let group):
      "this user may not open \(path) yet: the membership in group \(group) starts with the next login"
    case .held(let holder): "\(holder) holds it"
    case .kernelDriver(let driver): "the kernel driver \(driver) uses it"
    case .noPort(let adapter, nil):
      "the \(adapter.rawValue) adapter has no serial port: its kernel driver is missing"
    case .noPort(let adapter, let taker?):
      "the \(adapter.rawValue) adapter has no serial port: \(taker) uses it"
    case .noUSB: "this machine shows no USB devices, as in a container or a virtual machine"
    case .silent:
      "nothing answers at any speed: the board has no power, its switches select another interface, or its lines are crossed wrongly"
    case .takesNothing: "the reader takes no command: it hangs, or its chip has no power"
    case .onlyAcknowledges(overUSB: false):
      "the board acknowledges commands but answers none: its power supply is too weak, or it hangs"
    case .onlyAcknowledges(overUSB: true):
      "the reader takes commands but its chip answers none: its power supply is too weak, or it hangs"
    case .noise:
      "the answer is not from a PN532 at any speed: another device, a loose ground, or traffic from another program"
    case .echo:
      "sent bytes come back: RXD and TXD are bridged, or only the adapter is connected"
    case .refusesSAM:
      "the board refuses the SAMConfiguration command that libnfc sends, as some clones do"
    case .stuck(let speed): "the board stays at \(speed) baud and does not change its speed"
    case .lostAt(let speed):
      "the board was set to \(speed) baud, which its adapter does not support; now it answers at no speed"
    case .wrongChip(let chip): "the device is \(chip), not a PN532 or PN533"
    case .halfDead(let what): "the board is damaged: \(what)"
    case .unchecked:
      "any device may be on this port or bus, so a check of all readers does not open it"
    case .other(let reason): reason
    }
  }

  /// What to run or to do; nil where nobody can say.
  package var remedy: String? {
    switch self {
    case .noPermission(_, "root"?), .noPermission(_, nil): Self.ruleAdvice
    case .noPermission(_, let group?): "sudo usermod -aG \(group) $USER, then log in again"
    case .loginAgain(_, let group): "log in again, or for this shell only: newgrp \(group)"
    case .held(let holder): HolderRemedy.text(for: holder)
    case .kernelDriver: "sudo modprobe -r pn533_usb pn533 nfc"
    case .noPort(_, "brltty"?):
      "sudo systemctl mask --now brltty-udev.service brltty.service, then plug it in again"
    case .noPort(_, .some): nil
    case .noPort(let adapter, nil): "sudo modprobe \(adapter.module)"
    case .noUSB:
      "pass the device to the container (docker run --device /dev/ttyUSB0), or run nfcprog on the machine itself"
    case .silent:
      "set both switches to 0 (HSU), TXD to the adapter's RXD and RXD to its TXD, ground and 5 V; unplug it for a moment"
    case .takesNothing, .onlyAcknowledges(overUSB: true):
      "unplug it for a moment; plug it into the computer itself, or into a hub that has a power supply of its own"
    case .onlyAcknowledges(overUSB: false):
      "unplug it for a moment; power it with 5 V from a port that gives 150 mA, not from the adapter's 3.3 V pin"
    case .noise: "connect the grounds; unplug other devices from this port, or choose another port"
    case .echo: "remove the bridge between RXD and TXD and connect the board"
    case .refusesSAM: "use another board"
    case .stuck: "unplug it for a moment"
    case .lostAt:
      "unplug the board for a moment, then run the command again at 115200 baud"
    case .unchecked(let connection):
      "open it by its name \(connection), if a reader is connected to it"
    case .wrongChip: "use a reader or board with one of these"
    case .other: nil
    case .halfDead: "unplug it for a moment; if that does not help, use another board"
    }
  }

  /// What opens a device that belongs to root alone.
  package static let ruleAdvice =
    "install an udev rule that opens the reader to this user, then plug it in again"
}

extension Obstacle: CustomStringConvertible {
  /// The reason, then the remedy.
  package var description: String { remedy.map { "\(reason); \($0)" } ?? reason }
}
