import Foundation
import LibNFCReaders
import NDEF
import Readers
import Synchronization
import TagProgramming
import Testing

@testable import Bench
@testable import BringUp
@testable import PN532Simulator

/// A bring-up on a simulated board, through the real libnfc.
enum SimulatedBringUp {
  /// Everything that a bring-up asks for.
  static let bench =
    "ntag215,then=classic1k,then=type4,then=felica-lite-s,then=typeb,then=topaz96,then=\(pairs),then=classic1k,sak=28"
  /// Two tags at once, of one kind and of two.
  static let pairs = "ntag213+ntag216,then=ntag213+classic1k"

  /// Asks `points` (all: none named) of the board and tags that `text` says.
  static func run(
    _ text: String, points names: [String] = [], rounds: Int = 3
  ) throws -> [BoardQuestions.Result] {
    let board = try SimulatedReader(
      SimulatedTagSpec.turns(parsing: text), isHandled: true,
      onFailure: { Issue.record("\($0)") })
    let hands = SimulatedHands(board)
    let bench = try BringUpBench(
      ConnectionString(board.port), hands: hands, rounds: rounds, shouldStop: { false })
    let results = try BoardQuestions.run(
      BoardQuestions.points(named: names), isNamed: !names.isEmpty, on: bench, hands: hands,
      show: { _ in })
    bench.close()
    try board.end()
    return results
  }

  static func names(_ results: [BoardQuestions.Result], _ verdict: Judgement.Verdict) -> [String] {
    results.filter { $0.judgement.verdict == verdict }.map(\.name)
  }
}

