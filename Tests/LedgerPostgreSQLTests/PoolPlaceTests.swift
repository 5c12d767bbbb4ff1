import Foundation
import Testing

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "The place of a bench on its machine", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolPlaceTests {
  let bench: SampleBench

  init() throws {
    bench = SampleBench(try SamplePool().text)
  }

  /// A run of a bench that has this wish; its label file is made.
  private func begin(_ wish: PlaceWish, prints: Bool = false) throws -> SampleBench.Run {
    try bench.begin(jobs: 9, ahead: 2, wishing: wish, prints: prints)
  }

  private func place(_ run: SampleBench.Run) -> String {
    URL(filePath: run.journal.path).lastPathComponent
  }

  @Test("is the one that has labels or results to hand on, and the others hear what is left")
  func left() throws {
    let plain = PlaceWish()
    let printing = PlaceWish(printsLabels: true)
    do {
      let first = try begin(plain)
      let second = try begin(printing, prints: true)
      #expect([place(first), place(second)] == ["bench-1.journal", "bench-2.journal"])
      try second.write(1...1)
      try second.session.end()
      try first.session.end()
    }
    do {
      let unable = try begin(plain)
      #expect(place(unable) == "bench-1.journal")
      let left = PoolSeries.leftWork(beside: unable.bench)
      #expect((left.labels, left.results) == (1, 1))
      try unable.session.end()
    }
    let heir = try begin(printing, prints: true)
    #expect(place(heir) == "bench-2.journal")
    #expect(try heir.journal.labelsDue(for: heir.session).count == 1)
    #expect(PoolSeries.leftWork(beside: heir.bench).isEmpty)
    try heir.session.end()
  }

  @Test("is the one that has used the label file, whatever it is called now, and no other's")
  func labelFiles() throws {
    try FileManager.default.createDirectory(
      atPath: bench.folder, withIntermediateDirectories: true)
    let (a, b) = ("\(bench.folder)/a.csv", "\(bench.folder)/b.csv")
    do {
      let first = try begin(PlaceWish(file: a))
      let second = try begin(PlaceWish(file: b))
      for (run, path) in [(first, a), (second, b)] {
        let file = try LabelFile(at: path, of: run.session)
        try run.write(path == a ? 1...1 : 2...2)
        try file.append(#require(try run.journal.writtenTags().first))
      }
      try first.session.end()
      try second.session.end()
    }
    func place(of path: String) throws -> (String, LabelFile.Repairs) {
      let run = try begin(PlaceWish(file: path))
      let file = try LabelFile(at: path, of: run.session)
      try run.session.end()
      return (self.place(run), file.repairs)
    }
    #expect(try place(of: b) == ("bench-2.journal", LabelFile.Repairs()))
    #expect(try place(of: a) == ("bench-1.journal", LabelFile.Repairs()))
    try FileManager.default.moveItem(atPath: b, toPath: b + ".old")
    #expect(try place(of: b + ".old") == ("bench-2.journal", LabelFile.Repairs()))
    #expect(try place(of: "\(bench.folder)/c.csv") == ("bench-3.journal", LabelFile.Repairs()))
    #expect(try place(of: b).0 == "bench-2.journal")
  }
}
