import LibNFCReaders
import PN532
import Readers
import TagProgramming

extension BringUpBench {
  /// Does a job as the program does it, and records its frames. A tag that goes away ends it at
  /// once. Throws `interrupted`, and what the reader itself fails by.
  func run(_ job: Job, waiting: Duration) throws(ReaderError) -> TagReport {
    guard let recorder = recordingLink() else { throw .boardLost(reader: connection.text) }
    var options = RunOptions()
    (options.timeout, options.patience) = (waiting, .zero)
    let programmer = Programmer(
      reader: TagReader(link: recorder), options: options, shouldStop: isStopWanted)
    let report = programmer.run(job)
    if report.failure?.kind == .interrupted { throw .interrupted }
    if let error = report.failure?.cause.readerFailure { throw error }
    return report
  }

  /// Makes the MIFARE Classic blank again that lies there, although somebody asks for the end; does
  /// nothing where none lies there.
  func resetAfterInterruption() {
    guard let link = recordingLink() else { return }
    var options = RunOptions()
    options.timeout = .zero
    _ = Programmer(reader: TagReader(link: link), options: options).run(.resetClassic)
  }
}

/// A link that tells of every exchange.
final class RecordingLink: ChipLink {
  private let link: any ChipLink
  private let record: (Evidence.Reply) -> Void

  init(_ link: any ChipLink, record: @escaping (Evidence.Reply) -> Void) {
    (self.link, self.record) = (link, record)
  }

  var name: String { link.name }
  var speed: LinkSpeed? { link.speed }
  var limit: ExchangeLimit { link.limit }
  var hasResetField: Bool { link.hasResetField }
  func slowDown() { link.slowDown() }
  /// The bench closes what it opened.
  func close() {}

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    let start = ContinuousClock.now
    var reply = Evidence.Reply("job", command, answer: nil)
    do throws(ReaderError) {
      let answer = try link.transceive(command, timeout: timeout)
      (reply.answer, reply.duration) = (answer, start.duration(to: .now))
      record(reply)
      return answer
    } catch {
      (reply.failure, reply.duration) = (error.description, start.duration(to: .now))
      record(reply)
      throw error
    }
  }
}
