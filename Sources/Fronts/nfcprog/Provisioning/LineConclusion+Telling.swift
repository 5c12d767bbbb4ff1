import Bench
import JSON

extension LineConclusion {
  /// Tells how a run ended, and returns its exit status. `document`: for programs; `lines`: what is
  /// said behind the conclusion.
  func tell(
    on console: Console, _ trace: Trace?, as document: (LineConclusion) -> some OutputDocument,
    lines: [String]
  ) -> ExitStatus {
    var conclusion = self
    do throws(BenchError) {
      try trace?.check()
    } catch {
      if status == .success { conclusion = failing(with: error) }
    }
    if console.json { console.json(document(conclusion)) }
    if conclusion.status != .success {
      console.complain("nfcprog: \(conclusion.sentence)")
    } else if !console.quiet {
      console.result(conclusion.sentence)
    }
    if !console.quiet { for line in lines { console.result(line) } }
    if let trace { console.remark(trace.saved.sentence) }
    return OutputFile.standardOutputIsLost ? .cannotCreate : conclusion.status
  }
}
