import Bench
import Bytes
import JSON

/// The answers of a board to the questions of `bring-up`: one object a reader.
package struct BringUpJSON: OutputDocument {
  /// One question.
  struct Point: Encodable {
    var name: String
    /// `passed`, `failed`, `unclear` or `skipped`.
    var verdict: String
    var question: String
    var expected: String
    var seen: String
    /// The source that assumes the expected answer, where the verdict is `failed`:
    /// `Readers/Care.swift: Care`.
    var place: String?
    /// The sentence that tells the person what to do.
    var remedy: String?
    var durationMs: Int
    /// Each command to the chip and its answer, hexadecimal, in the order in which they were sent.
    var frames: [Frame]

    init(_ result: BoardQuestions.Result) {
      let judgement = result.judgement
      (name, verdict, question) = (result.name, judgement.verdict.rawValue, result.question)
      (expected, seen, remedy) = (result.expected, judgement.seen, judgement.remedy)
      place = judgement.verdict == .failed ? result.place.text : nil
      durationMs = Int(result.duration / .milliseconds(1))
      frames = result.replies.map(Frame.init)
    }
  }

  /// A command, its code first, and what followed D5 and the answer code.
  struct Frame: Encodable {
    var command: String
    var answer: String?
    var error: String?

    init(_ reply: Evidence.Reply) {
      (command, answer) = (Hex.string(reply.command), reply.answer.map { Hex.string($0) })
      error = reply.answer == nil ? reply.failure ?? "no answer" : nil
    }
  }

  /// The safe choices for this reader, as `[boards."READER"]` of nfcprog.toml has them.
  struct Limits: Encodable {
    var baud: Int?
    var fastRead: Int?
    var slowTags: Bool?

    init?(_ limits: BoardLimits) {
      guard !limits.isEmpty else { return nil }
      (baud, fastRead) = (limits.speed?.bitsPerSecond, limits.fastReadPages)
      slowTags = limits.hasSlowTags ? true : nil
    }
  }

  var command = "bring-up"
  var reader: String
  var firmware: String?
  var version: String
  var libnfc: String
  var kernel: String?
  /// The kernel's driver of the serial line.
  var driver: String?
  /// `passed`; `failed` where a point failed; `interrupted`.
  var result: String
  var passed: Int
  var failed: Int
  var unclear: Int
  var skipped: Int
  var points: [Point]
  /// Absent where none is needed.
  var settings: Limits?
  /// The settings file that --apply has written them to.
  var applied: String?

  package init(_ report: BringUpReport) {
    (reader, firmware, version) = (report.reader, report.firmware, report.version)
    (libnfc, kernel, driver) = (report.libnfc, report.kernel, report.driver)
    (passed, failed) = (report.count(.passed), report.count(.failed))
    (unclear, skipped) = (report.count(.unclear), report.count(.skipped))
    result = report.isInterrupted ? "interrupted" : failed > 0 ? "failed" : "passed"
    points = report.results.map(Point.init)
    (settings, applied) = (Limits(report.limits), report.applied)
  }
}
