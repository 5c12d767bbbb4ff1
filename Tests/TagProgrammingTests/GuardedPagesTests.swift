import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Every simulated chip with a password, wherever that begins to be needed.
@Suite("Pages behind a password, on every chip that has one")
struct GuardedPagesTests {
  private static func message(of chip: GuardedType2, _ count: Int) -> Job {
    FaultCase.write(FaultCase.media(chip.isSmall ? count / 2 : count))
  }

  /// A message that differs from `message` in its last byte, and so in one page.
  private static func lastByte(of chip: GuardedType2, _ count: Int) throws -> Job {
    let count = chip.isSmall ? count / 2 : count
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }.dropLast() + [0xA5]
    return FaultCase.write(Message(try Record(.media, type: Array("a/b".utf8), payload: payload)))
  }

  /// Where AUTH0 lies: before, within and behind a message, and at the end of the user memory.
  private static func places(_ chip: GuardedType2) -> [Int] {
    let all = Array(3...20) + [chip.lastUserPage - 1, chip.lastUserPage, chip.lastUserPage + 1]
    return Exhaustive.isAsked ? all : all.filter { $0 % 3 == 2 || $0 > 16 }
  }

  @Test(
    "a dry run ends as the run, and a refused run has changed nothing", arguments: GuardedType2.all)
  func dryRun(_ chip: GuardedType2) throws {
    let jobs: [(String, Job)] = [
      ("another", Self.message(of: chip, 39)), ("one page", try Self.lastByte(of: chip, 40)),
      ("shorter", Self.message(of: chip, 12)),
      ("pages", .writePages(PageWrite(start: 6, bytes: Array(1...24), force: false))),
    ]
    for place in Self.places(chip) {
      for reading in [false, true] {
        for (name, job) in jobs {
          let what = "\(chip), AUTH0 \(place), \(reading ? "reading, too" : "writing"), \(name)"
          func bench() throws -> Bench {
            try chip.bench(Self.message(of: chip, 40), from: place, reading: reading)
          }
          var dry = try bench()
          let (dryLog, log) = (WriteLog(), WriteLog())
          dry.log = dryLog
          let planned = dry.run(job) { $0.dryRun = true }
          #expect(dryLog.writes.isEmpty, "\(what)")
          var bench = try bench()
          bench.log = log
          let before = bench.memory
          let run = bench.run(job)
          #expect(
            run.failure?.kind == planned.failure?.kind,
            "\(what): \(run.failure?.message ?? "done"), \(planned.failure?.message ?? "planned")")
          if let failure = run.failure {
            // Pages from 16 on that a chip without GET_VERSION hides look like the end of an
            // Ultralight, which the message is too long for.
            let kinds: [JobFailure.Kind] = place == 16 ? [.refused, .badInput] : [.refused]
            #expect(
              kinds.contains(failure.kind) && bench.memory == before, "\(what): \(failure)")
          } else {
            #expect(planned.program?.writes == log.writes, "\(what)")
          }
        }
      }
    }
  }

  @Test(
    "a chip that hides its first pages is not said to have no password, nor to have nothing locked",
    arguments: GuardedType2.all)
  func hiddenHead(_ chip: GuardedType2) throws {
    for place in 0...5 {
      let bench = try chip.bench(
        Self.message(of: chip, 40), from: place, reading: true)
      let before = bench.memory
      let report = bench.run(.info)
      func detail(_ label: String) -> String? { report.details.first { $0.label == label }?.text }
      #expect(detail("password")?.hasPrefix("none") != true, "\(chip), AUTH0 \(place)")
      if place <= 2 { #expect(detail("locked pages") != "none", "\(chip), AUTH0 \(place)") }
      #expect(report.failure == nil || report.failure?.kind == .refused, "\(chip), AUTH0 \(place)")
      for job in [Self.message(of: chip, 12), .lock(force: true)] {
        let refused = bench.run(job)
        #expect(refused.failure?.kind == .refused, "\(chip), AUTH0 \(place)")
        #expect(refused.failure?.holds == .unchanged && bench.memory == before)
      }
    }
  }

  @Test("where a chip keeps its lock bits is not known of those that no table has")
  func unknownLocks() throws {
    for product in TagCatalog.names {
      guard let map = Product.named(product)?.type2, map.dynamicLocks == nil, map.user.last! > 15
      else { continue }
      let report = try Bench(product).run(.info)
      let text = report.details.first { $0.label == "locked pages" }?.text ?? ""
      #expect(text.contains("not known"), "\(product): \(text)")
    }
  }

  @Test("no byte is shown that was not read", arguments: GuardedType2.all)
  func shown(_ chip: GuardedType2) throws {
    for place in Self.places(chip) {
      let bench = try chip.bench(Self.message(of: chip, 40), from: place, reading: true)
      for job in [Job.info, .dump] {
        let report = bench.run(job)
        let rows =
          job == .info
          ? report.memory.map(\.bytes)
          : report.dump?.image.rows.map { row in row.contains(nil) ? nil : row.compactMap(\.self) }
            ?? []
        for (page, row) in rows.enumerated() {
          guard let row, page < 256, page * 4 + 4 <= bench.memory.count else { continue }
          let stored = Array(bench.memory[page * 4..<page * 4 + 4])
          // What a chip hides always, or shows besides, stands behind its user memory.
          let isKnown = row == stored || page > chip.lastUserPage && page < place
          #expect(isKnown, "\(chip), AUTH0 \(place), \(job): page \(page)")
        }
      }
    }
  }
}
