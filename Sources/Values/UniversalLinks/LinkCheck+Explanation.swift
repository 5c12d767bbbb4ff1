extension LinkCheck {
  /// Why it is so, for people, a line each: for every app that was looked at the rules in their
  /// order, why each does not decide and which one does, then the findings.
  ///
  /// Of a long run of rules that do not match only the first and the last few are named; `json` has
  /// them all.
  public var explanation: [String] {
    verdicts.flatMap(lines) + Self.lines(findings)
  }

  /// The lines for findings, errors first, each with its code.
  package static func lines(_ findings: [Finding]) -> [String] {
    let errors = findings.filter { $0.severity == .error }
    let warnings = findings.filter { $0.severity == .warning }
    let notes = findings.filter { $0.severity == .note }
    return (errors + warnings + notes).map { "\($0) [\($0.code.rawValue)]" }
  }

  /// Why a tag is not to be written with this link; nil when it wakes an app.
  public var refusal: String? {
    guard !wakesApp else { return nil }
    return Conclusion.refusal(description, findings)
  }

  /// How many rules before the deciding one are named at either end.
  private static let shownAtEitherEnd = 5

  private func lines(_ verdict: Verdict) -> [String] {
    guard !verdict.steps.isEmpty else { return [] }
    var lines = verdict.steps.map { step in
      if let mismatch = step.mismatch {
        "\(Self.place(step.component)), \(step.component): does not decide, \(mismatch)"
      } else {
        "\(Self.place(step.component)), \(step.component): matches and decides, "
          + (step.component.isExclusion
            ? "the link stays in the browser"
            : wakesApp ? "the app opens it" : "the app would open it")
      }
    }
    if lines.count > 2 * Self.shownAtEitherEnd + 1 {
      let hidden = lines.count - 2 * Self.shownAtEitherEnd
      lines.replaceSubrange(
        Self.shownAtEitherEnd..<lines.count - Self.shownAtEitherEnd,
        with: ["… \(hidden) more rules that do not match …"])
    }
    let end = verdict.decidedBy == nil ? ["no rule is left: the link stays in the browser"] : []
    return ["\(verdict.appID), its rules in their order, the first that matches decides:"]
      + (lines + end).map { "  " + $0 }
  }

  private static func place(_ component: Component) -> String {
    "\(component.path) (line \(component.position.line))"
  }
}
