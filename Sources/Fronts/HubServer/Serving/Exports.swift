import Foundation
import HTTPServing
import HubKit
import LedgerSQLite
import Synchronization

/// Documents that take long to make and much room: a few at a time, and only for as long as
/// somebody waits for them.
final class Exports: Sendable {
  private struct State {
    /// Being made, or waiting for that.
    var wanted = 0
    /// Bytes of documents that are being taken.
    var bytes = 0
  }

  private let state = Mutex(State())
  /// Two at a time; the others wait.
  private let threads = StoreThreads(count: 2, isLongWork: true)
  private static let mostWanted = 8
  /// All documents together, made and not taken yet.
  private static let mostBytes = 1 << 30

  /// A document of the journal that `open` opens, which `make` writes at a path. Throws `tooMany`
  /// where enough are wanted already, and ends soon when nobody waits for it. `open` can
  /// ask whether somebody does.
  func document(
    for client: ClientPresence?,
    _ open: @escaping @Sendable (@Sendable () -> Bool) throws -> Journal,
    _ make: @escaping @Sendable (Journal, String) throws -> Void
  ) async throws -> Spool {
    try begin()
    defer { state.withLock { $0.wanted -= 1 } }
    let work = Work()
    let number = client?.whenGone { work.stop() }
    defer { client?.forget(number) }
    let spool = try await threads.run {
      defer { work.finish() }
      try work.check()
      let journal = try open { work.isWanted }
      try work.begin(journal)
      return try Spool { try make(journal, $0) }
    }
    try work.check()
    let isTooMuch = state.withLock { state in
      guard state.bytes + spool.size <= Self.mostBytes || state.bytes == 0 else { return true }
      state.bytes += spool.size
      return false
    }
    guard !isTooMuch else { throw Self.refusal }
    let size = spool.size
    spool.whenGone { [self] in state.withLock { $0.bytes -= size } }
    return spool
  }

  private static let refusal = Problem(
    .tooMany, "Other exports are being made or taken: that is all the hub does at a time.",
    retryAfter: 10)

  private func begin() throws {
    try state.withLock { state in
      guard state.wanted < Self.mostWanted, state.bytes < Self.mostBytes else {
        throw Self.refusal
      }
      state.wanted += 1
    }
  }

  /// One document that is being made.
  private final class Work: Sendable {
    private struct State {
      var isWanted = true
      var isOver = false
      var journal: Journal?
    }

    private let state = Mutex(State())
    /// Between two tries to end a statement: it may just have begun when the last one came.
    private static let pause = DispatchTimeInterval.milliseconds(50)

    var isWanted: Bool { state.withLock(\.isWanted) }

    func check() throws { if !isWanted { throw CancellationError() } }

    func begin(_ journal: Journal) throws {
      state.withLock { $0.journal = journal }
      try check()
    }

    func finish() {
      state.withLock { state in
        (state.isOver, state.journal) = (true, nil)
      }
    }

    func stop() {
      state.withLock { $0.isWanted = false }
      interrupt()
    }

    private func interrupt() {
      let (journal, isOver) = state.withLock { ($0.journal, $0.isOver) }
      guard !isOver else { return }
      journal?.interrupt()
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { self.interrupt() }
    }
  }
}
