import Dispatch
import HubKit
import Ledger
import LedgerSQLite
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
    /// What was carried out, by its key.
    var answered: [String: (request: HubRequest, batch: HubBatch)] = [:]
    /// Whether nobody hears that the next change was made.
    var losesAnswer = false
    /// Batches without jobs that are older, or newer, than the one.
    var older = 0
    var newer = 0
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

  func batchIDs() throws(HubError) -> [String] {
    try check()
    let (older, newer) = state.withLock { ($0.older, $0.newer) }
    return (0..<older).map { "older \($0)" } + ["A17"] + (0..<newer).map { "newer \($0)" }
  }

  func batchIDs(withTag uid: UID) throws(HubError) -> [String] {
    try check()
    return ["A17"]
  }

  func jobCount(of batch: String) throws(HubError) -> Int { batch == "A17" ? 3 : 0 }

  func batch(_ id: String) throws(HubError) -> HubBatch {
    try check(id)
    return HubBatch(id: "A17", source: "list.csv", jobs: 3, pending: 2, written: 1)
  }

  static func event(_ number: Int64) -> NamedEvent {
    NamedEvent(
      Event(
        number: number, Happening(kind: "written", job: 1, tag: [4, 1, 2, 3, 4, 5, 6]),
        station: "1", reader: "sim", started: 1000 * number, duration: 5000),
      batch: "A17", bench: "bench-1", jobName: "one")
  }

  func events(
    of batch: String, after number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    try check(batch)
    let last = state.withLock(\.events)
    guard number < last else { return [] }
    return (number + 1...min(last, number + Int64(limit))).map(Self.event)
  }

  func events(
    of batch: String, upTo number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    let last = min(number, try lastEvent(of: batch))
    return try events(of: batch, after: max(0, last - Int64(limit)), limit: limit)
  }

  func figures(of batch: String, upTo number: Int64) throws(HubError) -> Figures {
    try check(batch)
    return Figures()
  }

  func lastEvent(of batch: String) throws(HubError) -> Int64 {
    try check(batch)
    return state.withLock(\.events)
  }

  func newestNumber() throws(HubError) -> Int64 {
    try check()
    return state.withLock(\.events)
  }

  func runs(of batch: String, limit: Int) throws(HubError) -> [SeriesRun] {
    try check(batch)
    return []
  }

  func stations(of batch: String) throws(HubError) -> [NamedStation] {
    try check(batch)
    return []
  }

  func jobs(
    of batch: String, _ filter: JobFilter, after: Int, limit: Int
  ) throws(HubError) -> [ListedJob] {
    if batch.contains("er ") { return [] }
    try check(batch)
    let names = ["one", "two", "\"three\""]
    return (1...3).filter { number in
      number > after && (filter.number ?? number) == number
        && names[number - 1].hasPrefix(filter.name ?? "")
        && (filter.tag == nil || number == 1)
        && filter.state != .failed
        && (filter.text.map { names[number - 1].contains($0.text.lowercased()) } ?? true)
    }.prefix(limit).map { ListedJob(number: $0, name: names[$0 - 1], state: .pending) }
  }

  func history(ofTag uid: UID, limit: Int) throws(HubError) -> [NamedEvent] {
    try check()
    return [Self.event(1)]
  }

  func history(ofJob number: Int, in batch: String, limit: Int) throws(HubError) -> [NamedEvent] {
    try check(batch)
    return [Self.event(1)]
  }

  func journal(of batch: String) throws(HubError) -> Journal {
    try check(batch)
    throw .away("The sample has no journal.")
  }

  func make(_ list: HubList, _ request: HubRequest?) throws(HubError) -> HubBatch {
    try check()
    let barrier = state.withLock { state in
      state.isMaking = true
      return state.barrier
    }
    barrier?.wait()
    state.withLock { $0.made.append(list) }
    return try keep(request, HubBatch(id: list.id, source: "list.csv"))
  }

  func extend(
    _ batch: String, csv: String, _ request: HubRequest?
  ) throws(HubError) -> HubBatch {
    try check(batch)
    state.withLock { $0.extended.append(csv) }
    return try keep(request, self.batch(batch))
  }

  func close(_ batch: String, _ request: HubRequest?) throws(HubError) -> HubBatch {
    try check(batch)
    return try keep(request, HubBatch(id: batch, source: "list.csv", isClosed: true))
  }

  private func keep(_ request: HubRequest?, _ batch: HubBatch) throws(HubError) -> HubBatch {
    let isLost = state.withLock { state in
      if let request { state.answered[request.key] = (request, batch) }
      defer { state.losesAnswer = false }
      return state.losesAnswer
    }
    if isLost { throw .away("The answer was lost.") }
    return batch
  }

  func batch(after request: HubRequest) throws(HubError) -> HubBatch? {
    guard let known = state.withLock({ $0.answered[request.key] }) else { return nil }
    guard known.request == request else { throw .reusedKey }
    return known.batch
  }
}
