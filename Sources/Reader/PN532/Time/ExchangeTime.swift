/// What one exchange with the chip costs on a bench, as far as its host can tell: by the bytes that
/// it sent and got.
///
/// The chip's own view (how many frames went over the air) is not needed: what each command makes
/// of one is known.
package struct ExchangeTime: Sendable {
  package var model = TimeModel()
  /// The line's speed; nil where there is no serial line: then the link counts as free.
  package var speed: LinkSpeed?
  /// How long the chip waits for a tag that does not answer.
  package var patience = Duration.microseconds(51_200)
  /// How often a look asks for a tag that is not there.
  package var tries = 1
  /// In kbit/s where the selected tag is a FeliCa tag; nil: type A or B at 106.
  package var feliCaBitRate: Int?

  package init(speed: LinkSpeed?) { self.speed = speed }

  /// `command` with its code first; `work`: what the tag does with what it carries; `answer`: what
  /// follows the answer's code, nil when none came.
  package func time(of command: [UInt8], work: TagWork = .answer, answer: [UInt8]?) -> TimeSplit {
    var time = TimeSplit()
    guard let code = command.first else { return time }
    time.chip = model.command
    if let speed {
      var bytes = Frame.command(command).serialize().count
      if let answer {
        bytes += Frame.ack.serialize().count + Frame.answer([code + 1] + answer).serialize().count
      }
      time.link = model.line(bytes: bytes, bitsPerSecond: speed.bitsPerSecond)
    }
    guard let answer else { return time }
    switch CommandCode(rawValue: code) {
    case .inListPassiveTarget:
      time.rf =
        command.dropFirst(2).first == 0x00
        ? look(command, found: answer) : lookBeside(command, answer)
    case .inDataExchange: air(command.count - 2, work, answer, &time)
    case .inCommunicateThru: air(command.count - 1, work, answer, &time)
    // Off, and on again with the next look.
    case .rfConfiguration where command.dropFirst().elementsEqual([0x01, 0x00]):
      time.rf = model.guardTime * 2
    default: break
    }
    return time
  }

  /// A look for one tag or two of type A. A single tag is sent to HALT while the second is looked
  /// for, and woken after.
  private func look(_ command: [UInt8], found answer: [UInt8]) -> Duration {
    let targets = (try? TypeATarget.list(parsing: answer)) ?? []
    let selections = targets.map { target in
      model.activation + model.activationStep * (target.uid.count / 3 - 1)
    }
    guard let first = targets.first else { return model.emptyRequest * tries }
    let isFull = targets.count == command.dropFirst().first.map(Int.init) || first.sak & 0x20 != 0
    let second =
      isFull ? .zero : model.air(bytes: 4) + model.frameDelay + model.emptyRequest + selections[0]
    return selections.reduce(second, +)
  }

  /// A look for tags of another modulation than type A, as far as it does without knowing them:
  /// what is not there is asked for `tries` times; each time slot of FeliCa takes its time.
  private func lookBeside(_ command: [UInt8], _ answer: [UInt8]) -> Duration {
    let isFeliCa = command.count == 8
    let slots = isFeliCa ? model.pollingSlot * Int(command[7]) : .zero
    return answer.first == 0
      ? (model.emptyRequest + slots) * tries : model.activation + slots
  }

  /// Adds up the time in the air to a FeliCa tag and back, at `rate` kbit/s.
  private func feliCaAir(
    _ count: Int, _ work: TagWork, _ answer: [UInt8], rate: Int, _ time: inout TimeSplit
  ) {
    time.rf = model.feliCaFrame(bytes: count, kilobitsPerSecond: rate)
    if answer.count > 1 {
      time.rf +=
        model.answerDelay + model.feliCaFrame(bytes: answer.count - 1, kilobitsPerSecond: rate)
    } else if StatusCode(rawValue: answer.first ?? 0) == .timeout {
      time.rf += patience
    }
    if answer.first == 0, work == .programming { time.eeprom = model.pageProgramming }
  }

  /// `count` bytes to the tag, and its answer behind a status byte.
  private func air(_ count: Int, _ work: TagWork, _ answer: [UInt8], _ time: inout TimeSplit) {
    if let feliCaBitRate {
      return feliCaAir(count, work, answer, rate: feliCaBitRate, &time)
    }
    let status = answer.first ?? 0
    let acknowledgement = model.frameDelay * 2 + model.nibble
    switch work {
    case .classicAuthentication:
      time.rf = model.authentication
      return
    case .classicWrite:
      // In two parts, each acknowledged (MF1S50YYX_V1, 12.3).
      time.rf = model.air(bytes: 4) + model.air(bytes: 18) + acknowledgement * 2
      if status == 0 { time.eeprom = model.classicProgramming }
      return
    case .programming, .answer: break
    }
    time.rf = model.air(bytes: count + 2)
    if StatusCode(rawValue: status) == .timeout {
      time.rf += patience
    } else if answer.count > 1 {
      time.rf += model.frameDelay * 2 + model.air(bytes: answer.count + 1)
    } else {
      time.rf += acknowledgement
    }
    if status == 0, work == .programming { time.eeprom = model.pageProgramming }
  }
}
