import Foundation
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Tags and boards that answer random bytes")
struct HostileTagTests {
  /// How many scripts; `NFCPROG_EXHAUSTIVE` takes fifty times as many.
  private static let count = Exhaustive.isAsked ? 100_000 : 2_000

  @Test(
    "no job crashes, hangs, writes outside its plan or reports what it did not find",
    .enabled(if: Exhaustive.isFirst))
  func scripts() {
    var random = SplitMix64(state: 0x5AFE)
    for number in 0..<Self.count {
      let size = 3 + Int(random.next() % 1200)
      let script = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next() >> 24) }
      let run = HostileRun(script)
      #expect(run.complaints.isEmpty, "script \(number): \(run.complaints)")
    }
  }
  @Test("nor with a script that the fuzzer begins with, or that once broke it")
  func kept() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fuzz")
    var count = 0
    for place in ["Seeds/tag", "Found/tag"] {
      let place = folder.appending(path: place).path
      for file in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] {
        let script = Array(try Data(contentsOf: URL(filePath: "\(place)/\(file)")))
        let run = HostileRun(script)
        #expect(run.complaints.isEmpty, "\(file): \(run.complaints)")
        count += 1
      }
    }
    #expect(count > 20)
  }
}
