import Bench
import NDEF
import TagMemory
import Testing

@testable import TagProgramming
@testable import nfcprog

@Suite("A run of clone")
struct CloneTests {
  private func report(
    _ result: TagReport.Result, uid: [UInt8], _ kind: JobFailure.Kind? = nil
  ) -> TagReport {
    TagReport(
      result, target: .typeA(Activation(atqa: 0x0044, sak: 0, uid: UID(uid))),
      failure: kind.map { JobFailure(Self.cause(of: $0)) })
  }

  /// A cause of that kind.
  private static func cause(of kind: JobFailure.Kind) -> Cause {
    switch kind {
    case .badInput: .messageTooLong(byteCount: 200, capacity: 137, tag: "NTAG213")
    case .readerUnavailable: .reader(.boardSilent(reader: "sim:"))
    case .internalError: .mistake(.notSurveyed)
    case .tagTrouble: .reader(.severalTags([]))
    case .noTag: .noTagInTime
    case .mismatch: .classic(.trailersNotTaken([1], opens: false))
    case .refused: .readOnly
    case .configuration: .reader(.notRecorded(command: "02", place: "it was not sent there"))
    case .interrupted: .reader(.interrupted)
    }
  }

  /// A tally after tags with UIDs 0, 1, … ended like this.
  private func tally(_ ends: [JobFailure.Kind?]) -> SeriesTally {
    var tally = SeriesTally()
    for (index, kind) in ends.enumerated() {
      tally.enter(report(kind == nil ? .written : .failed, uid: [UInt8(index)], kind))
    }
    return tally
  }

  typealias Case = (TagSeries.Ending, [JobFailure.Kind?], Int?, nfcprog.ExitStatus)

  static let endings: [Case] = [
    (.complete, [nil], 1, .success),
    (.complete, [.badInput, nil], 1, .success),
    (.idle, [nil, .tagTrouble], nil, .success),
    (.idle, [nil], 2, .noTag),
    (.idle, [], nil, .noTag),
    (.idle, [.refused, .badInput], nil, .badInput),
    (.interrupted(onTag: true), [nil], nil, .interrupted),
    (.interrupted(onTag: false), [nil], nil, .success),
    (.interrupted(onTag: false), [nil], 2, .interrupted),
    (.interrupted(onTag: false), [], nil, .interrupted),
    (.failed(JobFailure(cause(of: .readerUnavailable))), [nil], nil, .unavailable),
  ]

  @Test("ends with the status that its scripts count on", arguments: endings)
  func status(item: Case) {
    let (ending, ends, count, wanted) = item
    #expect(ExitStatus(failing: Cloning.code(ending, tally(ends), count: count)) == wanted)
  }

  @Test("only several tags at once: the tags were there, so the status is not that of no tag")
  func severalTags() {
    var tally = SeriesTally()
    tally.enterSeveralTags()
    #expect(Cloning.code(.idle, tally, count: nil) == .tagTrouble)
  }

  @Test("the sum names what became of the tags, by cause, and the speed")
  func sum() {
    var tally = tally([nil, nil, .badInput, .badInput, .tagTrouble, .refused])
    tally.enter(report(.unchanged, uid: [9]))
    tally.enter(report(.written, uid: [4]))
    tally.enterSeveralTags()
    #expect(
      CloneText.sum(tally, .seconds(60))
        == "3 tags written, 1 held the message already, 3 failed (2 too small, 1 refused), "
        + "1 time several at once. 240 tags an hour.")
    #expect(CloneText.sum(SeriesTally(), .zero) == "0 tags written.")
  }

  @Test("a reserved tag and one that is done are left alone, one that failed is not")
  func reasons() {
    var tally = SeriesTally(reserved: [UID([1])])
    tally.enter(report(.written, uid: [2]))
    tally.enter(report(.failed, uid: [3], .mismatch))
    #expect(tally.reason(against: UID([1])) == .reserved)
    #expect(tally.reason(against: UID([2])) == .done)
    #expect(tally.reason(against: UID([3])) == nil)
    #expect(tally.reason(against: UID([4])) == nil)
    #expect(tally.failed == [.mismatch: 1])
    tally.enter(report(.unchanged, uid: [3]))
    #expect(tally.failed.isEmpty && tally.good == 2)
  }

  /// A name, a message in hexadecimal, and a word of the reason against copying it; nil where there
  /// is none.
  static let sources: [(String, String, String?)] = [
    ("an https link", "D10108550461 2E62 2F 63 2F 31", nil),
    ("an http link, which is only doubtful", "D1010455 03612E62", nil),
    ("a link behind a private record", "9401 00 78 5101 0455 04612E62", nil),
    ("a telephone number", "D1010455 05313233", "Phone"),
    ("a custom scheme", "D1010555 00783A79 7A", "x"),
    ("a text", "D101055402656E6869", "no record of well-known type U"),
    ("an empty record", "D00000", "empty"),
    ("a link in chunks", "B101025504 61 5600022E62", "chunks"),
  ]

  @Test("copies what may wake an app and says why it does not copy the rest", arguments: sources)
  func refusal(name: String, hex: String, word: String?) throws {
    let digits = Array(hex.filter { $0 != " " })
    let bytes = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)!
    }
    let refusal = try CloneSource(bytes, named: name).refusal
    if let word {
      #expect(refusal?.contains(word) == true, "\(name): \(refusal ?? "copied")")
    } else {
      #expect(refusal == nil, "\(name)")
    }
  }
}
