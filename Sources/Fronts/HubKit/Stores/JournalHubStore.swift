import Foundation
import GRDB
import Ledger
import LedgerSQLite
import Provisioning
import Synchronization
import TagMemory

/// One journal's file, looked at while `nfcprog provision` works on it or not.
///
/// It is read only: whoever writes waits for nobody who reads. What takes long has a connection of
/// its own, so that the others do not wait for it.
package final class JournalHubStore: HubStore {
  package let path: String
  /// The file's name without its ending.
  let id: String
  private let state: Mutex<State>
  package var takesBatches: Bool { false }

  private struct State {
    var quick: Journal
    var slow: Journal?
    /// The file that was opened.
    var mark: FileMark
    var tally: (event: Int64, tally: Tally)?
  }

  /// Throws where there is no such journal, or it cannot be read.
  package init(_ path: String) throws(JournalError) {
    self.path = path
    id = URL(filePath: path).deletingPathExtension().lastPathComponent
    let journal = try Journal(at: path, access: .readOnly)
    state = Mutex(State(quick: journal, mark: FileMark(path, isCopy: journal.isCopy)))
  }

  func check(_ batch: String) throws(HubError) {
    guard BatchKey(batch) == BatchKey(id) else { throw .noBatch(batch) }
  }

  /// Looks at one moment of the journal. A file that was replaced is opened anew, and so is one
  /// that can only be read as a copy and has changed since.
  func read<Value>(
    isSlow: Bool = false, _ body: (Database) throws -> Value
  ) throws(HubError) -> Value {
    do throws(JournalError) {
      return try journal(isSlow: isSlow).read(body)
    } catch {
      throw HubError(error)
    }
  }

  private func journal(isSlow: Bool) throws(JournalError) -> Journal {
    try state.withLock { (state) throws(JournalError) -> Journal in
      if FileMark(path, isCopy: state.quick.isCopy) != state.mark {
        let journal = try Journal(at: path, access: .readOnly)
        state = State(quick: journal, mark: FileMark(path, isCopy: journal.isCopy))
      }
      guard isSlow, !state.quick.isCopy else { return state.quick }
      if let slow = state.slow { return slow }
      let slow = try Journal(at: path, access: .readOnly)
      state.slow = slow
      return slow
    }
  }

  // MARK: The batch

  package func batches() throws(HubError) -> [HubBatch] {
    var batch = try batch(id)
    batch.benches = try read { db in try Journal.sessionsAtWork(in: db).isEmpty ? 0 : 1 }
    batch.lastEvent = try newestNumber()
    return [batch]
  }

  package func batch(_ batch: String) throws(HubError) -> HubBatch {
    try check(batch)
    let known = state.withLock { $0.tally }
    let (found, event) = try read { db in
      let event = try Int64.fetchOne(db, sql: "SELECT max(id) FROM event") ?? 0
      var batch = HubBatch(id: id, source: "")
      if let row = try Row.fetchOne(db, sql: "SELECT * FROM source") {
        batch.source = row["name"]
        batch.settings = try StoredJob.pairs(row["settings"]).map { .init($0.0, $0.1) }
        batch.made = row["adopted_at"]
      }
      let tally = try Self.tally(db, known, upTo: event)
      (batch.jobs, batch.pending, batch.reserved) = (tally.jobs, tally.pending, tally.reserved)
      (batch.written, batch.failed, batch.scrap) = (tally.written, tally.failed, tally.scrap)
      return (batch, event)
    }
    var tally = Tally()
    (tally.pending, tally.reserved) = (found.pending, found.reserved)
    (tally.written, tally.failed, tally.scrap) = (found.written, found.failed, found.scrap)
    state.withLock { $0.tally = (event, tally) }
    return found
  }

  package func journal(of batch: String) throws(HubError) -> Journal {
    try check(batch)
    do throws(JournalError) { return try Journal(at: path, access: .readOnly) } catch {
      throw HubError(error)
    }
  }

  // MARK: Nothing is made here

  package func make(_ list: HubList, _ request: HubRequest?) throws(HubError) -> HubBatch {
    throw .oneJournal
  }

  package func extend(
    _ batch: String, csv: String, _ request: HubRequest?
  ) throws(HubError) -> HubBatch { throw .oneJournal }

  package func close(_ batch: String, _ request: HubRequest?) throws(HubError) -> HubBatch {
    throw .oneJournal
  }
}

/// What tells one state of a file from another: the file itself, and of one that is read as a copy
/// what it holds.
private struct FileMark: Hashable {
  private var parts: [String] = []

  init(_ path: String, isCopy: Bool) {
    let files = FileManager.default
    for suffix in isCopy ? ["", "-wal"] : [""] {
      let found = try? files.attributesOfItem(atPath: path + suffix)
      parts.append("\(found?[.systemNumber] ?? "") \(found?[.systemFileNumber] ?? "")")
      guard isCopy else { continue }
      let changed = found?[.modificationDate] as? Date
      parts.append("\(found?[.size] ?? "") \(changed?.timeIntervalSince1970 ?? 0)")
    }
  }
}
