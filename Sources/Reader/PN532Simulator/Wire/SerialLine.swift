import PN532

/// The chip's end of the serial line (HSU): bytes in, frames out; still without I/O or clock.
///
/// UM0701-02, 6.2: a sound command is acknowledged, a damaged one is not; NACK brings the last
/// answer again; the faults of the line strike here.
package final class SerialLine {
  /// What the board does next.
  package enum Action: Hashable, Sendable {
    /// Sends `bytes`, `after` later than the action before.
    case send([UInt8], after: Duration)
    /// What follows reaches the host this much later than the chip sent it.
    case delay(Duration)
    /// Forgets what the chip has not sent yet: the host wants something else.
    case cancel
    /// Vanishes from the host's sight.
    case unplug
  }

  package let chip: Chip
  /// Is true if modelled time passes for the host too.
  private let isRealtime: Bool
  private var parser = FrameParser()
  private var detector = WakeUpDetector()
  private var lastAnswer: [UInt8]?
  /// The host flushed its output while an ACK was awaited.
  private var ackMayBeFlushed = false
  /// The chip was woken, and the adapter has handed nothing to the host since.
  private var isFirstByte = false

  package init(chip: Chip, realtime: Bool = false) {
    self.chip = chip
    isRealtime = realtime
  }

  /// Takes bytes that the host sent at `bitsPerSecond`. At another speed than the chip's they are
  /// noise.
  ///
  /// A host may change its own speed before the ACK that completes SetSerialBaudRate has been
  /// looked at here: an ACK passes at the announced speed too.
  package func receive(_ bytes: [UInt8], bitsPerSecond: Int?) -> [Action] {
    if chip.deviations.diesOfWakeUp, chip.speed != .baud115200,
      bitsPerSecond == chip.speed.bitsPerSecond, bytes.starts(with: [0x55, 0x55])
    {
      chip.hang()
    }
    return bytes.flatMap { byte in
      guard chip.deviations.reaches(chip.speed) else { return [Action]() }
      switch bitsPerSecond {
      case chip.speed.bitsPerSecond: return receive(byte)
      case chip.announcedSpeed?.bitsPerSecond where bitsPerSecond != nil:
        return receiveAhead(byte)
      default:
        parser.reset()
        if chip.deviations.fallsHome { chip.fallHome() }
        return []
      }
    }
  }

  /// The host has thrown away what it had written and nobody had looked at. A real line would have
  /// sent the few bytes of an ACK by then: if one is awaited, it counts as sent once the host
  /// speaks at the new speed.
  package func hostFlushes() { ackMayBeFlushed = chip.announcedSpeed != nil }

  /// Looks whether a command that waits for a tag can be answered now.
  package func resume() -> [Action] {
    guard let outcome = chip.resume() else { return [] }
    return reply(outcome, after: isRealtime ? chip.lastTime.total : .zero)
  }

  /// Power off and on.
  package func powerCycle() {
    chip.powerCycle()
    (parser, detector, lastAnswer) = (FrameParser(), WakeUpDetector(), nil)
  }

  /// A byte at the announced speed.
  private func receiveAhead(_ byte: UInt8) -> [Action] {
    switch parser.feed(byte) {
    case .frame(.ack):
      chip.hostAcknowledges()
      return []
    case .frame(.command(let command)) where ackMayBeFlushed:
      chip.hostAcknowledges()
      return obey(command)
    default: return []
    }
  }

  private func receive(_ byte: UInt8) -> [Action] {
    guard chip.powerMode == .awake else {
      if detector.hears(byte) {
        chip.wakeUp()
        isFirstByte = true
        (parser, detector) = (FrameParser(), WakeUpDetector())
      }
      return []
    }
    switch parser.feed(byte) {
    case .frame(.command(let command)): return obey(command)
    case .frame(.ack):
      chip.hostAcknowledges()
      return [.cancel]
    case .frame(.nack): return lastAnswer.map { [.send($0, after: .zero)] } ?? []
    case .frame(.answer), .frame(.error), .fault, nil: return []
    }
  }

  private func obey(_ command: [UInt8]) -> [Action] {
    ackMayBeFlushed = false
    let count = Frame.command(command).serialize().count
    guard chip.deviations.carries(count, at: chip.speed), chip.deviations.passes(command: command)
    else { return [] }
    switch chip.faults.nextCommand() {
    // A damaged command is not acknowledged, just as one that never came.
    case .lost, .corrupt: return []
    case .unplugged: return [.unplug]
    case .hang:
      guard chip.process(command: command) != .deaf else { return [] }
      chip.hang()
      return acknowledgement(command).actions
    case nil: break
    }
    let outcome = chip.process(command: command)
    guard outcome != .deaf else { return [] }
    let (actions, delay) = acknowledgement(command)
    var rest = isRealtime ? max(.zero, chip.lastTime.total - delay) : .zero
    if let wanted = chip.scripted?.delay { rest = max(.zero, wanted - delay) }
    return [.cancel] + actions + reply(outcome, after: rest)
  }

  private func acknowledgement(_ command: [UInt8]) -> (actions: [Action], delay: Duration) {
    let bytes = Frame.command(command).serialize().count + 6
    let model = chip.model
    let delay =
      isRealtime
      ? model.line(bytes: bytes, bitsPerSecond: chip.speed.bitsPerSecond) + model.adapterLatency
      : .zero
    let late =
      chip.deviations.acknowledgeDelay + (isFirstByte ? chip.deviations.firstByteDelay : .zero)
    isFirstByte = false
    let held: [Action] = late > .zero ? [.delay(late)] : []
    return (held + [.send(Frame.ack.serialize(), after: delay)], delay)
  }

  private func reply(_ outcome: ChipOutcome, after delay: Duration) -> [Action] {
    var bytes: [UInt8]
    switch outcome {
    case .answer(let answer):
      guard chip.deviations.passes(answer: answer) else { return [] }
      bytes = Frame.answer(answer).serialize()
    case .syntaxError: bytes = Frame.error.serialize()
    case .pending, .hung, .deaf: return []
    }
    lastAnswer = bytes
    switch chip.scripted?.fault {
    case .damaged: bytes[bytes.count / 2] ^= 0x01
    case .unplugged: return [.unplug]
    case nil: break
    }
    switch chip.faults.nextAnswer() {
    case nil:
      if !chip.deviations.carries(bytes.count, at: chip.speed) { bytes[bytes.count / 2] ^= 0x01 }
      return [.send(bytes, after: delay)]
    case .lost: return []
    case .corrupt:
      bytes[bytes.count / 2] ^= 0x01
      return [.send(bytes, after: delay)]
    case .late(let lateness): return [.delay(lateness), .send(bytes, after: delay)]
    case .unplugged: return [.unplug]
    }
  }
}
