import PN532
import Readers

/// Cards that speak ISO-DEP, two tags at once, and what only a person sees.
extension BoardQuestions {
  static let otherPoints: [BringUpPoint] = [
    smartCard, longAPDU, chaining, type4FieldReset, feliCaFieldReset, typeBFieldReset,
    typeBSelect, topazFieldReset, twoTags, mixedTags, phoneBeside, phones,
  ]

  private static let transmit = BringUpPoint.CodePlace(
    module: "Readers", file: "TagReader+Transmit.swift", type: "TagReader.transmit")

  private static let smartCard = BringUpPoint(
    name: "smart-card",
    question:
      "Does a smart card with MIFARE Classic obey MIFARE commands when it was sent no RATS?",
    expected: "an authentication without RATS is answered by the chip with 00h or 14h alone",
    wish: .smartMIFARE,
    place: .init(
      module: "Readers", file: "TagReader+Looking.swift", type: "TagReader.leaveProtocol"),
    ask: { bench throws(ReaderError) in
      for (label, automatic) in [("with RATS", true), ("without RATS", false)] {
        try bench.send("set-up", .setParameters(automaticRATS: automatic))
        try bench.reset()
        let look = try bench.look()
        if let tag = bench.tags(in: look, automaticRATS: automatic).first {
          try bench.exchange(
            label, [0x60, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] + tag.uid.suffix(4))
        }
        try bench.send("set-up", .inRelease())
      }
      try bench.send("set-up", .setParameters(automaticRATS: true))
      return Evidence()
    },
    judge: { evidence in
      guard let reply = evidence["without RATS"] else { return .unclear("the card was not found") }
      let before = evidence["with RATS"].map { "with RATS: \($0.outcome); " } ?? ""
      let seen = "\(before)without: \(reply.outcome)"
      let isObeyed = reply.answer?.count == 1 && [.ok, .authentication].contains(reply.status)
      return isObeyed
        ? .passed(seen)
        : .failed(seen, "The card is refused as a MIFARE Classic (77), unharmed. Send this report.")
    })

  /// SELECT by a name of `count` bytes that no application has: answered with an error, harmless.
  private static func select(_ count: Int) -> [UInt8] {
    [0x00, 0xA4, 0x04, 0x00, UInt8(count)] + [UInt8](repeating: 0xA5, count: count)
  }

  private static let longAPDU = BringUpPoint(
    name: "long-apdu",
    question: "Does an APDU of 159 data bytes reach a card, and its answer come?",
    expected: "status 00h and two bytes", wish: .isoDEP, place: transmit,
    ask: { bench throws(ReaderError) in
      try bench.lookAnew()
      try bench.send("apdu", Command.inDataExchange(select(159)), timeout: .seconds(2))
      return Evidence()
    },
    judge: { evidence in
      let reply = evidence["apdu"]
      if let data = reply?.data, data.count >= 2 {
        return .passed(
          "answered: \(data.suffix(2).map { String($0, radix: 16) }.joined(separator: " "))")
      }
      return .failed(
        reply?.outcome ?? "no answer",
        "Long messages cannot be written to Type 4 tags on this board. Send this report.")
    })

  private static let chaining = BringUpPoint(
    name: "apdu-chaining", question: "Does the chip take an APDU in parts (bit 6 of Tg)?",
    expected: "no: an error status, so that no APDU has more than 261 bytes", wish: .isoDEP,
    place: transmit,
    ask: { bench throws(ReaderError) in
      try bench.lookAnew()
      let parameters: [UInt8] = [0x41] + Array(select(200))
      try bench.send("part", Command(.inDataExchange, parameters), timeout: .seconds(2))
      try bench.send("set-up", .inRelease())
      return Evidence()
    },
    judge: { evidence in
      guard let reply = evidence["part"] else { return .unclear("nothing was sent") }
      guard reply.status == .ok else { return .passed(reply.outcome) }
      return .failed(
        reply.outcome,
        "Nothing is harmed: the chip can do more than is used. Send this report.")
    })

