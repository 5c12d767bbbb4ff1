import Bench
import Bytes
import PN532
import Readers

/// What a board answered to the commands of one question.
package struct Evidence: Hashable, Sendable {
  /// One command to the chip and its answer.
  package struct Reply: Hashable, Sendable {
    /// What it was sent for, where a judgement asks for it: `look`, `read`.
    package var label: String
    /// The command, its code first.
    package var command: [UInt8]
    /// What follows the answer code; nil where no answer came.
    package var answer: [UInt8]?
    /// Why none came.
    package var failure: String?
    package var duration: Duration

    package init(
      _ label: String, _ command: [UInt8], answer: [UInt8]?, failure: String? = nil,
      duration: Duration = .zero
    ) {
      (self.label, self.command, self.answer) = (label, command, answer)
      (self.failure, self.duration) = (failure, duration)
    }

    /// The status byte, of commands that have one.
    package var status: StatusCode? {
      guard let first = answer?.first, let code = command.first.flatMap(CommandCode.init),
        code.answersWithStatus
      else { return nil }
      return StatusCode(rawValue: first)
    }

    /// What the tag sent; nil where the status is an error.
    package var data: [UInt8]? {
      status == .ok ? answer.map { Array($0.dropFirst()) } : nil
    }

    /// How the answer is called in a report: its status in words, or what went wrong.
    package var outcome: String {
      if let status {
        return status == .ok ? "status 00h, \(max(0, (answer?.count ?? 1) - 1)) bytes" : "\(status)"
      }
      return answer.map { "\($0.count) bytes" } ?? failure ?? "no answer"
    }

    /// How many tags a look found; nil where it failed.
    package var found: Int? {
      command.first == CommandCode.inListPassiveTarget.rawValue
        ? answer?.first.map(Int.init) : nil
    }

    /// `40 01 30 02 → 00 …`, or why nothing came.
    package var line: String {
      let left = Hex.string(command, separator: " ").uppercased()
      let right = answer.map { Hex.string($0, separator: " ").uppercased() }
      return "\(left) → \(right ?? failure ?? "no answer")"
    }
  }

  /// In the order in which they were sent.
  package var replies: [Reply] = []
  /// What was counted or measured, by name.
  package var numbers: [String: Int] = [:]
  /// Why it could not be asked: a clause. Nothing was judged then.
  package var obstacle: String?
  /// What was left on a tag that could not be put back: a full sentence.
  package var damage: String?

  package init(_ replies: [Reply] = [], numbers: [String: Int] = [:], obstacle: String? = nil) {
    (self.replies, self.numbers, self.obstacle) = (replies, numbers, obstacle)
  }

  /// The first command that was sent for `label`.
  package subscript(_ label: String) -> Reply? { replies.first { $0.label == label } }

  /// All of them.
  package func all(_ label: String) -> [Reply] { replies.filter { $0.label == label } }
}

/// What the answers mean.
package struct Judgement: Hashable, Sendable {
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// The answer is the one that the code takes for granted.
    case passed
    /// It is another one.
    case failed
    /// It says nothing, because another point has failed.
    case unclear
    /// The question was not asked.
    case skipped
  }

  package var verdict: Verdict
  /// What was seen, or why nothing was: a clause.
  package var seen: String
  /// What the program does about it, or a person should: a full sentence.
  package var remedy: String?
  /// The safe choice for this reader, for its settings file.
  package var setting: BoardLimits

  package init(
    _ verdict: Verdict, _ seen: String, remedy: String? = nil, setting: BoardLimits = BoardLimits()
  ) {
    (self.verdict, self.seen, self.remedy, self.setting) = (verdict, seen, remedy, setting)
  }

  package static func passed(_ seen: String) -> Judgement { Judgement(.passed, seen) }
  package static func failed(
    _ seen: String, _ remedy: String, _ setting: BoardLimits = BoardLimits()
  ) -> Judgement {
    Judgement(.failed, seen, remedy: remedy, setting: setting)
  }
  package static func unclear(_ seen: String) -> Judgement { Judgement(.unclear, seen) }
  package static func skipped(_ seen: String) -> Judgement { Judgement(.skipped, seen) }
}
