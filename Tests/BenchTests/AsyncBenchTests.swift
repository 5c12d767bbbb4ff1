import Dispatch
import Foundation
import NDEF
import PN532Simulator
import Pace
import Readers
import Synchronization
import TagMemory
import TagProgramming
import Testing

@testable import Bench

@Suite("A bench for programs written with async", .timeLimit(.minutes(5)))
struct AsyncBenchTests {
  private static let uri = "https://example.com/t/1"

  /// A simulated board whose tags are laid down by hand, and a bench on it.
  private final class Hand {
    let board: SimulatedReader
    let bench: Bench

    init(_ text: String) async throws {
      board = try SimulatedReader(
        SimulatedTagSpec.turns(parsing: text), isHandled: true,
        onFailure: { Issue.record("\($0)") })
      bench = try await Bench(board.port)
    }

    /// Lays a presentation down and waits until the bench has found it.
    func next(_ index: Int) async throws -> Bench.Tag {
      board.lay(index)
      var tags = bench.tags.makeAsyncIterator()
      return try #require(await tags.next())
    }

    func end() async throws {
      try await bench.close()
      try board.end()
    }
  }

  @Test("a series of tags is written, each once, and has an end")
  func series() async throws {
    var uids: Set<UID> = []
    let bench = try await Bench("sim:ntag213*3")
    for try await tag in bench.tags {
      let report = try await bench.run(.write(try .url("https://example.com/t/1")), on: tag).get()
      #expect(report.result == .written && report.verified)
      #expect(try await bench.run(.read, on: tag).get().message == Message.url(Self.uri))
      uids.insert(tag.uid)
    }
    #expect(uids.count == 3)
    try await bench.close()
  }

  @Test(
    "tags that nobody works with come and go, too", arguments: ["sim:ntag213*2", "sim:type4*2"])
  func looked(name: String) async throws {
    let bench = try await Bench(name)
    var uids: Set<UID> = []
    for try await tag in bench.tags { uids.insert(tag.uid) }
    #expect(uids.count == 2)
    try await bench.close()
  }

  @Test("a plan has every step and changes nothing")
  func plan() async throws {
    let hand = try await Hand("ntag213")
    let tag = try await hand.next(0)
    let planned = try await hand.bench.plan(.write(.url(Self.uri)), on: tag).get()
    #expect(planned.result == .planned && planned.program?.changesTag == true)
    #expect(try await hand.bench.run(.read, on: tag).get().content.isEmpty)
    try await hand.end()
  }

  @Test(
    "a task that is cancelled at any step leaves a tag that the same job finishes, on the same bench",
    arguments: [
      "ntag213,content=blank", "ntag215", "mini,content=blank", "type4", "felica-lite-s",
    ])
  func cancelled(tag name: String) async throws {
    var (step, ended) = (1, 0)
    let message = try Message.url(Self.uri)
    let job = Job.write(message)
    let hand = try await Hand(
      Array(repeating: name, count: Self.mostSteps).joined(separator: ",then="))
    let bench = hand.bench
    while step <= Self.mostSteps {
      let tag = try await hand.next(step - 1)
      let wanted = step
      let begun = Atomic(false)
      let report = await Task {
        await bench.run(job, on: tag) { progress in
          guard case .step(let number, _, _) = progress, number == wanted else { return }
          begun.store(true, ordering: .relaxed)
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
      }.value
      guard begun.load(ordering: .relaxed) else {
        #expect(try report.get().verified, "step \(step)")
        break
      }
      if report.failure?.kind == .interrupted { ended += 1 } else { _ = try report.get() }
      let finished = try await bench.run(job, on: tag).get()
      #expect([.written, .unchanged].contains(finished.result), "\(name), step \(step)")
      #expect(finished.verified && finished.message == message)
      step += 1
    }
    #expect(
      step > 2 && step <= Self.mostSteps && ended > 0, "\(name): \(step - 1) steps, \(ended) ended")
    try await hand.end()
  }

  /// No job here has so many steps.
  private static let mostSteps = 80

