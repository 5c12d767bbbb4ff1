import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Settings that a chip gets together with its password")
struct ChipSettingsTests {
  private static let password: [UInt8] = [0xA5, 0x5A, 0xC3, 0x3C]

  private static func protect(_ change: (inout ChipSettings) -> Void, readToo: Bool = false) -> Job
  {
    var protection = Protection(password: password, readToo: readToo)
    change(&protection.settings)
    return .protect(protection)
  }

  /// What stands in CFG0 and CFG1 by the data sheets: AUTH0 in byte 3, then PROT (80), CFGLCK (40),
  /// NFC_CNT_EN (10) and AUTHLIM (07) in byte 4.
  @Test(
    "is in the bytes of its data sheet, and the dry run wrote the same steps",
    arguments: [
      ("ntag213", 41), ("ntag215", 131), ("ntag216", 227), ("ntag212", 37),
      ("ultralight-ev1-11", 16),
    ])
  func bytes(product: String, page: Int) throws {
    for limit in [nil, 0, 1, 7] {
      for counts in product.hasSuffix("3") || product.hasSuffix("5") ? [nil, true, false] : [nil] {
        for freezes in [false, true] {
          let job = Self.protect {
            $0.firstPage = 7
            ($0.attemptLimit, $0.countsReads, $0.freezes) = (limit, counts, freezes)
          }
          let bench = try Bench(product)
          #expect(bench.run(FaultCase.short).failure == nil)
          let plan = bench.run(job) { $0.dryRun = true }
          let report = bench.run(job) { $0.credentials.password = Self.password }
          let what = "\(product), \(limit ?? -1), \(counts as Any), \(freezes)"
          #expect(report.failure == nil && report.verified, "\(what): \(report.failure as Any)")
          #expect(plan.program?.steps == report.program?.steps, "\(what)")
          let access = UInt8(limit ?? 0) | (counts == true ? 0x10 : 0) | (freezes ? 0x40 : 0)
          #expect(
            bench.memory[page * 4 + 3] == 7 && bench.memory[page * 4 + 4] == access, "\(what)")
          // CFGLCK is the last write of all, after everything was read back.
          let writes = report.program?.steps.filter(\.isWrite) ?? []
          #expect((writes.last?.isIrreversible ?? false) == freezes, "\(what)")
          #expect(writes.dropLast().allSatisfy { !$0.isIrreversible }, "\(what)")
          let again = bench.run(job) { $0.credentials.password = Self.password }
          #expect(again.result == .unchanged, "\(what): \(again.failure as Any)")
          #expect(
            again.findings.contains { $0.text.contains("the tag permanently") }
              == ((limit ?? 0) > 0),
            "\(what)")
          #expect(again.findings.contains { $0.text.contains("frozen") } == freezes, "\(what)")
        }
      }
    }
  }

  @Test("no page is closed to readers unless reading needs the password, which is said")
  func closed() throws {
    for (first, readToo, isClosed) in [(4, true, true), (4, false, false), (30, true, false)] {
      let bench = try Bench("ntag213")
      #expect(bench.run(FaultCase.short).failure == nil)
      let report = bench.run(
        Self.protect({ $0.firstPage = Page(UInt8(first)) }, readToo: readToo))
      #expect(report.failure == nil)
      #expect(report.findings.contains { $0.code == "read-closed" } == isClosed)
      #expect((report.status == .notSupported) == isClosed)
      let seen = bench.run(.info)
      // Where the password hides the configuration, nobody sees what may be written.
      #expect(readToo && !isClosed || seen.status == report.status)
    }
  }

  @Test(
    "a tag whose message the password leaves open is not called protected, and its pages are named")
  func open() throws {
    for product in ["ntag213", "ntag210", "ultralight-ev1-21"] {
      for first in 2...12 {
        let bench = try Bench(product)
        #expect(bench.run(FaultCase.short).failure == nil)
        let report = bench.run(Self.protect { $0.firstPage = Page(UInt8(first)) })
        #expect(report.failure == nil)
        for report in [report, bench.run(.info)] {
          let open = report.findings.filter { $0.code == "write-open" }
          #expect(open.count == (first > 4 ? 1 : 0), "\(product), \(first): \(report.findings)")
          guard first > 5 else { continue }
          #expect(open.first?.text.contains("pages 4 to \(first - 1)") == true)
        }
        #expect(report.isPasswordProtected == (first <= 4))
        #expect(bench.run(.info).isPasswordProtected == (first <= 4))
      }
    }
  }

  @Test("nothing is for good where no page proves that the password is asked for")
  func nothingProves() throws {
    for (limit, freezes) in [(1, false), (nil, true), (0, false)] as [(Int?, Bool)] {
      let bench = try Bench("ntag213")
      #expect(bench.run(PreparedTag.write { $0.lock = true }).failure == nil)
      let before = bench.memory
      let report = bench.run(Self.protect { ($0.attemptLimit, $0.freezes) = (limit, freezes) })
      if limit == 0 {
        #expect(report.failure == nil)
      } else {
        #expect(report.failure?.cause == .type2(.nothingProves(from: 2)) && bench.memory == before)
      }
    }
  }

  @Test("what a chip does not have is refused by name, and nothing is written")
  func refused() throws {
    let settings: [(ChipSettings.Setting, (inout ChipSettings) -> Void)] = [
      (.firstPage, { $0.firstPage = 6 }), (.attemptLimit, { $0.attemptLimit = 3 }),
      (.readCounter, { $0.countsReads = true }), (.freeze, { $0.freezes = true }),
    ]
    for (setting, change) in settings {
      for product in ["ultralight-c", "ultralight-aes"]
        + (setting == .readCounter ? ["ntag212", "ultralight-ev1-21"] : [])
      {
        let bench = try Bench(product)
        let before = bench.memory
        var protection = Protection(
          secret: product.hasPrefix("ultralight-c") || product.hasPrefix("ultralight-aes")
            ? Array(1...16) : Self.password)
        change(&protection.settings)
        let report = bench.run(.protect(protection))
        guard case .type2(.noSetting(setting, _)) = report.failure?.cause else {
          Issue.record("\(product), \(setting): \(report.failure as Any)")
          continue
        }
        #expect(bench.memory == before)
      }
    }
    for page: Page in [0, 1, 40, 41, 200] {
      let report = try Bench("ntag213").run(Self.protect { $0.firstPage = page })
      guard case .type2(.firstPageOutside(page, _, _)) = report.failure?.cause else {
        Issue.record("\(page)")
        continue
      }
    }
  }
}
