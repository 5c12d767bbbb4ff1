import Testing

@testable import TagProgramming

@Suite("A write that spares messages")
struct SparedMessageTests {
  private static let tags =
    PreparedTag.classics + PreparedTag.type2 + PreparedTag.felica + PreparedTag.type4

  private static func job(sparing: Bool) -> Job {
    PreparedTag.write { ($0.sparesMessage, $0.overwrite) = (sparing, true) }
  }

  @Test(
    "leaves a tag alone that holds one or does not show that, and is any other write elsewhere",
    arguments: tags)
  func leavesAlone(_ tag: PreparedTag) throws {
    let (bench, other) = (try tag.bench(), try tag.bench())
    let before = bench.memory
    let content = other.run(.read) { $0.credentials = tag.credentials }.content
    let report = bench.run(Self.job(sparing: true)) { $0.credentials = tag.credentials }
    switch content {
    case .message, .unreadable:
      #expect(report.failure?.kind == .refused, "\(content.name)")
      #expect(report.failure?.holds == .unchanged && report.newMessage == .absent)
      #expect(bench.memory == before)
      if case .message = content { #expect(report.failure?.cause == .holdsMessage) }
    case .notLookedAt, .empty, .lost, .unformatted, .blank, .foreign:
      let plain = other.run(Self.job(sparing: false)) { $0.credentials = tag.credentials }
      #expect(report.failure == plain.failure && report.result == plain.result)
      #expect(bench.memory == other.memory)
    }
  }

  @Test("finishes what it has begun, whichever exchange is lost")
  func finishes() throws {
    let whole = try Bench("ntag213", content: .blank)
    let frames = whole.run(Self.job(sparing: true)).counts.frames
    for place in 0..<frames {
      for kind in [DirectLink.Fault.Kind.commandLost, .answerLost, .answerDamaged] {
        var bench = try Bench("ntag213", content: .blank)
        bench.hostFault = DirectLink.Fault(place: place, kind: kind)
        let report = bench.run(Self.job(sparing: true))
        #expect(report.failure?.cause != .holdsMessage, "\(kind) at \(place)")
        if report.failure == nil { #expect(bench.memory == whole.memory) }
      }
    }
  }
}