  @Test("a task that was cancelled before changes nothing")
  func cancelledBefore() async throws {
    let hand = try await Hand("ntag213")
    let (bench, tag) = (hand.bench, try await hand.next(0))
    let report = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await bench.run(.write(try .url(Self.uri)), on: tag)
    }.result
    #expect(try report.get().failure?.kind == .interrupted)
    #expect(try await bench.run(.read, on: tag).get().content.isEmpty)
    try await hand.end()
  }

  @Test("a task that waits for a tag and is cancelled gets none, and the bench lives on")
  func cancelledWaiting() async throws {
    let hand = try await Hand("ntag213")
    let bench = hand.bench
    let waiting = Task {
      var tags = bench.tags.makeAsyncIterator()
      return try await tags.next()
    }
    let before = hand.board.statistics.commands
    #expect(await Pace.suspend { hand.board.statistics.commands != before })
    waiting.cancel()
    #expect(try await waiting.value == nil)
    _ = try await hand.next(0)
    try await hand.end()
  }

  @Test("who leaves the loop has the rest of the tags in the next one")
  func leftEarly() async throws {
    let bench = try await Bench("sim:ntag213*3")
    var uids: [UID] = []
    for try await tag in bench.tags {
      uids.append(tag.uid)
      break
    }
    // A tag that is worked with goes soon.
    for try await tag in bench.tags { uids.append(tag.uid) }
    #expect(Set(uids).count == 3 && uids.count == 3)
    try await bench.close()
  }

  @Test("a tag that has gone is not written, nor another in its place")
  func gone() async throws {
    let hand = try await Hand("ntag213,then=ntag213")
    let first = try await hand.next(0)
    hand.board.lay(1)
    let lost = await hand.bench.run(.write(try .url(Self.uri)), on: first)
    #expect(lost.failure?.kind == .tagTrouble && lost.result == .failed)
    var tags = hand.bench.tags.makeAsyncIterator()
    let second = try #require(try await tags.next())
    #expect(second.uid != first.uid)
    #expect(try await hand.bench.run(.read, on: second).get().content.isEmpty)
    // A tag that was handed out long ago is not the one that lies there.
    let late = await hand.bench.run(.write(try .url(Self.uri)), on: first)
    #expect(late.failure?.kind == .tagTrouble)
    #expect(try await hand.bench.run(.read, on: second).get().content.isEmpty)
    hand.board.lay(nil)
    let none = await hand.bench.run(.read, on: second)
    #expect(none.failure?.kind == .tagTrouble)
    try await hand.end()
  }

  @Test("a board that goes away ends the loop with its failure, and jobs with theirs")
  func boardGone() async throws {
    let hand = try await Hand("ntag213")
    let (bench, tag) = (hand.bench, try await hand.next(0))
    try hand.board.end()
    let report = await bench.run(.read, on: tag)
    #expect(report.failure?.kind == .readerUnavailable)
    await #expect(throws: JobFailure.self) { for try await _ in bench.tags {} }
    let failure = await #expect(throws: JobFailure.self) {
      try await bench.reopen(within: .milliseconds(50))
    }
    #expect(failure?.kind == .readerUnavailable)
    try await bench.close()
  }

  @Test("a task that wants the bench gets it while another waits for a tag")
  func lookIsShared() async throws {
    let hand = try await Hand("ntag213,then=ntag215")
    let (bench, first) = (hand.bench, try await hand.next(0))
    // The first lies there, and this waits until it has gone.
    let waiting = Task {
      var tags = bench.tags.makeAsyncIterator()
      return try await tags.next()
    }
    for _ in 0..<3 {
      #expect(try await bench.run(.write(.url(Self.uri)), on: first).get().verified)
    }
    hand.board.lay(1)
    #expect(try await waiting.value?.uid != first.uid)
    try await hand.end()
  }

  @Test("a tag of another bench is not there, whatever its UID")
  func otherBench() async throws {
    let (left, right) = (try await Hand("ntag213"), try await Hand("ntag213"))
    let (tag, other) = (try await left.next(0), try await right.next(0))
    #expect(tag.uid == other.uid)
    let report = await right.bench.run(.write(try .url(Self.uri)), on: tag)
    #expect(report.failure?.kind == .tagTrouble)
    #expect(try await right.bench.run(.read, on: other).get().content.isEmpty)
    try await left.end()
    try await right.end()
  }

  @Test("a report counts what its own job cost, though the tag was found long before")
  func counts() async throws {
    let hand = try await Hand("ntag213")
    let (bench, tag) = (hand.bench, try await hand.next(0))
    var reports: [TagReport] = []
    for _ in 0..<4 { reports.append(try await bench.run(.read, on: tag).get()) }
    #expect(reports[2].counts == reports[3].counts, "\(reports.map(\.counts))")
    #expect(reports[1].counts.frames > 0)
    try await hand.end()
  }

  @Test("the tags of a trace have an end, whatever is done with them", arguments: [true, false])
  func trace(writes: Bool) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).trace").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    var settings = ReaderSession.Settings()
    settings.trace = try Trace(NamedFile(file, .given))
    let uids = try await Self.uids(of: Bench("sim:ntag213*3", settings: settings), writes: true)
    let again = try await Self.uids(of: Bench("sim:trace=\(file)"), writes: writes)
    #expect(uids.count == 3 && (writes ? again == uids : again.first == uids.first))
  }

  /// The UIDs of all tags of a bench, in order; each gets a message if `writes`.
  private static func uids(of bench: Bench, writes: Bool) async throws -> [UID] {
    var uids: [UID] = []
    do {
      for try await tag in bench.tags {
        uids.append(tag.uid)
        if writes { #expect(try await bench.run(.write(.url(uri)), on: tag).get().verified) }
      }
    } catch let failure as JobFailure where !writes {
      // What the trace does not have.
      #expect(failure.kind == .configuration, "\(failure)")
    }
    try await bench.close()
    return uids
  }

  @Test("two benches work at once, and one that waits holds up no other")
  func two() async throws {
    let waiting = try await Hand("ntag213")
    let bench = waiting.bench
    let wait = Task {
      var tags = bench.tags.makeAsyncIterator()
      return try await tags.next()
    }
    async let left = Self.written("sim:ntag213*3")
    async let right = Self.written("sim:classic1k*2,content=blank")
    let (first, second) = try await (left, right)
    #expect(first == 3 && second == 2)
    waiting.board.lay(0)
    #expect(try await wait.value != nil)
    try await waiting.end()
  }

  private static func written(_ name: String) async throws -> Int {
    let bench = try await Bench(name)
    var count = 0
    for try await tag in bench.tags {
      count += try await bench.run(.write(.url(uri)), on: tag).get().verified ? 1 : 0
    }
    try await bench.close()
    return count
  }

  @Test("a bench that is closed during a job ends it at a safe point first")
  func closedDuringJob() async throws {
    let hand = try await Hand("classic1k,content=blank")
    let (bench, tag) = (hand.bench, try await hand.next(0))
    let closing = Mutex<Task<Void, any Error>?>(nil)
    let report = await bench.run(.write(try .url(Self.uri)), on: tag) { progress in
      guard case .step(3, _, _) = progress else { return }
      closing.withLock { $0 = Task { try await bench.close() } }
      // Until it was heard.
      let until = ContinuousClock.now + .seconds(60)
      while !bench.isClosing.load(ordering: .relaxed), .now < until {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
      }
    }
    #expect(report.failure?.kind == .interrupted)
    try await closing.withLock(\.self)?.value
    #expect(await bench.run(.read, on: tag).failure?.kind == .interrupted)
    for try await _ in bench.tags { Issue.record("a tag on a closed bench") }
    try await bench.close()
    let next = try await Bench(hand.board.port)
    var tags = next.tags.makeAsyncIterator()
    let again = try #require(try await tags.next())
    #expect(try await next.run(.write(.url(Self.uri)), on: again).get().verified)
    try await next.close()
  }

  @Test("several tags at once are a failure, and the loop after it goes on")
  func several() async throws {
    let hand = try await Hand("ntag213+ntag215,then=ntag213")
    hand.board.lay(0)
    let bench = hand.bench
    let failure = await #expect(throws: JobFailure.self) { for try await _ in bench.tags {} }
    #expect(failure?.kind == .tagTrouble)
    _ = try await hand.next(1)
    try await hand.end()
  }

  @Test("a reader that is none cannot be opened")
  func noReader() async throws {
    let failure = await #expect(throws: BenchError.self) { try await Bench("sim:ntag999") }
    #expect(failure?.code == .usage)
  }
}
