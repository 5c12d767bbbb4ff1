import Bench
import PN532
import Readers

/// A blank NTAG that was given to be written: how long a page takes, and what the cells keep.
extension BoardQuestions {
  static let type2WritingPoints: [BringUpPoint] = [
    writeTime, memorySize, cells, refusedWrites, protectedRead, protectionStart,
  ]

  /// What `ask` does with a tag that is not blank.
  static func withBlankTag(
    _ bench: BringUpBench,
    _ body: (BlankType2, inout Evidence) throws(ReaderError) -> Void
  ) throws(ReaderError) -> Evidence {
    let tag = try BlankType2(on: bench)
    if let refusal = tag.refusal {
      return Evidence(obstacle: "the tag is not blank (\(refusal)); nothing was written")
    }
    var evidence = Evidence()
    try body(tag, &evidence)
    return evidence
  }

  static let patienceAdvice =
    "The first pass over such a tag fails and is repeated with 51.2 ms. The setting slow-tags = true waits that long at once."

  /// How many pages are timed: all that the smallest tag has.
  private static let timedPages = 12

  private static let writeTime = BringUpPoint(
    name: "write-time", question: "Does the tag program each page within 12.8 ms?",
    expected: "WRITE of 12 pages: status 00h with a time-out of 12.8 ms", wish: .blankType2,
    place: .init(module: "Readers", file: "Care.swift", type: "Care"),
    ask: { bench throws(ReaderError) in
      try withBlankTag(bench) { tag, evidence throws(ReaderError) in
        for page in tag.pages.prefix(timedPages) where evidence.damage == nil {
          try bench.reset()
          try bench.look()
          if try !tag.write("usual", page, tag.content(of: page).map(~)) {
            try tag.write("patient", page, tag.content(of: page).map(~))
          }
          evidence.damage = tag.restore([page])
        }
      }
    },
    judge: { evidence in
      let writes = evidence.all("usual")
      guard !writes.isEmpty else { return .unclear("nothing was written") }
      guard let refused = writes.first(where: { $0.status != .ok }) else {
        let slowest = writes.map(\.duration).max() ?? .zero
        return .passed(
          "\(writes.count) pages, the slowest after \(Int(slowest / .milliseconds(1))) ms")
      }
      let patient = evidence["patient"]
      let later =
        patient?.status == .ok
        ? "status 00h with 51.2 ms" : "with 51.2 ms: \(patient?.outcome ?? "no answer")"
      return .failed(
        "\(refused.outcome); \(later)", patienceAdvice, BoardLimits(hasSlowTags: true))
    })

  private static let memorySize = BringUpPoint(
    name: "memory-size",
    question: "Does the tag have the memory that its capability container claims?",
    expected: "the last page keeps what is written, and no other page changes", wish: .blankType2,
    place: .init(module: "TagMemory", file: "Product+Type2.swift", type: "Product"),
    ask: { bench throws(ReaderError) in
      try withBlankTag(bench) { tag, evidence throws(ReaderError) in
        let last = tag.pages.upperBound
        let text: [UInt8] = [0xC3, 0x5A, 0x96, 0x0F]
        try bench.reset(patience: .communicationDefault)
        try bench.look()
        try tag.write("write", last, text)
        evidence.numbers["page"] = last
        evidence.numbers["kept"] = try tag.read("read", last) == text ? 1 : 0
        var changed: [Int] = []
        for page in tag.pages where page != last {
          if try tag.read("read", page) != tag.content(of: page) { changed.append(page) }
        }
        evidence.numbers["changed"] = changed.count
        evidence.damage = tag.restore(changed + [last])
      }
    },
    judge: { evidence in
      guard let page = evidence.numbers["page"] else { return .unclear("nothing was written") }
      if evidence.numbers["kept"] == 1, evidence.numbers["changed"] == 0 {
        return .passed("page \(page) keeps what is written")
      }
      let seen =
        evidence.numbers["kept"] == 1
        ? "\(evidence.numbers["changed"] ?? 0) other pages changed with page \(page)"
        : "page \(page) does not keep what is written"
      return .failed(
        seen,
        "A copy with less memory than it says. Everything is read back, so no such tag is reported as good; do not buy more of them."
      )
    })

