import PN532
import Readers

/// A blank NTAG that was given to be written: what comes of a WRITE and of a password that it
/// refuses.
extension BoardQuestions {
  static let refusedWrites = BringUpPoint(
    name: "refused-writes",
    question: "How does the chip report a WRITE and a password that the tag refuses?",
    expected: "an error status for WRITE of page 0, which is read-only, and for a wrong PWD_AUTH",
    wish: .blankType2,
    place: .init(module: "PN532", file: "StatusCode.swift", type: "StatusCode"),
    ask: { bench throws(ReaderError) in
      try withBlankTag(bench) { tag, evidence throws(ReaderError) in
        try bench.reset(patience: .communicationDefault)
        try bench.look()
        // Whether refusals can be told from answers at all.
        try bench.exchange("beyond", [0x30, 0xF8])
        try bench.lookAnew()
        // Its own bytes: a copy that takes them does not change.
        guard let head = try bench.exchange("memory", [0x30, 0x00]).data, head.count == 16 else {
          return
        }
        try tag.write("page 0", 0, Array(head[0..<4]))
        try bench.lookAnew()
        guard let first = configurationPages[tag.pages.upperBound],
          let configuration = try bench.exchange("memory", [0x30, UInt8(first)]).data,
          // A tag that counts wrong passwords is asked for none.
          configuration.count == 16, configuration[4] & 0x07 == 0
        else { return }
        try bench.through("password", [0x1B, 0x13, 0x57, 0x9B, 0xDF])
      }
    },
    judge: { evidence in
      guard let page = evidence["page 0"] else { return .unclear("page 0 cannot be read") }
      if evidence["beyond"]?.status == .ok {
        return .unclear("the chip passes refusals on as answers: see refusals")
      }
      let password = evidence["password"]
      let seen =
        "WRITE of page 0: \(page.outcome)"
        + (password.map { "; wrong password: \($0.outcome)" } ?? "")
      if page.status == .ok {
        return .failed(
          seen,
          "The tag takes its UID to be written: it is a copy. No choice is needed. Send this report."
        )
      }
      guard password?.data?.count != 2 else {
        return .failed(
          seen, "The tag takes any password: do not protect such tags. Send this report.")
      }
      return .passed(seen)
    })
}
