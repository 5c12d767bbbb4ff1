import Foundation
import JSON
import Ledger
import Provisioning
import TagMemory
import Testing

@testable import HubKit

/// Every JSON document of a hub, whole, in `Documents`, so that a change of what programs read is
/// seen in review. `RECORD_SNAPSHOTS=1` records the files anew.
@Suite("A hub's JSON documents")
struct HubDocumentTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Documents")

  private static var batch: HubBatch {
    var batch = HubBatch(
      id: "A17", source: "jobs.csv",
      settings: [.init("record 1", "uri https://example.com/t/{code}"), .init("tag", "ntag213")],
      made: SampleLine.start - 5000, jobs: 10, pending: 5, reserved: 2, written: 3, scrap: 1)
    batch.types = ["ntag213": 3]
    return batch
  }

  @Test("a batch is complete once every job is on a tag, unless one of these was put back")
  func complete() {
    var batch = Self.batch
    #expect(!BatchJSON(batch).complete)
    batch.written = batch.jobs
    #expect(BatchJSON(batch).complete)
    batch.putBack = 1
    #expect(!BatchJSON(batch).complete)
  }

  private static var line: SampleLine {
    var line = SampleLine()
    for number in 1...3 {
      line.add("reserved", at: Int64(number) * 4000, job: number)
      line.add("written", at: Int64(number) * 4000, job: number, lasting: 1234)
    }
    line.add("returned", at: 16_000, station: "2", cause: "refused", isScrap: true, lasting: 400)
    line.add("passed", at: 18_000, station: "3", job: nil, cause: "foreign", lasting: 90)
    line.add("held", at: 20_000, job: 4, cause: "lost", lasting: 300)
    line.add("resumed", at: 21_000, job: 4)
    return line
  }

  private static var jobs: [ListedJob] {
    var written = ListedJob(number: 1, name: "CODE-1", state: .written)
    written.columns = #"[["code","CODE-1"],["room","7"]]"#
    (written.tag, written.tagType) = ([4, 1, 2, 3, 4, 5, 2], "ntag213")
    written.uri = "https://example.com/t/CODE-1"
    written.event = line.events[1].event
    return [written, ListedJob(number: 2, name: "CODE-2", state: .pending)]
  }

  private static var all: [(name: String, text: String)] {
    let (events, jobs) = (line.events, jobs)
    var closed = batch
    (closed.id, closed.written, closed.jobs, closed.isClosed) = ("A16", 3, 3, true)
    (closed.benches, closed.lastEvent) = (1, 812)
    let board = line.board(batch, at: 70_000)
    return [
      ("batches", JSONLine.text(BatchListJSON([closed, batch], takesBatches: true))),
      ("batch", JSONLine.text(BatchJSON(batch))),
      ("board", JSONLine.text(BoardJSON(board))),
      ("stations", JSONLine.text(StationListJSON(board))),
      ("events", JSONLine.text(EventListJSON(events, limit: events.count))),
      ("event", Happening(events[6]).json),
      ("tag", JSONLine.text(TagHistoryJSON([4, 1, 2, 3, 4, 5, 2], [events[1]]))),
      ("jobs", JSONLine.text(JobListJSON(jobs, of: "A17", limit: 2))),
      ("job", JSONLine.text(JobJSON(jobs[0], in: "A17", events: Array(events[..<2])))),
      ("found", JSONLine.text(JobListJSON(found: [JobJSON(jobs[1], in: "A17")], isComplete: true))),
    ]
  }

  @Test("each is the one that is kept", arguments: all.map(\.name))
  func document(name: String) throws {
    let text = try #require(Self.all.first { $0.name == name }).text + "\n"
    let file = Self.folder.appending(path: "\(name).json")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)))
    #expect(text.contains(#""schema":1"#) && !text.contains(":null"))
  }

  @Test("a list says where it goes on, and the last piece of it does not")
  func next() {
    #expect(EventListJSON(Self.line.events, limit: 10).next == 10)
    #expect(EventListJSON(Self.line.events, limit: 11).next == nil)
    #expect(JobListJSON(Self.jobs, of: "A17", limit: 2).next == 2)
    #expect(JobListJSON(Self.jobs, of: "A17", limit: 3).next == nil)
  }
}
