import Bytes
import JSON
import TagMemory
import TagProgramming
import Wording

/// What became of raw commands.
struct RawJSON: OutputDocument {
  struct Answer: Encodable {
    var answer: String
    var sw1: String?
    var sw2: String?
    var statusText: String?

    init(_ answer: RawAnswer) {
      self.answer = Hex.string(answer.data)
      sw1 = answer.status.map { Hex.byte($0.sw1) }
      sw2 = answer.status.map { Hex.byte($0.sw2) }
      statusText = answer.status.map { "\($0)" }
    }
  }

  var command: String
  var uid: String?
  var tag: String?
  var result: String
  /// One for each command that was answered; the last one's members stand beside it, too.
  var answers: [Answer]
  var answer: String?
  var sw1: String?
  var sw2: String?
  var statusText: String?
  var durationMs: Int?
  var error: FailureJSON?

  /// `asking` words what a person can ask for.
  init(command: String, report: RawReport, asking: (Request) -> String?) {
    self.command = command
    uid = report.target?.uid.hex
    tag = report.product?.name
    result = report.failure != nil ? "failed" : report.isPlanned ? "planned" : "read"
    answers = report.answers.map(Answer.init)
    (answer, sw1) = (answers.last?.answer, answers.last?.sw1)
    (sw2, statusText) = (answers.last?.sw2, answers.last?.statusText)
    durationMs = report.target.map { _ in Int(report.duration / .milliseconds(1)) }
    error = report.failure.map { FailureJSON(code: $0.exitCode, message: $0.message(asking)) }
  }
}