@Suite("Bring-up on a simulated board")
struct BringUpTests {
  @Test("every point passes on a genuine board, but for those that need a person")
  func genuine() throws {
    let results = try SimulatedBringUp.run(SimulatedBringUp.bench)
    #expect(results.map(\.name) == BoardQuestions.points.map(\.name))
    for result in results where ![.passed, .skipped].contains(result.judgement.verdict) {
      Issue.record("\(BringUpReport.lines(result)) \(result.replies.map(\.line))")
    }
    #expect(
      SimulatedBringUp.names(results, .skipped) == ["phone-beside", "phones", "unreachable-speed"])
    #expect(BoardQuestions.limits(results).isEmpty)
    for result in results where result.judgement.verdict == .passed {
      #expect(!result.judgement.seen.isEmpty, "\(result.name)")
    }
  }

  @Test("a board that was told a speed out of reach is found again once its power was cut")
  func unreachable() throws {
    let results = try SimulatedBringUp.run(
      "ntag213", points: ["unreachable-speed", "speeds", "self-test"])
    #expect(results.map(\.name) == ["self-test", "speeds", "unreachable-speed"])
    #expect(SimulatedBringUp.names(results, .passed).count == 3, "\(results.map(\.judgement))")
  }

  @Test(
    "a board is left at the highest speed that its line carries, and at none where it carries none")
  func strayed() throws {
    for (limit, seen) in [
      (921_600, "found at 921600 baud"), (230_400, "found at 230400 baud"),
      (115_200, "the line carries no higher speed: see speeds"),
    ] {
      let results = try SimulatedBringUp.run(
        "ntag213,baudmax=\(limit)", points: ["speeds", "stray-speed"])
      #expect(results.last?.judgement.seen == seen, "\(results.map(\.judgement))")
    }
  }

  /// A deviation of board or tag, and the points that it makes fail.
  static let deviations: [(String, tag: String, Set<String>, BoardLimits)] = [
    ("chip=clone", "ntag213", ["in-select", "fast-read"], BoardLimits(fastReadPages: 4)),
    ("auth14=yes", "classic1k", ["wrong-key", "absent-tag"], BoardLimits()),
    ("polls=wupa", "ntag213", ["look-skips-halted"], BoardLimits()),
    ("answers=64", "ntag213", ["long-answers"], BoardLimits(fastReadPages: 12)),
    ("answers=16", "ntag213", ["long-answers"], BoardLimits(fastReadPages: 4)),
    ("baudmax=230400", "ntag213", ["speeds"], BoardLimits(speed: .baud230400)),
    ("baudmax=115200", "ntag213", ["speeds"], BoardLimits(speed: .baud115200)),
    ("longframes=damaged", "ntag213", ["speeds"], BoardLimits(speed: .baud230400)),
    ("ack=30", "ntag213", ["acknowledge"], BoardLimits()),
    ("firstbyte=500", "ntag213", ["first-byte"], BoardLimits()),
    ("halts=no", "ntag213", ["tag-halts"], BoardLimits()),
    ("halts=no", "classic1k", ["classic-halts"], BoardLimits()),
    ("fastread=no", "ntag213", ["fast-read"], BoardLimits(fastReadPages: 4)),
    ("com=slow", "ntag213", ["write-time"], BoardLimits(hasSlowTags: true)),
    ("com=slow", "classic1k", ["classic-write-time"], BoardLimits(hasSlowTags: true)),
    ("sak=18", "classic1k", ["sak"], BoardLimits()),
    ("sak=08", "classic4k", ["sak", "beyond-end"], BoardLimits()),
    ("sak=53", "classic1k", ["sak"], BoardLimits()),
    ("sak=28", "classic1k", ["sak"], BoardLimits()),
    ("uid=random", "ntag213", ["lasting-uid"], BoardLimits()),
    ("rows=20", "ntag213", ["memory-size"], BoardLimits()),
    ("stuck=65:0:1", "ntag213", ["cells"], BoardLimits()),
    ("torn=scrambled", "classic1k", ["lifted-trailers"], BoardLimits()),
    ("ram=bad", "ntag213", ["self-test"], BoardLimits()),
    ("wakes=no", "ntag213", ["wakes-for-data"], BoardLimits()),
    ("leaves=awake", "ntag213", ["sleeps-after-look"], BoardLimits()),
    ("seeks=idle", "ntag213", ["look-by-uid"], BoardLimits()),
    ("pairs=none", SimulatedBringUp.pairs, ["two-tags", "mixed-tags"], BoardLimits()),
    ("pairs=alike", SimulatedBringUp.pairs, ["mixed-tags"], BoardLimits()),
    ("naks=hidden", "ntag213", ["refusals"], BoardLimits()),
    ("naks=hidden", "classic1k", ["beyond-end"], BoardLimits()),
    ("commands=64", "type4", ["long-apdu"], BoardLimits()),
    ("parts=yes", "type4", ["apdu-chaining"], BoardLimits()),
    ("straywake=no", "ntag213", ["stray-speed"], BoardLimits(speed: .baud115200)),
    ("page0=open", "ntag213", ["refused-writes"], BoardLimits()),
    ("password=any", "ntag213", ["refused-writes"], BoardLimits()),
    ("edge=nak", "ntag213", ["protected-read"], BoardLimits()),
    ("auth0=selection", "ntag213", ["protection-start"], BoardLimits()),
    ("auth0=power", "ntag213", ["protection-start"], BoardLimits()),
    ("rats=silent", "type4", ["type4-field-reset"], BoardLimits()),
    ("typeb=listed", "typeb", ["type-b-select"], BoardLimits()),
    ("typeb=lost", "typeb", ["type-b-field-reset"], BoardLimits()),
    ("mifare=no,sak=28", "classic1k,then=classic1k", ["smart-card"], BoardLimits()),
  ]

  @Test("with each deviation the right point fails, and no other", arguments: deviations.indices)
  func deviation(_ index: Int) throws {
    let (option, tag, points, limits) = Self.deviations[index]
    let results = try SimulatedBringUp.run("\(tag),\(option)")
    #expect(
      Set(SimulatedBringUp.names(results, .failed)) == points,
      "\(option) on \(tag): \(results.map { "\($0.name) \($0.judgement.verdict) \($0.judgement.seen)" })"
    )
    #expect(BoardQuestions.limits(results) == limits, "\(option)")
    for result in results where result.judgement.verdict == .failed {
      #expect(result.judgement.remedy?.hasSuffix(".") == true, "\(result.name)")
    }
  }

  /// A deviation that any question can meet: asked of one point alone.
  static let others = [
    ("ntag213,misses=2", "field-reset"), ("classic1k,misses=2", "classic-field-reset"),
    ("type4,misses=2", "type4-field-reset"), ("felica-lite-s,misses=2", "felica-field-reset"),
    ("typeb,misses=2", "type-b-field-reset"), ("topaz96,misses=2", "topaz-field-reset"),
    ("ntag213,otherbaud=home", "unreachable-speed"),
  ]

  /// A deviation that no point asks for. Both mirrors show only on a tag that counts its readings,
  /// and a reading that was counted cannot be taken back.
  static let unasked = ["mirrors", "reader"]

  @Test("a tag that misses looks, and a board that a wrong speed brings home, are noticed")
  func otherDeviations() throws {
    for (text, point) in Self.others {
      let results = try SimulatedBringUp.run(text, points: [point], rounds: 10)
      #expect(SimulatedBringUp.names(results, .failed) == [point], "\(results)")
    }
  }

  @Test(
    "a tag that misses looks fails its own point alone, changes no setting and stays as it was",
    arguments: ["ntag215,misses=2", "ntag213,misses=3", "ntag213,misses=5", "classic1k,misses=2"])
  func lostOften(_ text: String) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bring-\(UUID()).tag").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ReaderSession(opening: ReaderChoice(named: "sim:\(text),file=\(path)")).close()
    let before = try Self.memory(path)
    let names = BoardQuestions.points.map(\.name).filter { $0 != "lifted-trailers" }
    let results = try SimulatedBringUp.run(
      "\(text),file=\(path)", points: names.filter { $0 != "unreachable-speed" }, rounds: 20)
    let failed = SimulatedBringUp.names(results, .failed)
    #expect(failed.allSatisfy { $0.hasSuffix("field-reset") || $0 == "look-by-uid" }, "\(failed)")
    #expect(BoardQuestions.limits(results).isEmpty)
    #expect(try Self.memory(path) == before)
  }

  @Test("every deviation that a simulated board can have is tried")
  func allDeviations() {
    let options =
      Self.deviations.map(\.0) + Self.others.flatMap { $0.0.split(separator: ",") }.map(String.init)
    let tried = options.flatMap { $0.split(separator: ",") }.filter { $0.contains("=") }
      .map { String($0.prefix { $0 != "=" }) }
    #expect(Set(tried).isDisjoint(with: Self.unasked))
    #expect(Set(tried + Self.unasked) == Set(DeviationOption.all.map(\.key) + ["uid"]))
  }

  @Test("every point fails with a deviation, but for those that a person answers")
  func allPoints() {
    let failing = Self.deviations.reduce(into: Set(Self.others.map(\.1))) { $0.formUnion($1.2) }
    // No simulated board refuses to be a tag: a scripted one does so, in emulating_faults.py.
    let others: Set = ["phone-beside", "phones", "target-mode"]
    #expect(failing.union(others) == Set(BoardQuestions.points.map(\.name)))
  }

  @Test(
    "each place in the code that a point names exists", arguments: BoardQuestions.points.indices)
  func place(_ index: Int) throws {
    let place = BoardQuestions.points[index].place
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    // The module lies in its layer's folder.
    let layers = try FileManager.default.contentsOfDirectory(
      at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
    let files = layers.map { $0.appending(path: "\(place.module)/\(place.file)") }
    let file = try #require(files.first { FileManager.default.fileExists(atPath: $0.path) })
    let source = try String(contentsOf: file, encoding: .utf8)
    for word in place.type.split(separator: ".") { #expect(source.contains(word), "\(place.text)") }
  }

  // MARK: No harm

  private static func memory(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test(
    "a blank tag holds what it held when all points were asked",
    arguments: ["ntag213", "ntag215", "ntag216", "classic1k"])
  func restored(_ tag: String) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bring-\(UUID()).tag").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    // Opened once, so that the file is there.
    try ReaderSession(opening: ReaderChoice(named: "sim:\(tag),file=\(path)")).close()
    let before = try Self.memory(path)
    let results = try SimulatedBringUp.run("\(tag),file=\(path)")
    let point = tag == "classic1k" ? "classic-write-time" : "cells"
    #expect(SimulatedBringUp.names(results, .passed).contains(point))
    #expect(try Self.memory(path) == before)
  }

  @Test("a card that a hand takes away at any instant is finished and blank again")
  func suddenHand() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bring-\(UUID()).tag").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ReaderSession(opening: ReaderChoice(named: "sim:classic1k,file=\(path)")).close()
    let before = try Self.memory(path)
    let board = try SimulatedReader(
      SimulatedTagSpec.turns(parsing: "classic1k,file=\(path)"), isHandled: true)
    let hands = SuddenHands(board)
    let bench = try BringUpBench(
      ConnectionString(board.port), hands: hands, rounds: 3, shouldStop: { false })
    let results = try BoardQuestions.run(
      BoardQuestions.points(named: ["lifted-trailers"]), isNamed: true, on: bench, hands: hands,
      show: { _ in })
    bench.close()
    try board.end()
    // Whether one of the instants was within a trailer is chance.
    let judgement = try #require(results.first).judgement
    #expect([.passed, .unclear].contains(judgement.verdict), "\(judgement)")
    #expect(judgement.seen.contains("taken away 5 times") && judgement.seen.contains("16 of 16"))
    #expect(try Self.memory(path) == before)
  }

  @Test("a blank card is put back also where somebody asks for the end within a write")
  func interruptedWrite() throws {
    for count in 1...8 {
      let path = FileManager.default.temporaryDirectory.appending(path: "bring-\(UUID()).tag")
        .path()
      defer { try? FileManager.default.removeItem(atPath: path) }
      try ReaderSession(opening: ReaderChoice(named: "sim:classic1k,file=\(path)")).close()
      let before = try Self.memory(path)
      let board = try SimulatedReader(
        SimulatedTagSpec.turns(parsing: "classic1k,file=\(path)"), isHandled: true)
      let hands = SimulatedHands(board)
      // Asked before each selection; from the `count`th time on somebody wants the end.
      let asked = Atomic(0)
      let bench = try BringUpBench(
        ConnectionString(board.port), hands: hands, rounds: 3,
        shouldStop: { asked.add(1, ordering: .relaxed).newValue >= count })
      #expect(throws: ReaderError.interrupted) {
        _ = try BoardQuestions.run(
          BoardQuestions.points(named: ["classic-write-time"]), isNamed: true, on: bench,
          hands: hands,
          show: { _ in })
      }
      bench.close()
      try board.end()
      #expect(try Self.memory(path) == before, "after \(count) questions")
    }
  }

  @Test("a tag that holds a message is not written", arguments: ["ntag213", "classic1k"])
  func notBlank(_ tag: String) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bring-\(UUID()).tag").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let reader = "sim:\(tag),file=\(path)"
    let session = try ReaderSession(opening: ReaderChoice(named: reader))
    try Self.write(session)
    try session.close()
    let before = try Self.memory(path)
    let results = try SimulatedBringUp.run("\(tag),file=\(path)")
    let writing = BoardQuestions.points.filter { $0.wish.isWritten }.map(\.name)
    for result in results where writing.contains(result.name) {
      #expect(result.judgement.verdict == .skipped, "\(result.name)")
      // WRITE of a Type 2 tag, WRITE of a MIFARE Classic.
      #expect(
        !result.replies.contains {
          $0.command.count > 2 && $0.command[0] == 0x40 && [0xA0, 0xA2].contains($0.command[2])
        })
    }
    #expect(try Self.memory(path) == before)
  }
}

extension BringUpTests {
  /// Puts a message on the tag.
  private static func write(_ session: ReaderSession) throws {
    let message = Message(try URIRecord("https://example.com/t/1").record)
    let report = Programmer(reader: session.reader).run(.write(message, WriteOptions()))
    try #require(report.failure == nil)
  }
}
