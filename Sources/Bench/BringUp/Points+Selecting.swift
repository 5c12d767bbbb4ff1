import PN532
import Readers

/// An Ultralight or NTAG that is only read: what a look leaves behind, and which tags it finds.
extension BoardQuestions {
  /// READ of page 0.
  private static let read: [UInt8] = [0x30, 0x00]
  private static let sending = BringUpPoint.CodePlace(
    module: "Readers", file: "TagReader+Sending.swift", type: "TagReader.send")
  static let looking = BringUpPoint.CodePlace(
    module: "Readers", file: "TagReader+Looking.swift", type: "TagReader.look")

  /// Returns whether a look with room for two found one tag twice.
  private static func isListedTwice(_ reply: Evidence.Reply?) -> Bool {
    guard let answer = reply?.answer, let tags = try? TypeATarget.list(parsing: answer) else {
      return false
    }
    return tags.count == 2 && tags[0].uid == tags[1].uid
  }

  static let wakesForData = BringUpPoint(
    name: "wakes-for-data",
    question: "Does InDataExchange wake a tag that a look for two tags has left in HALT?",
    expected: "4A 02 00, then 40 01 30 00 at once: status 00h and 16 bytes", wish: .type2,
    place: sending,
    ask: { bench throws(ReaderError) in
      try bench.lookAnew(room: 2)
      try bench.exchange("read", read)
      return Evidence()
    },
    judge: { evidence in
      let reply = evidence["read"]
      if reply?.data?.count == 16 { return .passed("status 00h and 16 bytes") }
      return .failed(
        reply?.outcome ?? "no answer",
        "Each tag costs a pass more: it is selected again by its UID. Send this report.")
    })

  static let sleepsAfterLook = BringUpPoint(
    name: "sleeps-after-look",
    question:
      "After a look for two tags, is the tag in HALT, so that InCommunicateThru gets no answer?",
    expected: "4A 02 00, then 42 30 00: no answer from the tag (status 01h)", wish: .type2,
    place: sending,
    ask: { bench throws(ReaderError) in
      try bench.lookAnew(room: 2)
      try bench.through("read", read)
      return Evidence()
    },
    judge: { evidence in
      if isListedTwice(evidence["look"]) {
        return .unclear("the look found the tag twice: see look-skips-halted")
      }
      guard let reply = evidence["read"] else { return .unclear("nothing was sent") }
      if reply.status == .timeout { return .passed("\(reply.outcome)") }
      return reply.data == nil
        ? .passed("\(reply.outcome)")
        : .failed(
          "the tag answered: \(reply.outcome)",
          "Nothing is harmed: the program wakes the tag although it is awake. Send this report.")
    })

  static let inSelect = BringUpPoint(
    name: "in-select", question: "Does InSelect wake a tag in HALT?",
    expected: "4A 02 00, then 54 01: status 00h, and the tag then answers 42 30 00",
    wish: .type2, place: sending,
    ask: { bench throws(ReaderError) in
      try bench.lookAnew(room: 2)
      try bench.send("select", .inSelect())
      try bench.through("read", read)
      return Evidence()
    },
    judge: { evidence in
      let select = evidence["select"]
      if select?.status == .ok, evidence["read"]?.data?.count == 16 {
        return .passed("status 00h, then 16 bytes")
      }
      let seen =
        select?.status == .ok
        ? "status 00h, then \(evidence["read"]?.outcome ?? "no answer")"
        : "InSelect: \(select?.outcome ?? "no answer")"
      return .failed(
        seen,
        "A copy of the chip. The program never uses InSelect: it selects tags by their UID. No choice is needed."
      )
    })

  static let tagHalts = BringUpPoint(
    name: "tag-halts", question: "Does the tag obey HLTA?",
    expected: "after 42 50 00 no answer to REQA, and one to WUPA", wish: .type2, place: looking,
    ask: { bench throws(ReaderError) in
      try bench.lookAnew()
      try bench.through("halt", [0x50, 0x00])
      try bench.request("REQA", 0x26)
      try bench.request("WUPA", 0x52)
      return Evidence()
    },
    judge: haltJudgement)

  /// Returns whether a tag that was found obeyed HLTA, by its answers to REQA and WUPA.
  static func haltJudgement(_ evidence: Evidence) -> Judgement {
    guard evidence["look"]?.found == 1 else { return .unclear("the tag was not found") }
    if evidence["REQA"]?.data?.isEmpty == false {
      return .failed(
        "the tag answered REQA after HLTA",
        "A copied tag. It is listed twice, which the program counts once; no choice is needed.")
    }
    return evidence["WUPA"]?.data?.isEmpty == false
      ? .passed("no answer to REQA, an answer to WUPA")
      : .unclear(
        "no answer to REQA, and none to WUPA: \(evidence["WUPA"]?.outcome ?? "no answer")")
  }

