import PN532
import Readers

/// What a command to the chip may change, as far as a replay has to know it.
enum CommandEffect: Hashable {
  /// The board alone: a genuine one's answer may stand in.
  case board
  /// The field goes off: every tag forgets its state.
  case fieldOff
  /// A look for tags.
  case look
  /// Tags are let go.
  case release
  /// A tag's memory is read; nothing changes.
  case read
  /// A file or an application is selected.
  case select
  /// A key or a password is tried.
  case authentication
  /// A tag's memory is written.
  case write
  /// Anything else that reaches a tag, or may.
  case other

  /// Of a whole command, its code first. `inProtocol`: the tag speaks ISO-DEP.
  init(_ command: [UInt8], inProtocol: Bool) {
    switch command.first.flatMap(CommandCode.init(rawValue:)) {
    case .diagnose where command.count > 1 && command[1] == 0x06: self = .other
    case .diagnose, .getFirmwareVersion, .readRegister, .writeRegister, .readGPIO, .writeGPIO,
      .setSerialBaudRate, .setParameters, .samConfiguration:
      self = .board
    case .rfConfiguration:
      let isOff = command.count > 2 && command[1] == 0x01 && command[2] & 0x01 == 0
      self = isOff ? .fieldOff : .board
    case .powerDown: self = .fieldOff
    case .inListPassiveTarget, .inAutoPoll: self = .look
    case .inRelease, .inDeselect: self = .release
    case .inDataExchange, .inCommunicateThru:
      self = Self.ofTag(TagFrame.bytes(in: command) ?? [], inProtocol: inProtocol)
    default: self = .other
    }
  }

  private static func ofTag(_ frame: [UInt8], inProtocol: Bool) -> CommandEffect {
    // FeliCa: the length, then Read or Write Without Encryption.
    if frame.count > 10, Int(frame[0]) == frame.count, [0x06, 0x08].contains(frame[1]) {
      return frame[1] == 0x06 ? .read : .write
    }
    // A password, and the halves of a proof, are of a tag without the protocol.
    let isAuthentication = [0x60, 0x61].contains(frame.first) && frame.count == 12
    if !inProtocol {
      if isAuthentication || [0x1B, 0x1A, 0xAF].contains(frame.first) { return .authentication }
      if frame == [0x60] { return .read }
    }
    let command = TagCommand(raw: frame, for: nil, inProtocol: inProtocol)
    switch command.kind {
    case .read: return .read
    case .write: return .write
    case .authentication: return .authentication
    case .other: break
    }
    guard inProtocol, frame.count > 3 else { return .other }
    return frame[1] == 0xA4 && frame[0] & 0xF0 == 0 || frame[0] == 0x90 && frame[1] == 0x5A
      ? .select : .other
  }
}

/// The frame to the tag within a command to the chip.
enum TagFrame {
  /// Nil for commands that carry none.
  static func shown(in command: [UInt8?]) -> [UInt8?]? {
    switch command.first.flatMap(\.self) {
    case CommandCode.inDataExchange.rawValue: Array(command.dropFirst(2))
    case CommandCode.inCommunicateThru.rawValue: Array(command.dropFirst())
    default: nil
    }
  }

  static func bytes(in command: [UInt8]) -> [UInt8]? {
    shown(in: command.map { $0 })?.compactMap(\.self)
  }
}
