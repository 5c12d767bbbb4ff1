import Bench
import JobLists
import Line
import NDEF
import Provisioning
import TagProgramming

/// Writes a URL to one simulated tag and reads it back, then puts five jobs on five tags.
@main
enum FiveTags {
  static func main() throws {
    try writeOne()
    try provisionFive()
  }

  private static func writeOne() throws {
    let session = try ReaderSession(opening: ReaderChoice(named: "sim:ntag213"))
    let programmer = Programmer(reader: session.reader)
    let message = Message(try URIRecord("https://example.com/t/1").record)

    let written = programmer.run(.write(message, WriteOptions()))
    precondition(written.result == .written && written.verified, "\(written)")
    let read = programmer.run(.read)
    precondition(read.message == message, "\(read)")
    print("One tag holds https://example.com/t/1, \(read.messageLength ?? 0) bytes.")
    try session.close()
  }

  private static func provisionFive() throws {
    let list = JobListChoice(
      numbers: try CodeRange(parsing: "1..5"), url: "https://example.com/t/{code}")
    let run = try ProvisioningRun(ProvisioningSettings(list)) { event in
      guard case .line(let event) = event, case .finished(let outcome) = event.kind else { return }
      print("\(outcome.uid) \(outcome.verdict.rawValue) \(outcome.written?.uri ?? "")")
    }
    let outcome = try run.work(run.check(), on: LineReaders(named: ["sim:ntag213*5"]))
    precondition(outcome.summary.passed == 5, "\(outcome.summary)")
    print("\(outcome.summary.passed) tags hold a job each.")
  }
}
