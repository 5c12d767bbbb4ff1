import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Whether a tag holds its message after a job of several parts failed")
struct NewMessageTests {
  /// Mini tags that have to be formatted, at least in part, before or around the message.
  private static let tags = [
    "as delivered", "a directory alone", "the last sector as delivered", "a TLV beyond the area",
    "sectors without a directory", "a wrong checksum",
  ]

  @Test(
    "a tag that is said not to hold it does not, wherever it was lifted", arguments: tags,
    [FaultCase.short, FaultCase.other])
  func truthful(_ state: String, _ job: Job) throws {
    let tag = try #require(
      PreparedTag.classics.first { $0.testDescription == "mini, \(state)" })
    guard case .write(let message, _) = job else { return }
    let wanted = TagImage.Content.message(message.serialize())
    let undisturbed = try tag.bench()
    let before = undisturbed.memory
    #expect(undisturbed.run(job).newMessage == .present)
    var failed = 0
    for place in 0..<undisturbed.chip.places.exchanges {
      for isAfter in [false, true] {
        var faults = FaultPlan()
        faults.exchanges = [(.at(place), .removed(afterObeying: isAfter))]
        let bench = try Bench("mini", faults: faults)
        bench.tag.eeprom.load(before)
        let report = bench.run(job) { $0.patience = .zero }
        guard report.failure != nil else { continue }
        failed += 1
        #expect(report.newMessage != .present, "\(state), place \(place)")
        let isNew = bench.memory != before
        if report.newMessage == .absent, isNew || TagImage.content(ofClassic: before) != wanted {
          let held = TagImage.content(ofClassic: bench.memory)
          #expect(held != wanted, "\(state), place \(place)")
        }
      }
    }
    #expect(failed > 0)
  }
}
