import PN532
import Readers

/// Finds out what is at the far end of a serial line that does not open: every speed is tried, and
/// all that comes back is looked at.
struct BoardProbe {
  let port: TerminalPort
  private var hasHeardBytes = false

  init(port: TerminalPort) { self.port = port }

  /// The problem; nil when a board answers at `home` as it should. Takes up to 1.5 s.
  static func obstacle(on port: TerminalPort, home: LinkSpeed) -> Obstacle? {
    var probe = BoardProbe(port: port)
    defer { _ = port.setSpeed(home) }
    let others = LinkSpeed.allCases.reversed().filter { $0 != home && $0.terminalSpeed != nil }
    for speed in [home] + others where port.setSpeed(speed) {
      switch probe.ask(.samConfiguration(), preceding: SerialBoard.wakeUp) {
      case .nothing: continue
      case .echo: return .echo
      case .acknowledgement: return .onlyAcknowledges(overUSB: false)
      case .answer, .error:
        let reply = probe.ask(.getFirmwareVersion)
        guard case .answer(let payload) = reply else {
          return reply == .acknowledgement ? .onlyAcknowledges(overUSB: false) : .noise
        }
        return probe.judge(firmware: Array(payload.dropFirst()), at: speed, home: home)
      case .gone: return .other("the line is gone")
      }
    }
    return probe.hasHeardBytes ? .noise : .silent
  }

  /// A board that answers at `speed`.
  private mutating func judge(firmware: [UInt8], at speed: LinkSpeed, home: LinkSpeed) -> Obstacle?
  {
    if let obstacle = Obstacle.chip(firmware: firmware) { return obstacle }
    if speed != home { return .stuck(bitsPerSecond: speed.bitsPerSecond) }
    if ask(.samConfiguration()) == .error { return .refusesSAM }
    return nil
  }

  private enum Reply: Hashable {
    case answer([UInt8])
    case error
    case acknowledgement
    case echo
    case nothing
    case gone
  }

  /// Sends a command and looks at all that comes within 100 ms.
  private mutating func ask(_ command: Command, preceding: [UInt8] = []) -> Reply {
    port.discardInput()
    let bytes = preceding + Frame.command(command.bytes).serialize()
    guard port.send(bytes) else { return .gone }
    var (parser, heard, reply) = (FrameParser(), [UInt8](), Reply.nothing)
    let deadline = ContinuousClock.now + .milliseconds(100)
    while true {
      let rest = ContinuousClock.now.duration(to: deadline)
      guard rest > .zero else { break }
      guard let some = port.receive(timeout: rest) else { return .gone }
      heard += some
      for case .frame(let frame) in parser.feed(some) {
        switch frame {
        case .ack where reply == .nothing: reply = .acknowledgement
        case .error: return .error
        case .answer(let payload) where payload[0] == command.code.answer: return .answer(payload)
        default: break
        }
      }
    }
    hasHeardBytes = hasHeardBytes || !heard.isEmpty
    // A line that echoes begins with our own first bytes, but for those that were still on their
    // way.
    return heard.count >= 8 && heard.starts(with: bytes.prefix(heard.count)) ? .echo : reply
  }
}