  private static let typeBSelect = BringUpPoint(
    name: "type-b-select", question: "Does InSelect find a card of type B that a look has found?",
    expected: "4A 01 03 00, then 54 01: status 00h", wish: .typeB,
    place: .init(
      module: "Readers", file: "TagReader+Polling.swift", type: "TagReader.isStillThere"),
    ask: { bench throws(ReaderError) in
      try bench.reset()
      try bench.send("look", .listTypeB())
      try bench.send("select", .inSelect())
      return Evidence()
    },
    judge: { evidence in
      guard let select = evidence["select"] else { return .unclear("nothing was sent") }
      guard select.status != .ok else { return .passed(select.outcome) }
      return .failed(
        select.outcome,
        "The card is named by what the look has told, and not used further. No choice is needed. Send this report."
      )
    })

  private static let twoTags = BringUpPoint(
    name: "two-tags", question: "Are two tags on the reader both found?",
    expected: "4A 02 00 lists two UIDs, each time", wish: .twoTags,
    place: .init(module: "Readers", file: "TagReader+Looking.swift", type: "TagReader.look"),
    isAboutLooks: true, ask: lookForTwo, judge: bothJudgement)

  private static let mixedTags = BringUpPoint(
    name: "mixed-tags", question: "Are an NTAG and a MIFARE Classic together both found?",
    expected: "4A 02 00 lists two UIDs, each time", wish: .mixedTags,
    place: .init(module: "Readers", file: "TagReader+Looking.swift", type: "TagReader.look"),
    isAboutLooks: true, ask: lookForTwo, judge: bothJudgement)

  @Sendable private static func lookForTwo(
    _ bench: BringUpBench
  ) throws(ReaderError) -> Evidence {
    for _ in 1...5 { try bench.lookAnew(room: 2) }
    return Evidence()
  }

  @Sendable private static func bothJudgement(_ evidence: Evidence) -> Judgement {
    let looks = evidence.all("look")
    let both = looks.count { reply in
      let tags = reply.answer.flatMap { try? TypeATarget.list(parsing: $0) } ?? []
      return Set(tags.map(\.uid)).count == 2
    }
    guard !looks.isEmpty else { return .unclear("nothing was sent") }
    if both == looks.count { return .passed("both, \(both) of \(looks.count) times") }
    return .failed(
      "both \(both) of \(looks.count) times",
      "A second tag may be missed: keep the tags of a line 10 cm apart. Send this report.")
  }

  private static let phoneBeside = BringUpPoint(
    name: "phone-beside", question: "Is a tag found while a telephone lies beside it?",
    expected: "4A 02 00 lists the tag, each time", wish: .type2,
    place: .init(module: "Readers", file: "TagReader+Looking.swift", type: "TagReader.look"),
    isAboutLooks: true,
    ask: { bench throws(ReaderError) in
      let question =
        "Leave the tag there and put a telephone with its screen on beside it, at the edge of the reader. Is it there?"
      guard try bench.ask(question) == true else {
        return Evidence(obstacle: "nobody put a telephone there")
      }
      for _ in 1...10 { try bench.lookAnew(room: 2) }
      return Evidence()
    },
    judge: { evidence in
      let looks = evidence.all("look")
      guard !looks.isEmpty else { return .unclear("nothing was sent") }
      let found = looks.count { ($0.found ?? 0) > 0 }
      let seen = "found \(found) of \(looks.count) times"
      return found == looks.count
        ? .passed(seen)
        : .failed(seen, "Keep telephones 30 cm away from the readers of a line. Send this report.")
    })

  private static let phones = BringUpPoint(
    name: "phones", question: "Do an iPhone and an Android phone read what nfcprog writes?",
    expected: "both open the link", wish: .nothing,
    place: .init(
      module: "TagProgramming", file: "Engine/Programmer.swift", type: "Programmer"),
    ask: { bench throws(ReaderError) in
      let question =
        "Write a tag of each type, a MIFARE Classic 4K too, with nfcprog write-url https://example.com/t/1 and hold it to an iPhone and an Android phone. Do all open the link?"
      guard let answer = try bench.ask(question) else {
        return Evidence(obstacle: "nobody was there to look")
      }
      return Evidence(numbers: ["yes": answer ? 1 : 0])
    },
    judge: { evidence in
      evidence.numbers["yes"] == 1
        ? .passed("both open it, a person says")
        : .failed(
          "not all open it, a person says",
          "Save the tag with nfcprog dump FILE and send it with this report.")
    })
}
