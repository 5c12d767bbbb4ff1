import Dispatch
import JSON
import Synchronization

/// The board of a batch and its document, made once for all who get it.
package struct BoardMoment: Sendable {
  package let board: Board
  package let json: String
  /// Grows with each other board.
  package let version: Int
}

/// Watches one batch for all who want to see it: however many they are, the store is read once.
///
/// While somebody watches, it looks for news four times a second, on a thread of its own. A store
/// that does not answer, a journal that was replaced and a batch that has vanished are looked for
/// again, once a second.
package final class BoardWatcher: Sendable {
  package let batch: String
  private let store: any HubStore
  /// The store blocks: whoever waits for it waits here.
  private let queue = DispatchQueue(label: "hub board")
  /// So does whoever is far behind, and holds the others up no more than that.
  private let pages = DispatchQueue(label: "hub pages")
  /// Used on the queue.
  private let reader: Mutex<BoardReader>
  private let state = Mutex(State())

  fileprivate struct State {
    var moment: BoardMoment?
    var trouble: HubError?
    var readAt: ContinuousClock.Instant?
    /// All events behind the one with the number `start`.
    var happenings: [Happening] = []
    var start: Int64 = 0
    var lastEvent: Int64 = 0
    /// Grows when the batch is another one.
    var generation = 0
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextWatcher = 0
    var isPolling = false
  }

  private static let interval = Duration.milliseconds(250)
  /// Events that are kept for those who are a little behind.
  fileprivate static let kept = 2000

  package init(store: any HubStore, batch: String) {
    (self.store, self.batch) = (store, batch)
    reader = Mutex(BoardReader(store, batch))
  }

  // MARK: For those who ask once

  /// The board as it is now, at most a quarter of a second old. Throws where the store does not
  /// answer, or has no such batch.
  package func board() async throws(HubError) -> BoardMoment {
    try await on(queue) { [self] () throws(HubError) in
      let readAt = state.withLock { $0.readAt }
      if readAt.map({ $0 + Self.interval <= .now }) ?? true { read() }
      return try state.withLock { (state) throws(HubError) in
        if let trouble = state.trouble { throw trouble }
        guard let moment = state.moment else { throw .noBatch(batch) }
        return moment
      }
    }
  }

  /// Returns what happened after the event with this number, in order, `limit` at most.
  package func happenings(
    after number: Int64, limit: Int
  ) async throws(HubError) -> [Happening] {
    try await on(pages) { [self] () throws(HubError) in
      try store.events(of: batch, after: number, limit: limit).map(Happening.init)
    }
  }

  /// The greatest number of an event that the store knows now, newer than what is shown of it.
  func newestNumber() async throws(HubError) -> Int64 {
    try await on(pages) { [self] () throws(HubError) in try store.newestNumber() }
  }

  private func on<Value: Sendable>(
    _ queue: DispatchQueue, _ body: @escaping @Sendable () throws(HubError) -> Value
  ) async throws(HubError) -> Value {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: Result { () throws(HubError) -> Value in try body() })
      }
    }
    return try result.get()
  }

  // MARK: For those who watch

  /// All that comes, from the event behind the one with the number `number` on; nil: behind the
  /// newest.
  package func updates(after number: Int64?) -> BoardUpdates { BoardUpdates(self, number) }

  /// How many watch now.
  package var watcherCount: Int { state.withLock { $0.watchers.count } }

  /// What a watcher has to know that has got all up to the event `number`.
  struct View {
    var moment: BoardMoment?
    var trouble: HubError?
    var generation = 0
    var lastEvent: Int64 = 0
    /// Nil: it is too far behind for what is kept.
    var happenings: [Happening]?
  }

  func view(after number: Int64?, limit: Int) -> View {
    state.withLock { state in
      var view = View(moment: state.moment, trouble: state.trouble)
      (view.generation, view.lastEvent) = (state.generation, state.lastEvent)
      guard state.moment != nil, let number else {
        view.happenings = []
        return view
      }
      if number >= state.start {
        let first = state.happenings.partitioningIndex { $0.number > number }
        view.happenings = Array(state.happenings[first...].prefix(limit))
      }
      return view
    }
  }

  func add(_ continuation: AsyncStream<Void>.Continuation) -> Int {
    let (number, begins) = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = continuation
      defer { state.isPolling = true }
      return (state.nextWatcher, !state.isPolling)
    }
    if begins { queue.async { [weak self] in self?.poll() } }
    continuation.yield()
    return number
  }

  func remove(_ number: Int) {
    state.withLock { $0.watchers.removeValue(forKey: number) }?.finish()
  }

  // MARK: Reading

  private func poll() {
    let isWanted = state.withLock { state in
      state.isPolling = !state.watchers.isEmpty
      return state.isPolling
    }
    guard isWanted else { return }
    read()
    let isGood = state.withLock { $0.trouble == nil }
    queue.asyncAfter(deadline: .now() + (isGood ? 0.25 : 1)) { [weak self] in self?.poll() }
  }

  /// On the queue.
  private func read() {
    let result = Result { () throws(HubError) -> BoardNews in
      try reader.withLock { (reader) throws(HubError) in try reader.read() }
    }
    let watchers = state.withLock { state in
      let isNews = state.take(result)
      state.readAt = .now
      return isNews ? Array(state.watchers.values) : []
    }
    for watcher in watchers { watcher.yield() }
  }
}

extension BoardWatcher.State {
  /// Returns whether there is something new for those who watch.
  fileprivate mutating func take(_ result: Result<BoardNews, HubError>) -> Bool {
    let news: BoardNews
    switch result {
    case .failure(let error):
      defer { trouble = error }
      return trouble != error
    case .success(let found): news = found
    }
    let wasTroubled = trouble != nil
    trouble = nil
    if news.isOther || moment == nil {
      if news.isOther { generation += 1 }
      happenings = []
      start = news.happenings.first.map { $0.number - 1 } ?? news.lastEvent
    }
    happenings += news.happenings
    lastEvent = news.lastEvent
    if happenings.count > 2 * BoardWatcher.kept {
      happenings.removeFirst(happenings.count - BoardWatcher.kept)
      start = happenings[0].number - 1
    }
    if let board = news.board {
      moment = BoardMoment(
        board: board, json: JSONLine.text(BoardJSON(board)), version: (moment?.version ?? 0) + 1)
    }
    return wasTroubled || news.board != nil || !news.happenings.isEmpty
  }
}

extension Array where Element == Happening {
  /// The index of the first for which `condition` holds, where it holds for all behind it.
  fileprivate func partitioningIndex(where condition: (Happening) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
