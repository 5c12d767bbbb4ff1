import LibNFCReaders
import Readers

/// An open reader, and the simulated board behind it where there is one.
final class ReaderSource {
  let reader: TagReader
  /// Ends an exchange that blocks, from another thread.
  let interrupt: @Sendable () -> Void
  private let simulation: Simulation?

  fileprivate init(reader: TagReader, interrupter: Interrupter, simulation: Simulation?) {
    self.reader = reader
    interrupt = { interrupter.interrupt() }
    self.simulation = simulation
  }

  /// Closes the reader, then saves what the virtual tags hold. Fails with `cannotCreate`.
  func close() throws(CommandFailure) {
    reader.close()
    try simulation?.end()
  }
}

extension ReaderChoice {
  /// Opens the reader through libnfc; a simulated one is started first. Fails with `unavailable`, and where a
  /// virtual tag's file is no image of it with `badInput` or `noInput`.
  func open(
    speed: LineSpeed, isVerbose: Bool, trace: Trace?
  ) throws(CommandFailure) -> ReaderSource {
    let simulation: Simulation?
    let connection: ConnectionString
    do {
      switch self {
      case .simulated(let specs):
        let started = try Simulation(specs)
        simulation = started
        connection = try ConnectionString(started.port)
      case .connection(let named):
        (simulation, connection) = (nil, named)
      }
      let link = try LibNFCLink(opening: connection, speed: speed, isVerbose: isVerbose)
      let reader = TagReader(link: link, observer: trace.map { trace in { trace.record($0) } })
      try reader.prepare()
      return ReaderSource(reader: reader, interrupter: link.interrupter, simulation: simulation)
    } catch let error as ReaderError {
      throw CommandFailure(.unavailable, sentence(error.description))
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(.bug, "\(error)")
    }
  }
}
