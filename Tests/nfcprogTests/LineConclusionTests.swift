import Ledger
import Line
import TagMemory
import Testing

@testable import Provisioning
@testable import TagProgramming
@testable import nfcprog

@Suite("What a run over a list hands on, and how it ends")
struct LineConclusionTests {
  @Test("the exit status says why a run ended")
  func conclusions() {
    func status(
      _ ending: LineEnding, isAll: Bool = true, _ change: (inout LineSummary) -> Void = { _ in }
    ) -> Int32 {
      var summary = LineSummary()
      summary.ending = ending
      change(&summary)
      return LineConclusion(summary, defective: 0, isAll: isAll).status.rawValue
    }
    let tag = UID([1, 2, 3, 4])
    #expect(status(.complete) == 0)
    for (isAll, words) in [(true, "Every job is on a tag."), (false, "The requested number")] {
      var all = LineSummary()
      all.ending = .complete
      #expect(LineConclusion(all, defective: 0, isAll: isAll).sentence.hasPrefix(words))
    }
    #expect(status(.complete) { $0.pending = 1 } == 75)
    #expect(status(.complete, isAll: false) { $0.pending = 1 } == 0)
    #expect(status(.idle) { ($0.pending, $0.passed) = (1, 1) } == 75)
    #expect(status(.idle) { $0.waitedFor = [tag] } == 74)
    #expect(status(.idle) { ($0.pending, $0.lastFailure) = (1, .refused) } == 77)
    #expect(status(.idle) { ($0.pending, $0.causes) = (1, ["several": 1]) } == 74)
    #expect(status(.idle) { $0.lostReaders = ["left"] } == 69)
    #expect(status(.failures) { $0.lastFailure = .mismatch } == 76)
    #expect(status(.interrupted) == 130)
    #expect(status(.journal(.full("j"))) == 73)
    #expect(status(.labels(.cannotWrite("l", reason: "full"))) == 73)
    // What other benches of a pool have in hand is not called done.
    var done = LineSummary()
    done.ending = .complete
    let end = LineConclusion(done, defective: 0, isAll: true, begun: 2)
    #expect(
      end.status == .success && end.sentence.contains("2 jobs are on tags that another bench"))
  }

  @Test("the exit status says what was wrong with tags that were only read")
  func reading() {
    func end(
      _ ending: LineEnding, count: Int? = nil, _ change: (inout CollectionResult) -> Void
    ) -> LineConclusion {
      var (summary, found) = (LineSummary(), CollectionResult())
      summary.ending = ending
      change(&found)
      return LineConclusion(summary, reading: found, count: count)
    }
    let tag = UID([1, 2, 3, 4])
    #expect(end(.idle) { $0.good = 2 }.status == .success)
    #expect(end(.idle) { _ in }.status == .noTag)
    #expect(end(.idle, count: 3) { $0.good = 2 }.status == .noTag)
    #expect(end(.complete, count: 2) { $0.good = 2 }.status == .success)
    #expect(end(.interrupted) { $0.good = 2 }.status == .success)
    #expect(end(.interrupted, count: 3) { $0.good = 2 }.status == .interrupted)
    #expect(end(.collection(.locked("t"))) { $0.good = 2 }.status == .cannotCreate)
    let causes: [(TagCause, Int32)] = [
      (.double, 76), (.wrongType, 65), (.unknown, 65), (.lost, 74), (.unread, 77),
      (.notGenuine, 77), (.changed, 76), (.reader, 69),
    ]
    for (cause, status) in causes {
      let conclusion = end(.idle) { ($0.good, $0.faults) = (9, [.init(cause: cause, uids: [tag])]) }
      #expect(conclusion.status.rawValue == status, "\(cause)")
      #expect(conclusion.sentence.contains("1 \(cause.row.counted) (01:02:03:04)"), "\(cause)")
    }
    let missing = end(.idle) {
      ($0.good, $0.expected, $0.missing) = (1, 12, (1...11).map { .content("\($0)") })
    }
    #expect(missing.status == .noTag)
    #expect(
      missing.sentence.hasSuffix(
        "11 of 12 expected tags did not come: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 1 more."))
  }

  @Test("secrets are left out of the command line that the journal keeps")
  func masking() {
    #expect(
      CommandOrigin.maskingSecrets(["a", "--set-password", "12345678", "--key=AABB", "b"])
        == ["a", "--set-password", "**", "--key=**", "b"])
    let kept = [
      "provision", "--template", "https://example.com/t/{code}", "--uri=app://open/{code}",
      "--uri", "mailto:line@example.com", "--template=https://example.com/a@b:c", "jobs.csv",
    ]
    #expect(CommandOrigin.maskingSecrets(kept) == kept)
    for address in ["postgresql://line:s3cret@db/orders?batch=A", "Postgres://line:s3cret@db/x"] {
      for arguments in [["--journal", address], ["--journal=\(address)"], ["verify", address]] {
        let shown = CommandOrigin.maskingSecrets(arguments).joined(separator: " ")
        #expect(!shown.contains("s3cret"), "\(shown)")
      }
    }
    let odd = ["--journal", "line:s3cret@db", "--aasa", "https://me:s3cret@example.com/x"]
    #expect(!CommandOrigin.maskingSecrets(odd).joined().contains("s3cret"))
  }

  @Test("columns become variables of the environment")
  func variables() {
    #expect(ResultCommand.name("batch no. é") == "BATCH_NO___")
    let variables = ResultCommand.variables(.made(.failed), reader: "r", station: "left")
    #expect(variables["NFCPROG_RESULT"] == "failed" && variables["NFCPROG_JOB"] == "7")
    #expect(variables["NFCPROG_STATION"] == "left" && variables["NFCPROG_UID"] == "04010203040506")
  }
}
