import JSON
import Ledger

/// An event and its document, made once for all who get it.
package struct Happening: Sendable {
  package let event: NamedEvent
  package let json: String

  package var number: Int64 { event.event.number }

  package init(_ event: NamedEvent) {
    self.event = event
    json = JSONLine.text(EventJSON(event))
  }
}

/// What one reading of a store has found.
struct BoardNews {
  /// Nil: as before.
  var board: Board?
  var happenings: [Happening] = []
  /// Is true if the batch is another one than before: what was known of it counts for nothing.
  var isOther = false
  /// The number of the last event that was read.
  var lastEvent: Int64 = 0
}

/// Reads a batch again and again, each time only what is new.
struct BoardReader {
  let store: any HubStore
  let batch: String
  private var history: BoardHistory?
  private var known: HubBatch?
  private var board: Board?
  private var shown: [NamedStation] = []
  /// The time that it is.
  private let time: @Sendable () -> ContinuousClock.Instant
  private var lookedAt: ContinuousClock.Instant

  /// Events of one page.
  private static let page = 500
  /// For so long after the store was away no bench is said to be silent: each says within this time
  /// that it is there.
  private let grace: Duration
  /// When the store was reached again; nil: it is away, or was never.
  private var reached: ContinuousClock.Instant?
  private var wasAway = false

  /// After so long the batch and its runs are looked at though nothing has happened: runs end, and
  /// batches are extended and closed, without an event.
  private static let patience = Duration.seconds(2)

  /// `time` says the time, as `ContinuousClock` does.
  init(
    _ store: any HubStore, _ batch: String, grace: Duration = .seconds(45),
    time: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.store, self.batch, self.grace, self.time) = (store, batch, grace, time)
    lookedAt = time()
  }

  /// Blocks as long as the store takes.
  mutating func read() throws(HubError) -> BoardNews {
    do throws(HubError) {
      let news = try readOn()
      if wasAway { (wasAway, reached) = (false, time()) }
      return news
    } catch {
      wasAway = true
      throw error
    }
  }

  private mutating func readOn() throws(HubError) -> BoardNews {
    let last = try store.lastEvent(of: batch)
    let isDue = lookedAt + Self.patience <= time()
    var news = BoardNews()
    news.lastEvent = history?.lastEvent ?? 0
    let shown = try store.stations(of: batch)
    if last == history?.lastEvent, shown == self.shown, board != nil, !isDue { return news }
    let batch = try store.batch(batch)
    // Made anew, a file that was replaced, a database that was restored.
    let isOther = known.map { $0.made != batch.made || last < (history?.lastEvent ?? 0) } ?? false
    if history == nil || isOther {
      history = try begin(at: last)
      board = nil
    }
    var reading = history ?? BoardHistory()
    while reading.lastEvent < last {
      let events = try store.events(of: self.batch, after: reading.lastEvent, limit: Self.page)
      for event in events {
        reading.take(event)
        news.happenings.append(Happening(event))
      }
      if events.count < Self.page { break }
    }
    var runs = try store.runs(of: self.batch, limit: BoardHistory.runSpan)
    if wasAway || reached.map({ $0 + grace > time() }) == true {
      for index in runs.indices { runs[index].silentSince = nil }
    }
    (history, known, lookedAt) = (reading, batch, time())
    self.shown = shown
    (news.lastEvent, news.isOther) = (reading.lastEvent, isOther)
    let now = try store.now()
    let board = reading.board(of: batch, runs: runs, shown: shown, now: now)
    if self.board.map({ !$0.isLike(board) }) ?? true { news.board = board }
    self.board = board
    return news
  }

  private func begin(at last: Int64) throws(HubError) -> BoardHistory {
    guard last > 0 else { return BoardHistory() }
    return BoardHistory(
      after: last, figures: try store.figures(of: batch, upTo: last),
      recent: try store.events(of: batch, upTo: last, limit: BoardHistory.span))
  }
}

extension Board {
  /// Returns whether nothing but the time differs.
  fileprivate func isLike(_ other: Board) -> Bool {
    var other = other
    other.now = now
    return self == other
  }
}
