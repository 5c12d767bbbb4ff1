/// What is said of a code that was scanned.
package enum ScanText {
  /// In large letters; nil for a code that is good.
  package static func word(_ answer: JobPicks.Answer) -> StationWord? {
    switch answer {
    case .taken: nil
    case .unknown, .ambiguous, .failed: .unknownCode
    case .repeated: .usedCode
    }
  }

  package static func next(_ answer: JobPicks.Answer) -> String {
    switch answer {
    case .taken: "leave the tag there, or put it on the reader"
    case .unknown: "scan the right item"
    case .ambiguous, .failed: "call the line engineer"
    case .repeated: "set the item aside"
    }
  }

  package static func reason(_ code: String, _ answer: JobPicks.Answer) -> String {
    let code = "“\(code.prefix(40))”"
    return switch answer {
    case .taken: "\(code) was scanned"
    case .unknown: "no row has \(code)"
    case .ambiguous(let count): "\(count) rows have \(code)"
    case .repeated: "the tag of \(code) is already made or started"
    case .failed: "the row of \(code) does not give a valid message"
    }
  }

  /// For a line of text.
  package static func line(_ code: String, _ answer: JobPicks.Answer) -> String {
    let job = answer.job.map { "  job \($0.number) \($0.name)" } ?? ""
    guard let word = word(answer) else { return "CODE TAKEN\(job)" }
    return "\(word.text)  \(reason(code, answer))\(job)  Next: \(next(answer))."
  }
}