  static let lookSkipsHalted = BringUpPoint(
    name: "look-skips-halted", question: "Does a look leave out tags that are in HALT?",
    expected:
      "4A 02 00 lists one tag once, and 4A 02 00 again none; after 42 50 00, 4A 01 00 finds none",
    wish: .type2, place: looking, isAboutLooks: true,
    ask: { bench throws(ReaderError) in
      try bench.lookAnew("two", room: 2)
      // Without a field reset: the first look leaves the tag in HALT.
      try bench.look("second", room: 2)
      try bench.lookAnew("first")
      try bench.through("halt", [0x50, 0x00])
      try bench.request("REQA", 0x26)
      try bench.look("again")
      return Evidence()
    },
    judge: { evidence in
      guard evidence["first"]?.found == 1 else { return .unclear("the tag was not found") }
      if evidence["REQA"]?.data?.isEmpty == false {
        return .unclear("the tag does not obey HLTA: see tag-halts")
      }
      let isTwice = isListedTwice(evidence["two"])
      guard isTwice || evidence["again"]?.found != 0 else {
        switch evidence["second"]?.found {
        case 0?: return .passed("listed once; not found again, and not found in HALT")
        case nil: return .unclear("4A 02 00 again: no answer")
        default:
          return .unclear(
            "not found in HALT, but 4A 02 00 again found the tag: it was awake, see sleeps-after-look"
          )
        }
      }
      return .failed(
        isTwice ? "one tag was listed twice" : "the tag was found in HALT",
        "The chip looks with WUPA. The program counts the same UID and SAK twice as one tag; no choice is needed."
      )
    })

  static let lookByUID = BringUpPoint(
    name: "look-by-uid",
    question: "Does a look by UID find a tag in HALT, and one that is selected already?",
    expected: "found after HLTA, and 20 times in a row", wish: .type2,
    place: .init(
      module: "Readers", file: "TagReader+Selecting.swift", type: "TagReader.reselect"),
    isAboutLooks: true,
    ask: { bench throws(ReaderError) in
      guard let tag = bench.tags(in: try bench.lookAnew()).first else {
        return Evidence(obstacle: "the tag was not found")
      }
      try bench.through("halt", [0x50, 0x00])
      try bench.look("halted", uid: tag.uid)
      for _ in 1...20 { try bench.look("active", uid: tag.uid) }
      // As it is printed, without the cascade tag: for the record.
      if tag.uid.count == 7 {
        try bench.send("plain", [0x4A, 0x01, 0x00] + tag.uid)
      }
      return Evidence()
    },
    judge: { evidence in
      let misses = evidence.all("active").count { $0.found != 1 }
      let plain = evidence["plain"].map { reply in
        "; without the cascade tag 88h: "
          + (reply.found.map { $0 == 1 ? "found" : "not found" } ?? "refused")
      }
      let halted = evidence["halted"]?.found == 1
      if halted, misses == 0 {
        return .passed("found in HALT, and 20 of 20 times\(plain ?? "")")
      }
      return .failed(
        "\(halted ? "found" : "not found") in HALT, \(20 - misses) of 20 times active\(plain ?? "")",
        "A job does not find its tag again, and ends with 74 or 75. Do not write tags with this board; send this report."
      )
    })

  static let lastingUID = BringUpPoint(
    name: "lasting-uid", question: "Does the tag keep its UID when it loses its power?",
    expected: "the same UID twice", wish: .type2,
    place: .init(
      module: "Readers", file: "TagReader+RandomUID.swift", type: "TagReader.hasRandomUID"),
    ask: { bench throws(ReaderError) in
      for label in ["first", "second"] {
        try bench.lookAnew(label)
      }
      return Evidence()
    },
    judge: { evidence in
      let uids = ["first", "second"].map { label in
        evidence[label]?.answer.flatMap { try? TypeATarget.list(parsing: $0) }?.first?.uid
      }
      guard let first = uids[0], let second = uids[1] else {
        return .unclear("the tag was not found twice")
      }
      if first == second { return .passed("the same UID") }
      return .failed(
        "another UID",
        "The tag makes a new random UID each time it gets power; no job of a list is given to it.")
    })
}
