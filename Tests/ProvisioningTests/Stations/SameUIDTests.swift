import PN532Simulator
import TagMemory
import Testing

@testable import Provisioning

/// Cheap copies share UIDs.
@Suite("Tags with the same UID on a line")
struct SameUIDTests {
  @Test("a job whose tag was swapped for one with its UID while it was locked goes to no third tag")
  func swapped() throws {
    for place in stride(from: 6, to: 40, by: 1) {
      let bench = try LineBench(codes: 2, locks: true)
      let (tag, twin) = (try LineBench.tag(0), try LineBench.tag(0))
      let others = [try LineBench.tag(1), try LineBench.tag(2)]
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .swapped(for: twin))]
      _ = try bench.run([TestReader("1", [tag], faults: faults)])
      for other in others { _ = try bench.run([TestReader("1", [other])]) }
      let held = LineBench.link(on: tag)
      for other in others where held != nil {
        #expect(LineBench.link(on: other) != held, "swapped at exchange \(place)")
      }
    }
  }
}
