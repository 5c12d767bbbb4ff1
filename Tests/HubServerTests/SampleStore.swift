import Dispatch
import HubKit
import Ledger
import Provisioning
import Synchronization
import TagMemory

/// A store in memory: one batch with three jobs and as many events as a test wants.
final class SampleStore: HubStore {
  struct State {
    /// What every call fails with.
    var trouble: HubError?
    var events: Int64 = 3
    var made: [HubList] = []
    var extended: [String] = []
    /// Where whoever makes a batch waits; nil: nobody does.
    var barrier: DispatchSemaphore?
    var isMaking = false
  }

  let state: Mutex<State>
  var takesBatches: Bool { true }

  init(_ trouble: HubError? = nil) { state = Mutex(State(trouble: trouble)) }

  func happen(_ count: Int64) { state.withLock { $0.events += count } }

  private func check(_ id: String = "A17") throws(HubError) {
    if let trouble = state.withLock(\.trouble) { throw trouble }
    if id != "A17" { throw .noBatch(id) }
  }

  func batches() throws(HubError) -> [HubBatch] { [try batch("A17")] }

  func batch(_ id: String) throws(HubError) -> HubBatch {
    try check(id)
    return HubBatch(id: "A17", source: "list.csv", jobs: 3, pending: 2, written: 1)
  }

  static func event(_ number: Int64) -> HubEvent {
    HubEvent(
      LedgerEvent(
        number: number, kind: "written", job: 1, tag: [4, 1, 2, 3, 4, 5, 6], station: "1",
        reader: "sim", cause: nil, text: nil, started: 1000 * number, duration: 5000),
      batch: "A17", bench: "bench-1", jobName: "one")
  }

  func events(
    of batch: String, after number: Int64, limit: Int
  ) throws(HubError) -> [HubEvent] {
    try check(batch)
    let last = state.withLock(\.events)
    guard number < last else { return [] }
    return (number + 1...min(last, number + Int64(limit))).map(Self.event)
  }

  func events(
    of batch: String, upTo number: Int64, limit: Int
  ) throws(HubError) -> [HubEvent] {
    let last = min(number, try lastEvent(of: batch))
    return try events(of: batch, after: max(0, last - Int64(limit)), limit: limit)
  }

  func failures(of batch: String, upTo number: Int64) throws(HubError) -> [HubFailure] {
    try check(batch)
    return []
  }

  func lastEvent(of batch: String) throws(HubError) -> Int64 {
    try check(batch)
    return state.withLock(\.events)
  }

  func newestNumber() throws(HubError) -> Int64 {
    try check()
    return state.withLock(\.events)
  }

  func runs(of batch: String, limit: Int) throws(HubError) -> [HubRun] {
    try check(batch)
    return []
  }

  func stations(of batch: String) throws(HubError) -> [HubStation] {
    try check(batch)
    return []
  }

  func jobs(
    of batch: String, _ filter: HubJobFilter, after: Int, limit: Int
  ) throws(HubError) -> [HubJob] {
    try check(batch)
    let names = ["one", "two", "\"three\""]
    return (1...3).filter { number in
      number > after && (filter.number ?? number) == number
        && names[number - 1].hasPrefix(filter.name ?? "") && filter.uid == nil
        && filter.state != .failed
    }.prefix(limit).map { HubJob(number: $0, name: names[$0 - 1], state: .pending) }
  }

  func history(ofTag uid: UID, limit: Int) throws(HubError) -> [HubEvent] {
    try check()
    return [Self.event(1)]
  }

  func history(ofJob number: Int, in batch: String, limit: Int) throws(HubError) -> [HubEvent] {
    try check(batch)
    return [Self.event(1)]
  }

  func journal(of batch: String) throws(HubError) -> Journal {
    try check(batch)
    throw .away("The sample has no journal.")
  }

  func make(_ list: HubList) throws(HubError) -> HubBatch {
    try check()
    let barrier = state.withLock { state in
      state.isMaking = true
      return state.barrier
    }
    barrier?.wait()
    state.withLock { $0.made.append(list) }
    return HubBatch(id: list.id, source: "list.csv")
  }

  func extend(_ batch: String, csv: String) throws(HubError) -> HubBatch {
    try check(batch)
    state.withLock { $0.extended.append(csv) }
    return try self.batch(batch)
  }

  func close(_ batch: String) throws(HubError) -> HubBatch {
    try check(batch)
    return HubBatch(id: batch, source: "list.csv", isClosed: true)
  }
}