  private static let cells = BringUpPoint(
    name: "cells", question: "Does every bit of the tag's user memory take both values?",
    expected: "A5 and 5A are kept in every page", wish: .blankType2,
    place: .init(
      module: "TagProgramming", file: "Engine/SentWrites.swift", type: "SentWrites"),
    ask: { bench throws(ReaderError) in
      try withBlankTag(bench) { tag, evidence throws(ReaderError) in
        try bench.reset(patience: .communicationDefault)
        try bench.look()
        var (bad, missing) = (0, 0)
        for page in tag.pages {
          var seen: [[UInt8]?] = []
          for byte in [0xA5, 0x5A] as [UInt8] {
            try tag.write("write", page, [byte, byte, byte, byte])
            seen.append(try tag.read("read", page))
          }
          // A page that keeps nothing is no bad cell: it is not there.
          if seen[0] == seen[1] {
            missing += 1
          } else if seen != [[0xA5, 0xA5, 0xA5, 0xA5], [0x5A, 0x5A, 0x5A, 0x5A]] {
            bad += 1
            evidence.numbers["first"] = evidence.numbers["first"] ?? page
          }
        }
        evidence.numbers["pages"] = tag.pages.count
        (evidence.numbers["bad"], evidence.numbers["missing"]) = (bad, missing)
        let damage = tag.restore(tag.pages)
        // A bad cell cannot be put back, which is the answer itself.
        if bad == 0, missing == 0 { evidence.damage = damage }
      }
    },
    judge: { evidence in
      guard let pages = evidence.numbers["pages"] else { return .unclear("nothing was written") }
      let bad = evidence.numbers["bad"] ?? 0
      if bad > 0 {
        return .failed(
          "\(bad) of \(pages) pages have a bad bit, the first is page \(evidence.numbers["first"] ?? 0)",
          "Throw this tag away. A job that meets such a bit ends with 76 and names the page.")
      }
      let missing = evidence.numbers["missing"] ?? 0
      return missing > 0
        ? .unclear("\(missing) of \(pages) pages keep nothing: see memory-size")
        : .passed("\(pages) pages")
    })

  private static let protectedRead = BringUpPoint(
    name: "protected-read",
    question: "What does READ answer at the edge of pages that a password protects?",
    expected: "with PROT = 1 and AUTH0 = 2, READ of page 0 gives pages 0, 1, 0, 1",
    wish: .blankType2,
    place: .init(
      module: "TagMemory", file: "Identification+Silent.swift", type: "Identification"),
    ask: { bench throws(ReaderError) in
      try withBlankTag(bench) { tag, evidence throws(ReaderError) in
        guard let delivered = try Delivered(tag, &evidence) else { return }
        let first = delivered.first
        let isSet = try delivered.protect(tag)
        // The password is still proved: the pages show, if they have kept it.
        let now = isSet ? try bench.exchange("memory", [0x30, UInt8(first)]).data : nil
        if let now, now.count == 16, now[3] == 0x02, now[4] == 0x80 {
          try bench.reset(patience: .communicationDefault, isUndoing: true)
          try bench.look()
          try bench.exchange("edge", [0x30, 0x00])
        }
        evidence.damage = delivered.openAgain(bench)
      }
    },
    judge: { evidence in
      guard let edge = evidence["edge"] else {
        return .unclear("the configuration does not keep what is written")
      }
      if let data = edge.data, data.count == 16, Array(data[0..<8]) == Array(data[8..<16]) {
        return .passed("pages 0, 1, 0, 1")
      }
      return .failed(
        edge.data == nil ? edge.outcome : "other pages",
        "info names such a tag by its refusal in place of its pages. Send this report.")
    })
}
