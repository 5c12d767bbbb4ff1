import Bytes
import PN532
import PN532Simulator

/// A chip without a wire, and short ways to talk to it in hexadecimal.
final class Bench {
  let field: Field
  let chip: Chip
  let line: SerialLine

  /// Awake and configured, one try for each activation, unless `cold`.
  init(
    _ tags: (any VirtualTag)..., faults: FaultPlan = .none, model: TimeModel = TimeModel(),
    cold: Bool = false, deviations: BoardDeviations = BoardDeviations()
  ) {
    field = Field([tags])
    chip = Chip(field: field, faults: faults, timeModel: model, deviations: deviations)
    line = SerialLine(chip: chip)
    if !cold {
      chip.wakeUp()
      _ = chip.process(command: [0x14, 0x01])
      _ = chip.process(command: [0x32, 0x05, 0xFF, 0x01, 0x00])
    }
  }

  /// The outcome as text: the answer's bytes, or the case's name.
  func ask(_ command: String) -> String {
    do {
      switch chip.process(command: try Hex.bytes(command)) {
      case .answer(let bytes): return Hex.string(bytes)
      case .syntaxError: return "syntax error"
      case .pending: return "pending"
      case .hung: return "hung"
      case .deaf: return "deaf"
      }
    } catch {
      return "\(error)"
    }
  }

  /// What the chip sends back, in one run, when the host sends `wire` at `speed`.
  func send(_ wire: String, speed: LinkSpeed = .baud115200) -> String {
    guard let bytes = try? Hex.bytes(wire) else { return "not hexadecimal" }
    return text(line.receive(bytes, bitsPerSecond: speed.bitsPerSecond))
  }

  func text(_ actions: [SerialLine.Action]) -> String {
    actions.map { action in
      switch action {
      case .send(let bytes, _): Hex.string(bytes)
      case .delay, .cancel: ""
      case .unplug: "unplugged"
      }
    }.joined()
  }
}
