import Bench
import Foundation
import NDEF
import PN532Simulator
import TagProgramming
import Testing

@Suite("Recorded runs on a line, replayed on a line")
struct ReplayedLineTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "line-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// How a job on the reader called `name` ends; it is recorded in `file`.
  private func end(_ job: Job, on name: String, recording file: String) throws -> String {
    let path = folder.appending(path: file).path
    var work = TagWork(on: try ReaderChoice(named: name))
    work.settings.trace = try Trace(NamedFile(path, .given))
    work.options.timeout = .seconds(10)
    do throws(BenchError) {
      let report = try work.run(job).report
      let failure = report.failure.map { "\($0.kind): \($0)" }
      return "\(report.result) \(report.verified) \(failure ?? "")"
    } catch {
      return "\(error.code)"
    }
  }

  /// What a driver, a wire and a chip do to frames shows here alone; what they carry, in
  /// `RecordedRunTests`.
  @Test(
    "with every deviation of a board: the same end",
    arguments: DeviationOption.all.flatMap { option in
      option.samples.map { "\(option.key)=\($0)" }
    })
  func deviations(deviation: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let job = Job.write(
      Message(try URIRecord("https://www.example.com/t/1").record), WriteOptions())
    let first = try end(job, on: "sim:ntag213,\(deviation)", recording: "first")
    let trace = folder.appending(path: "first").path
    let second = try end(job, on: "sim:trace=\(trace),pace=none", recording: "second")
    // A board that is out of reach from the start has answered nothing.
    let isEmpty = try Data(contentsOf: folder.appending(path: "first")).isEmpty
    #expect(second == (isEmpty ? "badInput" : first), "\(deviation)")
  }
}
