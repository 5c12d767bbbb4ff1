import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// From when on AUTH0 counts is not in the data sheets, and reports contradict each other: at once,
/// from the next selection, or from the next power-up.
@Suite("Whenever a password begins to protect a tag")
struct ProtectionStartTests {
  private static let password = Protection(password: [1, 2, 3, 4])
  private static let products = [
    "ntag210", "ntag212", "ntag213", "ntag215", "ntag216", "ntag213f", "ultralight-ev1-11",
    "ultralight-ev1-21",
  ]

  /// What is done one after another, with the password at hand from the second job on.
  private static let scripts: [(name: String, jobs: [Job])] = [
    ("message", [FaultCase.short, FaultCase.other]),
    ("lock", [FaultCase.short, .lock(force: false)]),
    ("protect", [FaultCase.short, .protect(password), FaultCase.other, .unprotect]),
    (
      "message and password",
      [PreparedTag.write { $0.protection = password }, FaultCase.other, .lock(force: false)]
    ),
    (
      "another password",
      [.protect(password), .protect(Protection(password: [5, 6, 7, 8]))]
    ),
    ("reading, too", [.protect(Protection(password: [1, 2, 3, 4], readToo: true)), .read, .info]),
  ]

  @Test(
    "every job ends as on a tag of which it begins at once", arguments: products, scripts.indices)
  func jobs(_ product: String, _ script: Int) throws {
    let (name, jobs) = Self.scripts[script]
    let usual = try Bench(product)
    var wanted: [TagReport] = []
    for (index, job) in jobs.enumerated() {
      wanted.append(usual.run(job) { if index > 0 { $0.credentials.password = [1, 2, 3, 4] } })
    }
    for start in ["now", "selection", "power"] {
      let bench = try Bench(deviating: "\(product),auth0=\(start)")
      bench.tag.eeprom.load(try Bench(product).memory)
      for (index, job) in jobs.enumerated() {
        let report = bench.run(job) { if index > 0 { $0.credentials.password = [1, 2, 3, 4] } }
        let what = "\(name) on \(product), \(start), job \(index)"
        #expect(report.failure == wanted[index].failure, "\(what)")
        #expect(report.result == wanted[index].result, "\(what)")
      }
      #expect(bench.memory == usual.memory, "\(name) on \(product), \(start)")
    }
  }
}
