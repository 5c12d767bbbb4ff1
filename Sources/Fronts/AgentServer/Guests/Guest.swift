import Bench
import HTTPServing
import Readers
import nfcprog

/// A command beside the agent that has a reader of it for a while: it sends what the chip is to do,
/// and gets what the chip answers. All else of the command is in its own process.
struct Guest: Sendable {
  private let channel: AgentChannel
  private let station: Station

  /// A reader that somebody asks for over `channel`; nil where it is none of this agent's.
  init?(_ channel: AgentChannel, _ stations: Stations) {
    guard case .message(let request) = channel.receive(within: Self.greeting), request.kind == .ask,
      request.fields.first == AgentMessage.version, let device = request.text(1),
      let station = stations.station(at: device)
    else {
      channel.send(AgentMessage(.elsewhere))
      return nil
    }
    (self.channel, self.station) = (channel, station)
  }

  /// How long a program that has connected has to say what it wants.
  private static let greeting = Duration.seconds(2)
  /// How often a command that thinks is looked after.
  private static let look = Duration.milliseconds(200)
  /// How long one that works may take to its next safe point when the agent ends.
  private static let farewell = Duration.seconds(5)

  /// Waits for the command's turn and serves it, until it ends.
  func serve() async {
    do {
      try await station.perform(for: nil, patience: Agents.patience) { session in
        // A guest that has gone, or sent a command before its turn, gets no turn at the reader.
        guard channel.receive(within: .zero) == .nothing else { return ((), hasLostReader: false) }
        do throws(ReaderError) {
          try session.reader.lend { serve($0) }
          return ((), hasLostReader: false)
        } catch {
          let reason = Served.sentence(BenchError(error))
          channel.send(AgentMessage(.refused, Array(reason.utf8)))
          return ((), hasLostReader: true)
        }
      }
    } catch let problem as Problem where problem.kind == .readerBusy {
      channel.send(AgentMessage(.refused))
    } catch let problem as Problem {
      channel.send(AgentMessage(.refused, Array(problem.detail.utf8)))
    } catch {
      channel.cut()
    }
  }

  /// Returns whether the last command was left without an acknowledge.
  private func serve(_ link: any ChipLink) -> Bool {
    var isOpen = false
    var end: ContinuousClock.Instant?
    channel.send(
      AgentMessage(.open, AgentMessage.speed(link.speed), AgentMessage.limit(link.limit)))
    while true {
      let arrival = channel.receive(within: Self.look)
      if station.shouldStop(), end == nil { end = .now + Self.farewell }
      if let end, .now > end { return isOpen }
      switch arrival {
      case .nothing: continue
      case .end: return isOpen
      case .message(let request):
        guard let answer = answer(request, link) else { return isOpen }
        isOpen = answer.kind == .failure || answer.fields.first?.first ?? 0 != 0
        guard channel.send(answer) else { return isOpen }
      }
    }
  }

  /// What the chip says to `request`; nil to one that is none.
  private func answer(_ request: AgentMessage, _ link: any ChipLink) -> AgentMessage? {
    let isEnding = station.shouldStop()
    switch request.kind {
    case .exchange:
      guard let time = request.number(0), time <= Self.longest, request.fields.count == 2,
        1...264 ~= request.fields[1].count
      else { return nil }
      do throws(ReaderError) {
        let answer = try link.transceive(
          request.fields[1], timeout: .microseconds(Int64(time)))
        return AgentMessage(isEnding ? .lastAnswer : .answer, answer)
      } catch {
        return AgentMessage(error, isEnding: isEnding)
      }
    case .slowDown:
      link.slowDown()
      return AgentMessage(.answer, AgentMessage.speed(link.speed))
    default: return nil
    }
  }

  /// No exchange waits longer, in microseconds.
  private static let longest: UInt64 = 600_000_000
}
