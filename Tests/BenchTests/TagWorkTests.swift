import Bench
import Foundation
import NDEF
import TagProgramming
import Testing

@Suite("Work on one tag")
struct TagWorkTests {
  private let message: Message

  init() throws { message = Message(try URIRecord("https://example.com/t/1").record) }

  private func work(_ name: String, shouldStop: @escaping () -> Bool = { false }) throws -> TagWork
  {
    TagWork(on: try ReaderChoice(named: name), shouldStop: shouldStop)
  }

  @Test("A job is done, and the reader is closed: the next one opens it with what the tag holds")
  func job() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tag-work-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let name = "sim:ntag213,file=\(file)"
    let written = try work(name).run(.write(message, WriteOptions()))
    #expect(written.report.result == .written && written.report.verified)
    try written.closing.get()
    let read = try work(name).run(.read)
    #expect(read.report.message == message)
  }

  @Test(
    "A job that is made for the tag is done on it; where none can be made the tag stays as it is")
  func jobForTag() throws {
    let message = message
    var chosen = try work("sim:ntag213")
    chosen.options.dryRun = true
    let planned = try chosen.run { _ throws(BenchError) in .write(message, WriteOptions()) }
    #expect(planned.report.result == .planned)
    let failure = BenchError(.badInput, "No message.")
    #expect(throws: failure) {
      try chosen.run { _ throws(BenchError) in throw failure }
    }
  }

  @Test("Raw commands are answered")
  func raw() throws {
    let ending = try work("sim:ntag213").run(RawSeries([.tag([0x30, 0x03])]))
    #expect(ending.report.answers.map(\.data.count) == [16])
    try ending.closing.get()
  }

  @Test("Who asks for the end gets it before a tag is written")
  func end() throws {
    let ending = try work("sim:ntag213", shouldStop: { true }).run(.write(message, WriteOptions()))
    #expect(ending.report.failure?.kind == .interrupted)
  }
}
