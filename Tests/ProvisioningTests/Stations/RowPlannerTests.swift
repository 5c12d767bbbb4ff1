import JobLists
import PN532Simulator
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("The job of a row")
struct RowPlannerTests {
  /// A tag is planned for by `--dry-run` where the line writes it, and by nobody else.
  @Test(
    "is made by a dry run as by the line, or refused as there",
    arguments: [
      "ntag203", "ntag213", "ntag216", "ultralight", "ultralight-ev1-11", "classic1k", "type4",
      "ntag424", "ultralight-c", "ultralight-aes",
    ],
    [
      "code,password\nA,11223344", "code,lock\nA,yes", "code\nA",
      "code,password\nA,00112233445566778899aabbccddee01", "code,password,lock\nA,11223344,yes",
      "code\n\(String(repeating: "A", count: 160))",
    ])
  func sameJob(product: String, table: String) throws {
    let bench = try LineBench(table)
    let tag = try LineBench.tag(0, product)
    var planned: TagReport?
    var refusal: JobRefusal?
    var row: PlannedJob?
    bench.source.forEachJob { if row == nil { row = try? $0.get() } }
    let planner = RowPlanner(bench.source, LineOptions())
    let job = try #require(row)
    var options = RunOptions()
    options.dryRun = true
    let programmer = Programmer(reader: TestReader("dry", [tag]).reader, options: options)
    planned = programmer.runSurveyed { found in
      do throws(JobRefusal) {
        let message = try planner.message(
          of: job, for: RowPlanner.Found(found), on: "2026-11-21")
        return (try? planner.job(of: job, holding: message, for: found.target.uid)) ?? .read
      } catch {
        refusal = error
        return .read
      }
    }
    tag.powerOff()
    let run = try bench.run([TestReader("1", [tag])])
    let outcome = try #require(run.outcomes.first)
    if refusal != nil {
      #expect(outcome.trouble?.known == .unsuited || outcome.trouble?.known == .noJob)
      #expect(outcome.verdict == .left && outcome.count == .leftAlone)
    } else if planned?.failure == nil {
      #expect(outcome.verdict == .passed, "\(outcome.trouble?.text ?? "")")
      #expect(planned?.program?.steps.contains { $0.isWrite } == true)
    } else {
      #expect(outcome.verdict != .passed)
      // A wish that its type cannot fulfil is no fault of a tag.
      #expect(planned?.failure?.kind != .badInput || outcome.count == .leftAlone)
    }
  }
}
