import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("What is said of a card, and one answer")
struct LostAnswerTests {
  private static let looks: [(name: String, job: Job)] = [
    ("info", .info), ("read", .read), ("dump", .dump),
  ]

  @Test(
    "whatever exchange is lost, the same is said as in an undisturbed run",
    arguments: (PreparedTag.classics + strangers).filter {
      Exhaustive.includes($0.testDescription)
    })
  func said(_ item: PreparedTag) throws {
    let memory = try item.bench().memory
    for look in Self.looks {
      let undisturbed = try bench(item.product, memory, .none)
      let wanted = undisturbed.run(look.job) { $0.patience = .zero }
      let exchanges = undisturbed.chip.places.exchanges
      let step = Exhaustive.isAsked ? 1 : max(1, exchanges / 5)
      for (number, loss) in MemoryTrial.Loss.all.filter({ $0.count == 1 }).enumerated() {
        for place in stride(from: number % step, to: exchanges, by: step) {
          var faults = FaultPlan()
          faults.exchanges = [(.at(place), loss.fault())]
          let bench = try bench(item.product, memory, faults)
          let report = bench.run(look.job) { $0.patience = .zero }
          // Where the first look finds nothing, there is no tag.
          guard report.failure?.kind != .noTag else { continue }
          let isSame =
            report.description == wanted.description
            && report.failure?.message == wanted.failure?.message
          #expect(
            isSame,
            """
            \(look.name) of \(item.testDescription), \(loss) at \(place): \
            \(report.failure?.message ?? ""), \(differences(report, wanted))
            """)
        }
      }
    }
  }

  /// The parts of what is said that differ.
  private func differences(_ report: TagReport, _ wanted: TagReport) -> [String] {
    zip(
      Mirror(reflecting: report.description).children,
      Mirror(reflecting: wanted.description).children
    ).compactMap { label, other in
      let (found, wanted) = ("\(label.value)", "\(other.value)")
      let common = zip(found, wanted).prefix { $0 == $1 }.count
      let (here, there) = (found.dropFirst(common).prefix(60), wanted.dropFirst(common).prefix(60))
      return found == wanted ? nil : "\(label.label ?? ""): …\(here), not …\(there)"
    }
  }

  private func bench(_ product: String, _ memory: [UInt8], _ faults: FaultPlan) throws -> Bench {
    let bench = try Bench(product, faults: faults)
    bench.tag.eeprom.load(memory)
    return bench
  }

  /// Cards that other tools have left.
  private static let strangers = ["mini", "classic1k"].flatMap { product in
    let tag = PreparedTag.Maker(product: product)
    return [
      tag("every key B that of NFC", [FaultCase.short]) { setKeys(b: .nfc, &$0) },
      tag("every key B a sample", [FaultCase.short]) { setKeys(b: .sampleB, &$0) },
      tag("every key A secret", []) { setKeys(a: FaultCase.ownKeyB, &$0) },
      tag("every key A secret, formatted", [FaultCase.short]) {
        setKeys(a: FaultCase.ownKeyB, &$0)
      },
      tag("every key A zeros", []) { setKeys(a: .zeros, &$0) },
    ]
  }

  private static func setKeys(a keyA: Key? = nil, b keyB: Key? = nil, _ memory: inout [UInt8]) {
    for trailer in stride(from: 48, to: memory.count, by: 64) {
      if let keyA { memory.replaceSubrange(trailer..<trailer + 6, with: keyA.bytes) }
      if let keyB { memory.replaceSubrange(trailer + 10..<trailer + 16, with: keyB.bytes) }
    }
  }
}
