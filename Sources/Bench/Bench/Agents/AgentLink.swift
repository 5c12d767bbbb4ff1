import PN532
import Readers
import Synchronization

/// A chip behind an agent that holds its reader open: each exchange goes through the agent, and all
/// else is done here.
final class AgentLink: ChipLink {
  let name: String
  private(set) var speed: LinkSpeed?
  let limit: ExchangeLimit
  /// The agent has switched the field off and on for whoever comes.
  let hasResetField = true
  private var channel: AgentChannel?
  private let state = State()

  /// Flags that other threads set and read.
  private final class State: Sendable {
    let isInterrupted = Atomic(false)
    let isEnding = Atomic(false)
  }

  /// `opening` is what the agent has said of the reader that the command calls `name`.
  init?(_ channel: AgentChannel, name: String, _ opening: AgentMessage) {
    guard let limit = opening.limit(1) else { return nil }
    (self.channel, self.name, self.limit) = (channel, name, limit)
    speed = opening.speed(0)
  }

  /// Says whether the agent is about to end; asked between the steps of a job.
  var isEnding: Bool { state.isEnding.load(ordering: .relaxed) }

  /// Ends an exchange under way, and every later one, from any thread. The agent does to its end
  /// what the chip was told.
  var interrupt: @Sendable () -> Void {
    { [channel, state] in
      state.isInterrupted.store(true, ordering: .relaxed)
      channel?.cut()
    }
  }

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    let microseconds = UInt64(max(0, timeout / .microseconds(1)))
    let request = AgentMessage(.exchange, AgentMessage.number(microseconds), command)
    let answer = try ask(request, within: timeout + Self.patience)
    return answer.fields.first ?? []
  }

  func slowDown() {
    guard let answer = try? ask(AgentMessage(.slowDown), within: Self.patience) else { return }
    speed = answer.speed(0)
  }

  func close() {
    channel?.cut()
    channel = nil
  }

  /// Sends `request` and returns the agent's answer. The agent waits for its board as long as a
  /// command without an agent does.
  private func ask(
    _ request: AgentMessage, within patience: Duration
  ) throws(ReaderError) -> AgentMessage {
    guard let channel else { throw .boardLost(reader: name) }
    guard channel.send(request), case .message(let answer) = channel.receive(within: patience)
    else {
      channel.cut()
      throw state.isInterrupted.load(ordering: .relaxed) ? .interrupted : .agentLost(reader: name)
    }
    switch answer.kind {
    case .lastAnswer: state.isEnding.store(true, ordering: .relaxed)
    case .failure:
      if answer.fields.last == [1] { state.isEnding.store(true, ordering: .relaxed) }
      throw answer.failure(name)
    default: break
    }
    return answer
  }

  /// Longer than the agent's own limits of an exchange.
  private static let patience = Duration.seconds(60)
}
