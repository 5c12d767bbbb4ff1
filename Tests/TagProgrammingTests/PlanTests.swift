import PN532Simulator
import Testing

@testable import TagProgramming

@Suite("A job is one plan, and the plan is the run")
struct PlanTests {
  @Test(
    "what a dry run lists is what an undisturbed run writes, and it fails where the run fails",
    arguments: TagTrial.all)
  func jobs(_ trial: TagTrial) throws {
    for (name, job, credentials) in trial.jobs {
      try check(job, name, on: trial.tag) { $0.credentials = credentials }
    }
  }

  @Test(
    "and so it is of a dump that is restored",
    arguments: ["mini", "classic1k", "ntag213", "ultralight"])
  func restores(_ product: String) throws {
    let tags = (PreparedTag.classics + PreparedTag.type2).filter { $0.product == product }
    for source in tags where ["as delivered", "a message", "locked"].contains(source.name) {
      let image = try #require(try source.bench().run(.dump).dump?.image)
      for tag in tags {
        for force in [false, true] {
          try check(
            .restore(Restore(image, force: force)), "restore \(source.name), force \(force)",
            on: tag)
        }
      }
    }
  }

  @Test(
    "writing and locking a formatted tag with a sector back at the factory's keys lists every write and marks the locks"
  )
  func formattedAndLocked() throws {
    let tag = try #require(
      PreparedTag.classics.first { $0.testDescription == "classic1k, sector 2 as delivered" })
    let report = try tag.bench().run(PreparedTag.write { $0.lock = true }) { $0.dryRun = true }
    let program = try #require(report.program)
    #expect(program.writes.count == 18 && program.irreversibleSteps.count == 15)
    #expect(program.phases.map(\.kind) == [.format, .message, .locks])
  }

  private func check(
    _ job: Job, _ name: String, on tag: PreparedTag, _ change: (inout RunOptions) -> Void = { _ in }
  ) throws {
    let what = "\(name), \(tag.testDescription)"
    var dry = try tag.bench()
    let before = dry.memory
    let dryLog = WriteLog()
    dry.log = dryLog
    let planned = dry.run(job) {
      change(&$0)
      $0.dryRun = true
    }
    #expect(dryLog.writes.isEmpty && dry.memory == before, "a dry run writes: \(what)")
    var bench = try tag.bench()
    #expect(bench.memory == before)
    let log = WriteLog()
    bench.log = log
    let run = bench.run(job, change)
    // A tag that may count passwords gets none in a dry run, and shows nothing without it: only
    // whoever has the password knows how the run ends.
    if planned.failure?.cause == .type2(.passwordNotTried) {
      #expect(planned.failure?.kind == .refused && planned.failure?.holds == .unchanged, "\(what)")
      #expect(run.failure == nil || log.writes.isEmpty, "\(what): writes, then is refused")
      return
    }
    #expect(
      run.failure?.kind == planned.failure?.kind,
      "\(what): \(run.failure?.message ?? "done") \(planned.failure?.message ?? "planned")")
    guard run.failure == nil, planned.failure == nil else { return }
    let listed = planned.program?.writes ?? []
    #expect(listed == log.writes, "\(what)")
    #expect(planned.result == (listed.isEmpty ? .unchanged : .planned), "\(what)")

    log.forget()
    let again = bench.run(job) {
      change(&$0)
      $0.dryRun = true
    }
    #expect(again.failure == nil && again.result == .unchanged, "\(what): again")
    #expect(again.program?.writes.isEmpty ?? true, "\(what): again")
  }
}
