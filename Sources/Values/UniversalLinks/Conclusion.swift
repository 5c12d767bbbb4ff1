/// Says whether an app is woken, as far as the findings allow to say so: the one place where a
/// verdict follows from what was found.
///
/// It cannot hold a yes together with an error: an error is a no, whatever was claimed; what was
/// not looked at, or is documented nowhere, makes of a yes that it is not known. A warning leaves
/// a yes.
package struct Conclusion: Hashable, Sendable {
  package enum Answer: Hashable, Sendable {
    case yes, no, notKnown
  }

  package let answer: Answer

  /// `claim`: the answer of the rules and the records alone.
  package init(_ claim: Answer, _ findings: [Finding]) {
    if findings.contains(where: { $0.severity == .error }) {
      answer = .no
    } else if claim == .yes, findings.contains(where: \.isDoubt) {
      answer = .notKnown
    } else {
      answer = claim
    }
  }

  package var isYes: Bool { answer == .yes }

  /// What a person is told of a refusal: the sentence, and behind it the errors, or without any
  /// what else was found; three at most.
  package static func refusal(_ sentence: String, _ findings: [Finding]) -> String {
    let errors = findings.filter { $0.severity == .error }
    let doubts = findings.filter(\.isDoubt)
    let reasons = (errors.isEmpty ? doubts.isEmpty ? findings : doubts : errors).prefix(3)
    return ([sentence] + reasons.map(\.message)).joined(separator: " ")
  }
}
