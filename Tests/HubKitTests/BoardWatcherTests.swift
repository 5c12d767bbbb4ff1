import Foundation
import Ledger
import LedgerSQLite
import Provisioning
import Synchronization
import Testing

@testable import HubKit
@testable import TagMemory

/// A store in memory, which counts what it is asked and can be away.
final class SampleStore: HubStore {
  struct State {
    var batch: HubBatch? = HubBatch(id: "A17", source: "jobs.csv", made: 1, jobs: 9, pending: 9)
    var line = SampleLine()
    var shown: [NamedStation] = []
    var runs: [SeriesRun] = []
    var isAway = false
    /// Newest events before which others may be missing.
    var unsettled = 0
    var reads = 0
  }

  let state = Mutex(State())
  var takesBatches: Bool { false }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  private func ask<Value: Sendable>(
    _ body: (State) -> Value
  ) throws(HubError) -> Value {
    try state.withLock { (state) throws(HubError) in
      guard !state.isAway else { throw .away("The database is away.") }
      guard state.batch != nil else { throw .noBatch("A17") }
      return body(state)
    }
  }

  func lastEvent(of batch: String) throws(HubError) -> Int64 {
    state.withLock { $0.reads += 1 }
    return try ask { Int64($0.line.events.count - $0.unsettled) }
  }

  func newestNumber() throws(HubError) -> Int64 { try ask { Int64($0.line.events.count) } }

  func batch(_ id: String) throws(HubError) -> HubBatch {
    guard let batch = try ask({ $0.batch }) else { throw .noBatch(id) }
    return batch
  }

  func events(of batch: String, after number: Int64, limit: Int) throws(HubError) -> [NamedEvent] {
    try ask { Array($0.line.events.filter { $0.event.number > number }.prefix(limit)) }
  }

  func events(of batch: String, upTo number: Int64, limit: Int) throws(HubError) -> [NamedEvent] {
    try ask { Array($0.line.events.filter { $0.event.number <= number }.suffix(limit)) }
  }

  func figures(of batch: String, upTo number: Int64) throws(HubError) -> Figures { Figures() }
  func runs(of batch: String, limit: Int) throws(HubError) -> [SeriesRun] { try ask { $0.runs } }
  func stations(of batch: String) throws(HubError) -> [NamedStation] { try ask { $0.shown } }
  func batches() throws(HubError) -> [HubBatch] { [try batch("A17")] }
  func history(ofTag uid: UID, limit: Int) throws(HubError) -> [NamedEvent] { [] }
  func history(ofJob number: Int, in batch: String, limit: Int) throws(HubError) -> [NamedEvent] {
    []
  }
  func jobs(
    of batch: String, _ filter: JobFilter, after: Int, limit: Int
  ) throws(HubError) -> [ListedJob] { [] }
  func journal(of batch: String) throws(HubError) -> Journal { throw .noBatch(batch) }
  func make(_ list: HubList, _ request: HubRequest?) throws(HubError) -> HubBatch {
    throw .oneJournal
  }
  func extend(
    _ batch: String, csv: String, _ request: HubRequest?
  ) throws(HubError) -> HubBatch { throw .oneJournal }
  func close(_ batch: String, _ request: HubRequest?) throws(HubError) -> HubBatch {
    throw .oneJournal
  }
}

@Suite("Whoever watches a batch", .timeLimit(.minutes(20)))
struct BoardWatcherTests {
  let store = SampleStore()
  let watcher: BoardWatcher

  init() { watcher = BoardWatcher(store: store, batch: "A17") }

  /// Reads on until `isLast` says so; gives the numbers of the events.
  private func read(
    _ updates: inout BoardUpdates.AsyncIterator, until isLast: (BoardUpdate) -> Bool
  ) async -> [Int64] {
    var numbers: [Int64] = []
    while let update = await updates.next() {
      if case .happened(let events) = update { numbers += events.map(\.number) }
      if isLast(update) { return numbers }
    }
    Issue.record("The updates ended before the one that was waited for.")
    return numbers
  }

  private func add(_ count: Int) {
    store.change { state in
      for _ in 0..<count { state.line.add("written", at: Int64(state.line.events.count)) }
    }
  }

  private func isLast(_ number: Int64) -> (BoardUpdate) -> Bool {
    { if case .happened(let events) = $0 { events.last?.number == number } else { false } }
  }

  @Test("gets the board first, and then every event once, from where it left off")
  func events() async throws {
    add(3)
    var updates = watcher.updates(after: 1).makeAsyncIterator()
    guard case .board(let first, upTo: nil)? = await updates.next() else {
      Issue.record("There is no board.")
      return
    }
    #expect(first.board.lastEvent == 3 && first.json.contains(#""lastEvent":3"#))
    #expect(await read(&updates, until: isLast(3)) == [2, 3])
    add(1200)
    #expect(await read(&updates, until: isLast(1203)) == Array(4...1203))
    let board = try await watcher.board()
    #expect(board.board.lastEvent == 1203 && board.version > first.version)
  }

  @Test("gets another board when a station shows something else, though nothing happened")
  func shown() async throws {
    add(1)
    var updates = watcher.updates(after: nil).makeAsyncIterator()
    _ = await updates.next()
    for word in ["lost", "place"] {
      store.change { state in
        let shown = ShownStation(name: "1", word: word, since: SampleLine.start + 1000)
        state.shown = [NamedStation(bench: "left", run: "1", shown: shown)]
      }
      guard case .board(let moment, upTo: 1)? = await updates.next() else {
        Issue.record("There is no board of \(word).")
        return
      }
      #expect(moment.board.stations.map(\.word) == [StationWord(rawValue: word)])
    }
  }

