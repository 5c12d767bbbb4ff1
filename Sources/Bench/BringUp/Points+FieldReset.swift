import PN532
import Readers

/// Says whether a tag is found each time after the field was off, for each family of tags.
extension BoardQuestions {
  static let fieldReset = fieldResetPoint("field-reset", .type2) { bench throws(ReaderError) in
    try bench.lookAnew(room: 2)
  }

  static let classicFieldReset = fieldResetPoint("classic-field-reset", .classic) {
    bench throws(ReaderError) in
    try bench.lookAnew(room: 2)
  }

  static let type4FieldReset = BringUpPoint(
    name: "type4-field-reset", question: resetQuestion, expected: noMiss, wish: .isoDEP,
    place: looking, isAboutLooks: true,
    ask: { bench throws(ReaderError) in
      for _ in 0..<bench.rounds { try bench.lookAnew(room: 2) }
      // The chip names no card that leaves RATS without an answer.
      try bench.send("set-up", .setParameters(automaticRATS: false))
      try bench.lookAnew("bare")
      try bench.send("set-up", .inRelease())
      try bench.send("set-up", .setParameters(automaticRATS: true))
      return Evidence()
    },
    judge: { evidence in
      let looks = evidence.all("look")
      guard !looks.isEmpty, looks.allSatisfy({ ($0.found ?? 0) == 0 }),
        (evidence["bare"]?.found ?? 0) > 0
      else { return fieldResetJudgement(evidence) }
      return .failed(
        "found without RATS alone",
        "The card says that it speaks ISO-DEP, and does not answer when it is asked to: a copy, or a defective card. Use another one."
      )
    })

  static let feliCaFieldReset = fieldResetPoint("felica-field-reset", .feliCa, .listFeliCa())
  static let typeBFieldReset = fieldResetPoint("type-b-field-reset", .typeB, .listTypeB())
  static let topazFieldReset = fieldResetPoint("topaz-field-reset", .topaz, .listTopaz)

  private static let resetQuestion =
    "Is a tag found each time after the field was off for 5.1 ms?"
  private static let noMiss = "no look misses it"

  private static func fieldResetPoint(
    _ name: String, _ wish: TagWish, _ command: Command
  ) -> BringUpPoint {
    fieldResetPoint(name, wish) { bench throws(ReaderError) in
      try bench.reset()
      try bench.send("look", command)
    }
  }

  private static func fieldResetPoint(
    _ name: String, _ wish: TagWish,
    look: @escaping @Sendable (BringUpBench) throws(ReaderError) -> Void
  ) -> BringUpPoint {
    BringUpPoint(
      name: name,
      question: resetQuestion, expected: noMiss, wish: wish, place: looking, isAboutLooks: true,
      ask: { bench throws(ReaderError) in
        for _ in 0..<bench.rounds { try look(bench) }
        return Evidence()
      },
      judge: fieldResetJudgement)
  }

  @Sendable private static func fieldResetJudgement(_ evidence: Evidence) -> Judgement {
    let looks = evidence.all("look")
    let misses = looks.count { ($0.found ?? 0) == 0 }
    guard !looks.isEmpty else { return .unclear("nothing was sent") }
    guard misses > 0 else { return .passed("found \(looks.count) of \(looks.count) times") }
    return .failed(
      "missed \(misses) of \(looks.count) times",
      "A line is slower, and a tag may be reported as lost (74): move the tag closer, or use another antenna. Send this report."
    )
  }
}
