import Testing

@testable import Ledger

@Suite("Why tags are put aside")
struct CauseTests {
  @Test("each cause is said in words of its own, and goes where its order says")
  func words() {
    #expect(Set(TagCause.allCases.map(\.row.counted)).count == TagCause.allCases.count)
    for cause in TagCause.allCases {
      let row = cause.row
      #expect(!row.title.isEmpty && !row.held.isEmpty, "\(cause)")
      for advice in [row.failed, row.left] {
        let bin: TagBin =
          switch advice.order {
          case "good already": .good
          case "try it again", "wait": .again
          case "bin it": .bin
          default: .aside
          }
        #expect(advice.bin == bin, "\(cause): \(advice.order)")
      }
    }
  }

  @Test("what counts as a failure is told as one, and a run that was ended fails nothing")
  func counts() {
    let causes: [TagCause?] = TagCause.allCases + [nil]
    for kind in EventKind.allCases {
      for cause in causes {
        for hasJob in [false, true] {
          let verdict = kind.verdict(cause, hasJob: hasJob)
          let what = "\(kind) \(cause?.rawValue ?? "–") \(hasJob)"
          switch kind.count(cause, setsAside: true) {
          case .success: #expect(verdict == .passed, "\(what)")
          case .failure: #expect(verdict == .failed || verdict == .held, "\(what)")
          case .leftAlone: #expect(verdict == .left, "\(what)")
          case .none: #expect(verdict != .passed && verdict != .failed, "\(what)")
          }
          guard cause == .interrupted else { continue }
          #expect(kind.count(cause, setsAside: true) != .failure, "\(what)")
        }
      }
    }
  }

  @Test("a tag that a pool contradicts its bench about fails once, however often that is said")
  func contradicted() {
    func event(
      _ number: Int64, _ tag: UInt8, _ type: String?, setsAside: Bool = true
    ) -> Event {
      var event = Event(
        number: number, .passed(job: 1, tag: [tag], setsAside: setsAside), cause: "conflict",
        text: "No.", started: 0)
      event.tagType = type
      return event
    }
    var figures = Figures()
    for number in 1..<4 { figures.take(event(Int64(number), 1, "ntag213")) }
    figures.take(event(4, 2, "ntag215"))
    figures.take(event(5, 3, nil, setsAside: false))
    #expect(figures.all == .init(failed: 2) && figures.failures["conflict"]?.count == 2)
    #expect(figures.types == ["ntag213": .init(failed: 1), "ntag215": .init(failed: 1)])
    #expect(figures.yield == 0)
  }
}
