/// Why no label can be printed now, and so no tag is begun.
public enum PrinterObstacle: Hashable, Sendable {
  /// As the printer says itself.
  case headOpen, paperOut, ribbonOut, tooHot, settingsLost, diagnosing, paused, bufferFull
  /// Somebody else sends it a label, or stopped in the middle of one.
  case partialFormat
  /// It ends each connection at once.
  case occupied
  /// It takes the connection and does not answer.
  case silent
  /// What answers is no ZPL printer.
  case otherAnswer
  /// It cannot be reached, and why.
  case unreachable(reason: String)
  /// The label of the station's last tag is not printed yet.
  case busy

  /// Stable, for programs.
  package var cause: String {
    switch self {
    case .headOpen: "head-open"
    case .paperOut: "paper-out"
    case .ribbonOut: "ribbon-out"
    case .tooHot: "too-hot"
    case .settingsLost: "settings-lost"
    case .diagnosing: "diagnostic-mode"
    case .paused: "paused"
    case .bufferFull: "buffer-full"
    case .partialFormat: "partial-format"
    case .occupied: "occupied"
    case .silent: "silent"
    case .otherAnswer: "other-answer"
    case .unreachable: "unreachable"
    case .busy: "busy"
    }
  }

  /// What is in the way.
  package var what: String {
    switch self {
    case .headOpen: "The print head of the label printer is open."
    case .paperOut: "The label printer has no labels."
    case .ribbonOut: "The label printer has no ribbon."
    case .tooHot: "The print head of the label printer is too hot."
    case .settingsLost: "The label printer has lost its settings."
    case .diagnosing:
      "The label printer is in its diagnostic mode: it would print commands as text."
    case .paused: "The label printer is paused."
    case .bufferFull: "The memory of the label printer is full."
    case .partialFormat:
      "The label printer waits for the rest of a label that another program sends."
    case .occupied: "The label printer ends each connection: another program may be using it."
    case .silent: "The label printer does not answer."
    case .otherAnswer: "The label printer does not answer as a ZPL printer."
    case .unreachable(let reason): "The label printer cannot be reached: \(reason)."
    case .busy: "The label of the last tag is not printed yet."
    }
  }

  /// What the hand does.
  package var next: String {
    switch self {
    case .headOpen: "Close the print head."
    case .paperOut: "Put labels in."
    case .ribbonOut: "Put a ribbon in."
    case .tooHot: "Wait until it is cooler."
    case .settingsLost: "Set the printer up again."
    case .diagnosing: "Switch the printer off and on."
    case .paused: "Press its PAUSE key."
    case .bufferFull: "Wait. If it does not print, switch it off and on."
    case .partialFormat: "Wait. If nothing changes, switch the printer off and on."
    case .occupied: "Wait. If nothing changes, find out which program prints there."
    case .silent: "Check its labels, its ribbon and its print head, and read its display."
    case .otherAnswer: "Check its address, and that it is set to ZPL."
    case .unreachable:
      "Check that it is on and its cable is in, or that the program that takes labels runs."
    case .busy: "Wait."
    }
  }
}
