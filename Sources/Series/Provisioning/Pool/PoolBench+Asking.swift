import LedgerPostgreSQL
import LedgerSQLite
import Synchronization

/// The database, there or not: telling it, and asking it.
extension PoolBench {
  /// Carries `body` out as the bench's only voice; false where the database does not answer.
  func attempt(_ body: () throws(PoolError) -> Void) -> Bool {
    noticing { () throws(PoolError) in
      try speaking(body)
    }
  }

  private func speaking(_ body: () throws(PoolError) -> Void) throws(PoolError) {
    try voice.withLock { (_) throws(PoolError) in
      try checkHope()
      if isAway { try returnToPool() }
      try body()
    }
  }

  /// The database answers again. Meanwhile it may have been restored from a backup, or have lost
  /// what it was told last where it was killed. Stations that reserve now wait for the pool's word.
  private func returnToPool() throws(PoolError) {
    state.withLock { ($0.isReturning, $0.askedOn) = (true, 0) }
    defer { state.withLock { $0.isReturning = false } }
    if let told {
      try checkRows()
      try store.sayAlive(host: told.host)
      try settle()
    }
    state.withLock { ($0.isAway, $0.obstacle) = (false, nil) }
    tellNews(.back)
  }

  /// Asks the pool, once it has heard all that happened here to the tag with `uid`; false where the
  /// database does not answer. Who only asks does not wait for those who tell.
  func ask(about uid: [UInt8]? = nil, _ body: () throws(PoolError) -> Void) -> Bool {
    noticing { () throws(PoolError) in
      if let uid, try isUntold(uid) { try speaking(tellAll) }
      try hearing(body)
      // A database that has forgotten what it was told says too little.
      guard askedOn != store.connections else { return }
      try speaking(tellAll)
      try hearing(body)
    }
  }

  private func hearing(_ body: () throws(PoolError) -> Void) throws(PoolError) {
    try ears.withLock { (_) throws(PoolError) in
      try checkHope()
      try body()
    }
  }

  /// The connection on which the bench has heard how far the pool is.
  var askedOn: Int { state.withLock { $0.askedOn } }

  private func isUntold(_ uid: [UInt8]) throws(PoolError) -> Bool {
    let last = state.withLock { $0.toldUpTo }
    return try local(journal.hasUntold(uid, after: last))
  }

  /// Throws where the database was found away a moment ago, by whoever was waited for: stations do
  /// not find it out one after the other.
  private func checkHope() throws(PoolError) {
    guard state.withLock({ $0.isAway && $0.nextTry > .now }) else { return }
    // Nobody has asked it now: who asks all the time would put the next try off for good.
    throw .bench("The database does not answer.")
  }

  /// Says that the database is away where `body` finds it so; false then.
  private func noticing(_ body: () throws(PoolError) -> Void) -> Bool {
    guard !isCopied else { return false }
    do throws(PoolError) {
      try body()
      return true
    } catch {
      switch error {
      // Whoever works on a tag meets it himself.
      case .bench, .copied: break
      default: tellOf(error)
      }
      return false
    }
  }

  /// Says so where the database was not known to be away, or where it is back and cannot be used.
  private func tellOf(_ error: PoolError) {
    let isObstacle =
      switch error {
      case .rowsMissing, .otherRows: true
      default: false
      }
    let isNews = state.withLock { state in
      defer {
        state.isAway = true
        state.nextTry = .now + .seconds(1)
        if isObstacle { state.obstacle = error }
      }
      return isObstacle ? state.obstacle != error : !state.isAway
    }
    guard isNews else { return }
    let jobs = (try? journal.freeClaims().count) ?? 0
    tellNews(isObstacle ? .unusable("\(error)", jobs: jobs) : .away("\(error)", jobs: jobs))
  }

  /// The bench's own journal as a part of what it reports: its failures are none of the database's.
  func local<Value>(
    _ body: @autoclosure () throws(JournalError) -> Value
  ) throws(PoolError) -> Value {
    do throws(JournalError) { return try body() } catch { throw .bench("\(error)") }
  }
}
