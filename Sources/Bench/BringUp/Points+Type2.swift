import Bench
import PN532
import Readers

/// An Ultralight or NTAG that is only read: what the chip passes on of its answers.
extension BoardQuestions {
  static let type2Points: [BringUpPoint] = [
    wakesForData, sleepsAfterLook, inSelect, tagHalts, lookSkipsHalted, lookByUID, refusals,
    fastRead, longAnswers, fieldReset, lastingUID,
  ]

  static let refusals = BringUpPoint(
    name: "refusals",
    question: "How does the chip report a tag that refuses (NAK) a command?",
    expected: "an error status for READ beyond the end, and for an unknown command", wish: .type2,
    place: .init(module: "PN532", file: "StatusCode.swift", type: "StatusCode"),
    ask: { bench throws(ReaderError) in
      try bench.lookAnew()
      try bench.exchange("beyond", [0x30, 0xF8])
      try bench.lookAnew()
      try bench.through("unknown", [0xF0])
      return Evidence()
    },
    judge: { evidence in
      guard let beyond = evidence["beyond"], let unknown = evidence["unknown"] else {
        return .unclear("nothing was sent")
      }
      let seen = "READ beyond the end: \(beyond.outcome); unknown command: \(unknown.outcome)"
      let isRefused = [beyond, unknown].allSatisfy { $0.status.map { $0 != .ok } ?? false }
      return isRefused
        ? .passed(seen)
        : .failed(
          seen,
          "A refusal that looks like an answer may be taken for data. Do not use this board with this tag; send this report."
        )
    })

  static let fastRead = BringUpPoint(
    name: "fast-read", question: "Does FAST_READ get through?",
    expected: "42 3A 04 07: status 00h and 16 bytes", wish: .type2,
    place: .init(module: "Readers", file: "Care.swift", type: "Care"),
    ask: { bench throws(ReaderError) in
      try bench.lookAnew()
      try bench.through("fast", [0x3A, 0x04, 0x07])
      return Evidence()
    },
    judge: { evidence in
      let reply = evidence["fast"]
      if reply?.data?.count == 16 { return .passed("status 00h and 16 bytes") }
      let who =
        reply?.status == .framing
        ? "a copy of the chip" : "the tag does not know it, or a copy of the chip"
      return .failed(
        "\(reply?.outcome ?? "no answer"): \(who)",
        "The first pass over each tag fails and is repeated with READ. The setting fast-read = 4 uses READ at once.",
        BoardLimits(fastReadPages: 4))
    })

  private static let longReads = [15, 16, 17, 36, 40, 60]

  static let longAnswers = BringUpPoint(
    name: "long-answers",
    question: "Do long answers of a tag arrive: FAST_READ of 15, 16, 17, 36, 40 and 60 pages?",
    expected: "status 00h and four bytes a page, as far as the tag has pages", wish: .type2,
    place: .init(module: "Readers", file: "Care.swift", type: "Care"),
    ask: { bench throws(ReaderError) in
      try bench.lookAnew()
      try bench.through("short", [0x3A, 0x00, 0x03])
      for count in longReads {
        try bench.lookAnew()
        // Whether there are so many pages is asked with READ.
        try bench.exchange("end", [0x30, UInt8(count - 1)])
        guard bench.lastAnswered else { break }
        try bench.through("fast", [0x3A, 0x00, UInt8(count - 1)])
      }
      return Evidence()
    },
    judge: { evidence in
      guard evidence["short"]?.data?.count == 16 else {
        return .unclear("FAST_READ does not get through: see fast-read")
      }
      let replies = evidence.all("fast")
      guard !replies.isEmpty else { return .unclear("the tag has fewer than 15 pages") }
      let count = { (reply: Evidence.Reply) in Int(reply.command[3]) + 1 }
      guard let short = replies.first(where: { $0.data?.count != 4 * count($0) }) else {
        return .passed("up to \(replies.last.map(count) ?? 0) pages")
      }
      let good = replies.prefix { $0.data?.count == 4 * count($0) }.last.map(count) ?? 4
      let limit = good >= 12 ? 12 : 4
      return .failed(
        "\(count(short)) pages: \(short.outcome)",
        "The first pass over each tag fails and is repeated with less. The setting fast-read = \(limit) asks for that at once.",
        BoardLimits(fastReadPages: limit))
    })
}
