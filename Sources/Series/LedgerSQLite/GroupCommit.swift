import Dispatch
import GRDB
import Synchronization

/// Lets changes that come at the same time share one commit, and so one wait for the disk.
///
/// Whoever comes while nobody commits does so at once; those who come meanwhile wait, and the first
/// of them commits for all. Each change is a savepoint of its own: one that throws takes nothing of
/// the others back. When the commit itself fails, all of them fail.
final class GroupCommit: @unchecked Sendable {
  // Sendable by hand: all but constants is in `state`, or handed over by a semaphore.
  private final class Change: @unchecked Sendable {
    // Sendable by hand: its owner waits for its turn while another thread works with it.
    /// Nil once it was carried out.
    var body: ((Database) throws -> Void)?
    let turn = DispatchSemaphore(value: 0)
    /// Is true if it is its turn to commit; else it is done.
    var commits = false
    var failure: (any Error)?

    init(_ body: @escaping (Database) throws -> Void) { self.body = body }
  }

  private struct State {
    var waiting: [Change] = []
    var isCommitting = false
  }

  private let state = Mutex(State())
  private let database: DatabaseQueue
  /// More changes wait for the next commit: none of them should wait for long.
  private static let limit = 64

  init(_ database: DatabaseQueue) { self.database = database }

  /// Carries `body` out in a transaction, which is on the disk when this returns. `check` comes
  /// before the commit.
  func write<Value>(
    checking check: () throws -> Void, _ body: (Database) throws -> Value
  ) throws -> Value {
    var value: Value?
    try withoutActuallyEscaping(body) { body in
      let change = Change { db in value = try body(db) }
      let mustWait = state.withLock { state in
        if state.isCommitting { state.waiting.append(change) }
        defer { state.isCommitting = true }
        return state.isCommitting
      }
      if mustWait { change.turn.wait() }
      guard !mustWait || change.commits else {
        if let failure = change.failure { throw failure }
        return
      }
      let others = mustWait ? takeOthers() : []
      defer { handOver(others) }
      try commit([change] + others, check)
    }
    guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
    return value
  }

  private func takeOthers() -> [Change] {
    state.withLock { state in
      let others = Array(state.waiting.prefix(Self.limit))
      state.waiting.removeFirst(others.count)
      return others
    }
  }

  /// Lets the others go, and whoever is next commit.
  private func handOver(_ done: [Change]) {
    let next = state.withLock { state -> Change? in
      state.isCommitting = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.commits = true
    next?.turn.signal()
    for change in done { change.turn.signal() }
  }

  private func commit(_ changes: [Change], _ check: () throws -> Void) throws {
    // What a change refers to is its owner's, who does not wait for longer than this.
    defer { for change in changes { change.body = nil } }
    do {
      try database.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          for change in changes {
            do {
              try db.inSavepoint {
                try change.body?(db)
                return .commit
              }
            } catch {
              change.failure = error
              // A full disk and the like take the whole transaction back.
              guard db.isInsideTransaction else { throw error }
            }
          }
          try check()
          return .commit
        }
      }
    } catch {
      for change in changes { change.failure = error }
    }
    if let failure = changes[0].failure { throw failure }
  }
}
