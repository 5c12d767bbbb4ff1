import Bytes
import Foundation
import JobLists
import Ledger
import LedgerSQLite
import TagMemory

extension Report {
  /// Adds up what happened to tags, and looks the rest up.
  init(_ reading: JournalReading, of journal: String, created: Date) throws {
    self.init()
    (self.journal, self.created) = (journal, created)
    (tally, reserved) = (try reading.tally(), try reading.reservations())
    let source = try reading.source()
    self.source = source?.description
    adopted = source.map { Date(milliseconds: $0.adopted) }
    (columns, listDigest) = (try reading.columns(), try reading.listDigest().map { Hex.string($0) })
    (locked, protected) = try reading.locks()
    (goodTypes, putBack) = (try reading.types(), try reading.putBack())
    sessions = try reading.runs().map { Session($0.number, $0.run) }
    try reading.forEachSetAside { event, job, operatorName in
      let tag = SetAside(event, name: job, operatorName)
      scrap.add(tag)
      if event.what.kind == .released { released.add(tag) } else { worn.add(tag) }
    }
    var work = WorkFold()
    try reading.forEachEvent { work.take($0, in: $1) }
    work.sortEnds()
    (figures, releases, readers) = (work.figures, work.releases, work.readers)
    presented = work.ends.count + releases
    (meanDuration, longestDuration) = (work.meanDuration, work.longestDuration)
    add(work.ends)
    steps = try reading.steps().map { step in
      Step(
        name: step.name, count: step.count,
        mean: .microseconds(step.total / Int64(max(1, successes))),
        longest: .microseconds(step.longest))
    }
    keys = try reading.keys().map { Keys(identity: $0.identity, tags: $0.tags) }
    (inspections, prints) = (try reading.inspections(), try reading.prints())
  }

  /// The length of a period in seconds that people count in, so that `count` at most are as long
  /// as `seconds`.
  package static func periodLength(over seconds: Double, atMost count: Int) -> Int {
    lengths.first { seconds / Double($0) <= Double(count) } ?? Int(seconds) / count
  }

  private static let lengths = [
    1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400, 604_800,
  ]
}

extension Report.Session {
  fileprivate init(_ number: Int64, _ run: BenchRun) {
    (self.number, operatorName) = (Int(number), run.operatorName)
    (host, version) = (run.host, run.version)
    begun = Date(milliseconds: run.begun)
    ended = run.ended.map(Date.init(milliseconds:))
  }
}
