import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A tag as it may come to the bench.
struct PreparedTag: CustomTestStringConvertible, Sendable {
  let name: String
  let product: String
  var content = TagCatalog.Content.factory
  /// Jobs that it has been through, then what befell its memory.
  var jobs: [Job] = []
  var credentials = Credentials()
  /// The step, from 1, before which the last of the jobs was ended.
  var end = Int.max
  var damage: @Sendable (inout [UInt8]) -> Void = { _ in }

  /// Makes tags of one product: `tag("a message", [job])`.
  struct Maker {
    let product: String

    func callAsFunction(
      _ name: String, _ jobs: [Job], end: Int = .max,
      _ damage: @escaping @Sendable (inout [UInt8]) -> Void = { _ in }
    ) -> PreparedTag {
      PreparedTag(name: name, product: product, jobs: jobs, end: end, damage: damage)
    }
  }

  var testDescription: String { "\(product), \(name)" }

  /// All `jobs` for the smallest chips, and in the exhaustive run; else every fourth, others for
  /// each tag.
  func some<Job>(of jobs: [Job]) -> [Job] {
    let isSmall = ["mini", "ultralight", "ntag213", "felica-lite-s", "type4"].contains(product)
    guard !isSmall, !name.contains("under a key"), !Exhaustive.isAsked else { return jobs }
    let shift = testDescription.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 4
    return jobs.enumerated().filter { $0.offset % 4 == shift }.map(\.element)
  }

  func bench() throws -> Bench {
    let bench = try Bench(product, content: content)
    for (index, job) in jobs.enumerated() {
      let end = index == jobs.indices.last ? end : .max
      _ = bench.run(job, until: end) { $0.credentials = credentials }
    }
    var memory = bench.memory
    damage(&memory)
    bench.tag.eeprom.load(memory)
    return bench
  }
}
