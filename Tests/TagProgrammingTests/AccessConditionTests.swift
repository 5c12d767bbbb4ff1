import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// One sector with each of the 64 access conditions, on a blank Mini, on one with a message and on
/// one with an empty message, under each of the jobs; a usual run takes each job once with each of
/// the 64, on one of the states in its turn.
@Suite("Access conditions of MIFARE Classic sectors")
struct AccessConditionTests {
  struct State: CustomTestStringConvertible, Sendable {
    enum Content: CaseIterable { case blank, message, emptyMessage }

    let content: Content
    let sector: Int
    let keyB: Key

    var isFormatted: Bool { content != .blank }
    var testDescription: String { "\(content), sector \(sector), key B \(keyB)" }

    static let all = Content.allCases.flatMap { content in
      [0, 1, 4].flatMap { sector in
        [Key.factory, FaultCase.ownKeyB].map {
          State(content: content, sector: sector, keyB: $0)
        }
      }
    }

    func bench(_ data: DataCondition, _ trailer: TrailerCondition) throws -> Bench {
      try bench(AccessConditions(data: data, trailer: trailer))
    }

    func bench(_ conditions: AccessConditions) throws -> Bench {
      let bench = try Bench("mini")
      switch content {
      case .blank: break
      case .message: _ = bench.run(FaultCase.short)
      case .emptyMessage: _ = bench.run(PreparedTag.format())
      }
      FaultCase.set(conditions, of: sector, bench)
      var memory = bench.memory
      memory.replaceSubrange(sector * 64 + 58..<sector * 64 + 64, with: keyB.bytes)
      bench.tag.eeprom.load(memory)
      return bench
    }
  }

  private static let message = PreparedTag.url
  private static let jobs: [(name: String, job: Job)] = [
    ("write", FaultCase.write(message)), ("write long", FaultCase.write(FaultCase.media(150))),
    ("write, overwrite", PreparedTag.write { $0.overwrite = true }),
    ("write long, overwrite", PreparedTag.write(FaultCase.media(150)) { $0.overwrite = true }),
    ("write on the fewest", FaultCase.fewest(message)),
    ("write and lock", PreparedTag.write { $0.lock = true }), ("lock", .lock(force: false)),
    ("format", PreparedTag.format()),
    ("format, overwrite", PreparedTag.format { $0.overwrite = true }),
    ("reset", .resetClassic), ("erase", .eraseClassic), ("raw blocks", FaultCase.rawBlocks),
    ("raw trailer", FaultCase.rawTrailer),
  ]

  @Test(
    "are refused before the first write, or obeyed; what is written is read with key A alone",
    arguments: State.all.filter { Exhaustive.includes($0.testDescription) })
  func conditions(_ state: State) throws {
    let first = State.all.firstIndex { $0.testDescription == state.testDescription } ?? 0
    for (row, data) in DataCondition.allCases.enumerated() {
      for (column, trailer) in TrailerCondition.allCases.enumerated() {
        for (index, (name, job)) in Self.jobs.enumerated()
        where Exhaustive.isAsked
          || (row * 8 + column * 5 + index * 7) % State.all.count == first
        {
          for keys in [[], [FaultCase.ownKeyB]] where keys.isEmpty || state.keyB != .factory {
            let what = "\(state.testDescription), \(data) \(trailer), \(name), keys \(keys)"
            // Key A may change both keys there, and the access bits stay: what key B was is lost
            // with the write that replaces it, and the card is not called unchanged.
            let isLost = trailer == .keysWithA && !state.isFormatted && state.keyB != .factory
            try check(
              job, state.bench(data, trailer), keys, what,
              butFor: isLost ? state.sector * 64 + 58..<state.sector * 64 + 64 : nil)
          }
        }
      }
    }
  }

  @Test("and so they are where each block has a condition of its own")
  func mixed() throws {
    var random = SplitMix64(state: 64)
    for _ in 0..<(Exhaustive.isAsked ? 20_000 : 600) {
      let state = State.all[Int(random.next() % UInt64(State.all.count))]
      func condition() -> DataCondition {
        DataCondition.allCases[Int(random.next() % UInt64(DataCondition.allCases.count))]
      }
      let trailers = TrailerCondition.allCases
      let conditions = AccessConditions(
        condition(), condition(), condition(),
        trailer: trailers[Int(random.next() % UInt64(trailers.count))])
      let (name, job) = Self.jobs[Int(random.next() % UInt64(Self.jobs.count))]
      let isGiven = random.next() % 2 == 0 && state.keyB != .factory
      let isLost =
        conditions.trailer == .keysWithA && !state.isFormatted && state.keyB != .factory
      try check(
        job, state.bench(conditions), isGiven ? [FaultCase.ownKeyB] : [],
        "\(state.testDescription), \(conditions), \(name), key \(isGiven ? "" : "not ")given",
        butFor: isLost ? state.sector * 64 + 58..<state.sector * 64 + 64 : nil)
    }
  }

  private func check(
    _ job: Job, _ bench: Bench, _ keys: [Key], _ what: String, butFor lost: Range<Int>?
  ) throws {
    let before = bench.memory
    let dry = bench.run(job) {
      $0.credentials.keys = keys
      $0.dryRun = true
    }
    #expect(bench.memory == before, "a dry run writes: \(what)")
    let report = bench.run(job) { $0.credentials.keys = keys }
    #expect(
      report.failure?.kind == dry.failure?.kind,
      "\(what): dry \(dry.failure?.message ?? "done"); run \(report.failure?.message ?? "done")")
    if let failure = report.failure {
      var memory = bench.memory
      if let lost, memory != before {
        #expect(failure.holds != .unchanged, "said to be unchanged: \(what)")
        memory.replaceSubrange(lost, with: before[lost])
      }
      let isSame = memory == before
      #expect(isSame, "damaged, then refused: \(what): \(failure.message)")
      return
    }
    guard case .write(let message, _) = job else { return }
    #expect(
      PhoneWithKeyA.content(of: bench.memory) == .message(message.serialize()),
      "written, and no telephone reads it: \(what)")
  }
}
