import PN532
import TagMemory

extension TagCommand {
  /// The chip's command that carries it to `target`, its code first, and the same as a trace shows
  /// it.
  func carried(to identity: [UInt8]?) -> (bytes: [UInt8], shown: [UInt8?]) {
    let carrier: [UInt8] =
      switch way {
      case .dataExchange: Command.inDataExchange([]).bytes
      case .thru: Command.inCommunicateThru([]).bytes
      }
    let addressed = address(frame.map { $0 }, to: identity)
    let shown = address(Secrets.mask(frame.map { $0 }, secrets.frame), to: identity)
    return (carrier + addressed.compactMap(\.self), carrier + shown)
  }

  /// `frame` with what the selected tag needs to feel addressed; zeros where no tag is known.
  private func address(_ frame: [UInt8?], to identity: [UInt8]?) -> [UInt8?] {
    func last(_ count: Int) -> [UInt8?] {
      let bytes = identity ?? []
      return [UInt8](repeating: 0, count: max(0, count - bytes.count)) + bytes.suffix(count)
    }
    switch addressing {
    case .selection: return frame
    // The tag's own four bytes in both lengths: of a 7-byte UID the last four (AN10927, 2.2.4).
    case .uid: return frame + last(4)
    case .length: return [UInt8(frame.count + 1)] + frame
    case .idm: return [UInt8(frame.count + 9)] + frame.prefix(1) + last(8) + frame.dropFirst()
    }
  }
}

extension TagCommand {
  /// Asks the chip for the rest of the answer.
  var fetchingMore: TagCommand {
    guard !secrets.answer.isEmpty else { return TagCommand([]) }
    var rest = Secrets(answer: [0..<Int.max])
    rest.sparesStatusWord = secrets.sparesStatusWord
    return TagCommand([], secrets: rest)
  }
}

extension ExchangeTime {
  /// Returns what sending `command` costs when the tag answers with `answerCount` bytes (nil: it
  /// refuses), those that addressing adds not counted.
  package func time(of command: TagCommand, answerCount: Int?) -> TimeSplit {
    let around =
      switch command.addressing {
      case .selection, .uid: 0
      case .length: 1
      case .idm: 12
      }
    let answer =
      answerCount.map { [UInt8](repeating: 0, count: 1 + $0 + around) } ?? [
        StatusCode.crc.rawValue
      ]
    return time(of: command.carried(to: nil).bytes, work: command.work, answer: answer)
  }

  /// What it costs to select a tag with a 7-byte UID again.
  package var selection: TimeSplit {
    let tag = TypeATarget(
      number: 1, atqa: 0x0044, sak: 0x00, uid: [UInt8](repeating: 0, count: 7))
    return time(of: Command.listTypeA(uid: tag.uid).bytes, answer: [1] + tag.serialize())
  }
}
