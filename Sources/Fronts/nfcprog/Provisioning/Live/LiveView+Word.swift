import Provisioning

/// How a word looks and sounds in a terminal. Each has a colour and a shape, so that nothing
/// depends on colour alone.
extension StationWord {
  /// For a tile that is too narrow for `text` in large letters.
  var short: String {
    switch self {
    case .starting: "START"
    case .place: "PLACE"
    case .verifying: "CHECK"
    case .again: "AGAIN"
    case .left: "SKIP"
    case .several: "ONE TAG"
    case .lost: "READER"
    case .scan: "SCAN"
    case .unknownCode: "WRONG"
    case .usedCode: "USED"
    case .scannerLost: "SCANNER"
    case .scanLabel, .label: "LABEL"
    case .looking, .writing, .pass, .fail, .ended, .inspect, .printer: text
    }
  }

  /// With what the hand does, while the tag lies there.
  var order: String {
    switch self {
    case .pass, .fail, .left: "REMOVE – \(text)"
    default: text
    }
  }

  /// The shape beside the word.
  var symbol: Character? {
    switch self {
    case .pass: "✔"
    case .fail: "✖"
    case .again, .inspect: "↻"
    case .left: "○"
    case .place: "▼"
    case .several, .lost, .printer, .unknownCode, .usedCode, .scannerLost, .label: "!"
    case .scan, .scanLabel: "▼"
    case .starting, .looking, .writing, .verifying, .ended: nil
    }
  }

  var style: Console.Style? {
    switch self {
    case .pass: .good
    case .fail, .lost, .printer, .unknownCode, .usedCode, .scannerLost, .label: .bad
    case .again, .left, .several, .inspect: .look
    case .looking, .writing, .verifying: .busy
    case .place, .scan, .scanLabel: .bold
    case .starting, .ended: nil
    }
  }

  /// What the bell says.
  var sound: SoundQueue.Pattern? {
    switch self {
    case .pass: .pass
    case .fail, .label: .fail
    case .again, .inspect: .again
    case .left: .left
    case .several: .several
    case .lost, .printer, .scannerLost: .lost
    case .unknownCode, .usedCode: .code
    default: nil
    }
  }
}
