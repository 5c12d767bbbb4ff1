import LibNFCReaders
import Readers

/// The agents of this user, asked for a reader by a command.
package struct Agents: Sendable {
  /// The folder of their sockets.
  private let folder: String
  /// Gets which process has the reader, where one has it.
  private let onFound: @Sendable (String) -> Void
  /// Says whether somebody has asked for the end, while the command waits for its turn.
  package var shouldStop: @Sendable () -> Bool = { false }

  /// Nil without a home, where no agent can be.
  package init?(_ environment: Environment, onFound: @escaping @Sendable (String) -> Void) {
    guard let folder = AgentSocket.folder(environment) else { return nil }
    (self.folder, self.onFound) = (folder, onFound)
  }

  /// A command waits so long until the reader is free.
  package static let patience = Duration.seconds(30)

  /// A link to the reader of `choice`; nil where no agent has it. Fails where the agent cannot open
  /// it, where others have it for too long, and where somebody asks for the end.
  func link(to choice: ReaderChoice) throws(BenchError) -> AgentLink? {
    let sockets = AgentSocket.all(in: folder)
    guard !sockets.isEmpty, let device = choice.device else { return nil }
    for socket in sockets {
      guard let channel = socket.connect(),
        channel.send(AgentMessage(.ask, AgentMessage.version, Array(device.utf8)))
      else { continue }
      if let link = try link(channel, socket.process, choice) { return link }
    }
    return nil
  }

  private func link(
    _ channel: AgentChannel, _ process: String, _ choice: ReaderChoice
  ) throws(BenchError) -> AgentLink? {
    let deadline = ContinuousClock.now + Self.patience + .seconds(10)
    var arrival: AgentChannel.Arrival
    repeat {
      arrival = channel.receive(within: .milliseconds(100))
      if shouldStop() {
        throw BenchError(
          .interrupted, "The wait for the reader was ended. Nothing was done to a tag.")
      }
    } while arrival == .nothing && ContinuousClock.now < deadline
    guard case .message(let answer) = arrival else {
      if arrival == .end { return nil }
      throw busy(process, choice)
    }
    switch answer.kind {
    case .open:
      guard let link = AgentLink(channel, name: choice.name, answer) else { return nil }
      onFound(process)
      return link
    case .refused:
      guard let reason = answer.text(0) else { throw busy(process, choice) }
      throw BenchError(.unavailable, reason)
    default: return nil
    }
  }

  private func busy(_ process: String, _ choice: ReaderChoice) -> BenchError {
    BenchError(
      ReaderError.busy(reader: choice.name, holder: "a job at the agent (process \(process))"))
  }
}

extension ReaderChoice {
  /// The device file of a reader that is there, without symbolic links; nil of a simulated one, and
  /// where there is none.
  package var device: String? {
    guard case .connection(let connection) = place else { return nil }
    return connection.deviceFile
  }
}