  @Test("who has got more than the board shows yet gets nothing twice")
  func ahead() async {
    add(5)
    store.change { $0.unsettled = 2 }
    var updates = watcher.updates(after: 5).makeAsyncIterator()
    guard case .board(let first, upTo: nil)? = await updates.next() else {
      Issue.record("There is no board, or it says that all is got.")
      return
    }
    #expect(first.board.lastEvent == 3)
    add(1)
    store.change { $0.unsettled = 0 }
    #expect(await read(&updates, until: isLast(6)) == [6])
  }

  @Test("a number that no event has is of another time, and does not hold events back")
  func unknown() async {
    add(5)
    var updates = watcher.updates(after: 99).makeAsyncIterator()
    guard case .board(_, upTo: 5)? = await updates.next() else {
      Issue.record("The board does not say from where it goes on.")
      return
    }
    add(1)
    #expect(await read(&updates, until: isLast(6)) == [6])
  }

  @Test("the board says up to where all is got, but not to one who is behind")
  func position() async {
    add(3)
    var new = watcher.updates(after: nil).makeAsyncIterator()
    var behind = watcher.updates(after: 1).makeAsyncIterator()
    guard case .board(_, upTo: 3)? = await new.next(),
      case .board(_, upTo: nil)? = await behind.next()
    else {
      Issue.record("The first boards are wrong.")
      return
    }
    add(1)
    for updates in [new, behind] {
      var updates = updates
      _ = await read(&updates) {
        if case .board(_, let number) = $0 { number == 4 } else { false }
      }
    }
  }

  @Test("without a number it gets what comes, and one who is far behind gets all")
  func behind() async {
    add(9000)
    var new = watcher.updates(after: nil).makeAsyncIterator()
    var slow = watcher.updates(after: 0).makeAsyncIterator()
    _ = await new.next()
    _ = await slow.next()
    for _ in 0..<3 {
      add(2000)
      _ = await read(&new, until: isLast(Int64(store.state.withLock { $0.line.events.count })))
    }
    #expect(await read(&slow, until: isLast(15_000)) == Array(1...15_000))
  }

  @Test("however many they are, the store is read once")
  func shared() async {
    add(1)
    let start = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          var updates = watcher.updates(after: 0).makeAsyncIterator()
          _ = await read(&updates, until: isLast(1))
        }
      }
    }
    let ticks = start.duration(to: .now) / .milliseconds(250)
    #expect(store.state.withLock { $0.reads } <= Int(ticks) + 2)
    #expect(watcher.watcherCount == 0)
  }

  @Test("it hears that the database is away, and goes on where it left off when it is back")
  func away() async throws {
    add(2)
    var updates = watcher.updates(after: nil).makeAsyncIterator()
    _ = await updates.next()
    store.change { $0.isAway = true }
    _ = await read(&updates) { if case .trouble(.away) = $0 { true } else { false } }
    await #expect(throws: HubError.away("The database is away.")) { try await watcher.board() }
    add(2)
    store.change { $0.isAway = false }
    #expect(await read(&updates, until: isLast(4)) == [3, 4])
    guard case .board? = await updates.next() else {
      Issue.record("No board ends the trouble.")
      return
    }
  }

  @Test("a journal that was replaced has a board of its own")
  func replaced() async throws {
    add(50)
    var updates = watcher.updates(after: nil).makeAsyncIterator()
    _ = await updates.next()
    store.change { state in
      state.line = SampleLine()
      for number in 0..<60 { state.line.add("written", at: Int64(number)) }
      state.batch?.made = 2
      state.batch?.source = "other.csv"
    }
    let numbers = await read(&updates) {
      if case .board(let moment, _) = $0 { moment.board.batch.source == "other.csv" } else { false }
    }
    #expect(numbers.isEmpty)
    add(1)
    #expect(await read(&updates, until: isLast(61)) == [61])
  }

  @Test("a batch that has vanished is said not to be there, and may come back")
  func vanished() async throws {
    store.change { $0.batch = nil }
    await #expect(throws: HubError.noBatch("A17")) { try await watcher.board() }
    var updates = watcher.updates(after: nil).makeAsyncIterator()
    guard case .trouble(.noBatch)? = await updates.next() else {
      Issue.record("It is not said that the batch is not there.")
      return
    }
    store.change { $0.batch = HubBatch(id: "A17", source: "jobs.csv", made: 3) }
    _ = await read(&updates) { if case .board = $0 { true } else { false } }
    #expect(try await watcher.board().board.batch.id == "A17")
  }

  @Test("a batch that is extended or closed is seen, though nothing happens")
  func extended() async {
    var updates = watcher.updates(after: nil).makeAsyncIterator()
    _ = await updates.next()
    store.change { state in
      state.batch?.jobs = 12
      state.batch?.isClosed = true
    }
    let numbers = await read(&updates) {
      if case .board(let moment, _) = $0 {
        moment.board.batch.jobs == 12 && moment.board.batch.isClosed
      } else {
        false
      }
    }
    #expect(numbers.isEmpty)
  }

  @Test("one watcher serves a batch, and those that nobody needs are not kept for ever")
  func registry() {
    let watchers = BoardWatchers(store)
    #expect(watchers.watcher(of: "A17") === watchers.watcher(of: "A17"))
    // The same to Swift, and two batches to a database.
    #expect(watchers.watcher(of: "\u{e4}") !== watchers.watcher(of: "a\u{308}"))
    let first = watchers.watcher(of: "0")
    for number in 1..<100 { _ = watchers.watcher(of: "\(number)") }
    #expect(watchers.watcher(of: "0") !== first)
  }
}
