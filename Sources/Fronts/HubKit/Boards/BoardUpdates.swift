/// Something that a watcher of a batch gets.
package enum BoardUpdate: Sendable {
  /// The board at the start, and after each change; with the number of its last event where the
  /// watcher has got all up to that.
  case board(BoardMoment, upTo: Int64?)
  /// What happened, in order, without a gap.
  case happened([Happening])
  /// The store does not answer, or has no such batch; it is looked for again.
  case trouble(HubError)
}

/// The updates of one watcher: each is made when it is asked for, so that one who is slow gets
/// fewer boards, and all events. They go on until the task is cancelled.
package struct BoardUpdates: AsyncSequence, Sendable {
  package typealias Element = BoardUpdate
  package typealias Failure = Never
  private let watcher: BoardWatcher
  private let number: Int64?

  init(_ watcher: BoardWatcher, _ number: Int64?) {
    (self.watcher, self.number) = (watcher, number)
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watcher, number) }

  package struct AsyncIterator: AsyncIteratorProtocol {
    private let subscription: Subscription
    private var signals: AsyncStream<Void>.Iterator
    /// The number of the last event that was given; nil: none, and no older one is wanted.
    private var number: Int64?
    private var version: Int?
    private var generation: Int?
    private var trouble: HubError?
    /// Is true if the store was in trouble since the last board.
    private var isBack = false

    /// Events of one update.
    private static let page = 500

    init(_ watcher: BoardWatcher, _ number: Int64?) {
      let (stream, continuation) = AsyncStream<Void>.makeStream(
        bufferingPolicy: .bufferingNewest(1))
      self.number = number
      signals = stream.makeAsyncIterator()
      subscription = Subscription(watcher, continuation)
    }

    package mutating func next() async -> BoardUpdate? {
      while !Task.isCancelled {
        if let update = await update() { return update }
        guard await signals.next() != nil else { return nil }
      }
      return nil
    }

    /// What there is for it now; nil: nothing.
    private mutating func update() async -> BoardUpdate? {
      let watcher = subscription.watcher
      let view = watcher.view(after: number, limit: Self.page)
      if let trouble = view.trouble {
        guard trouble != self.trouble else { return nil }
        self.trouble = trouble
        return .trouble(trouble)
      }
      guard let moment = view.moment else { return nil }
      if trouble != nil { (trouble, isBack) = (nil, true) }
      if generation != view.generation {
        // The first look, or another batch of this name: its numbers begin anew.
        let isOther = generation != nil
        generation = view.generation
        number = isOther ? view.lastEvent : await start(view)
        return board(moment)
      }
      if let events = await events(view) { return .happened(events) }
      return version != moment.version || isBack ? board(moment) : nil
    }

    private mutating func board(_ moment: BoardMoment) -> BoardUpdate {
      (version, isBack) = (moment.version, false)
      let last = moment.board.lastEvent
      return .board(moment, upTo: number == last ? last : nil)
    }

    /// Behind which event it begins. What is seen of the store is a little old, and another hub may
    /// have given more: only a number that no event has comes from another store.
    private func start(_ view: BoardWatcher.View) async -> Int64 {
      guard let number else { return view.lastEvent }
      guard number > view.lastEvent,
        let newest = try? await subscription.watcher.newestNumber()
      else { return number }
      return number <= newest ? number : view.lastEvent
    }

    private mutating func events(_ view: BoardWatcher.View) async -> [Happening]? {
      guard let known = number, known < view.lastEvent else { return nil }
      var events = view.happenings
      if events == nil {
        events = try? await subscription.watcher.happenings(after: known, limit: Self.page)
        // Asked again with the next news: the watcher finds out what the trouble is.
        guard let events else { return nil }
        if events.isEmpty {
          number = view.lastEvent
          return nil
        }
      }
      guard let last = events?.last else { return nil }
      number = last.number
      return events
    }
  }

  /// Ends with its iterator.
  private final class Subscription: Sendable {
    let watcher: BoardWatcher
    private let number: Int

    init(_ watcher: BoardWatcher, _ continuation: AsyncStream<Void>.Continuation) {
      self.watcher = watcher
      number = watcher.add(continuation)
    }

    deinit { watcher.remove(number) }
  }
}
