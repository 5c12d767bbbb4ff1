import Foundation
import Ledger
import LedgerSQLite
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
    var overview: JournalOverview?
  }

  /// Throws where there is no such journal, or it cannot be read.
  package init(_ path: String) throws(JournalError) {
    self.path = path
    id = URL(filePath: path).deletingPathExtension().lastPathComponent
    let journal = try Journal(at: path, access: .readOnly)
    state = Mutex(State(quick: journal, mark: FileMark(path, isCopy: journal.isCopy)))
  }

  /// Looks into the journal. A file that was replaced is opened anew, and so is one that can only
  /// be read as a copy and has changed since.
  private func look<Value>(
    _ batch: String? = nil, isSlow: Bool = false,
    _ body: (Journal) throws(JournalError) -> Value
  ) throws(HubError) -> Value {
    if let batch, BatchKey(batch) != BatchKey(id) { throw .noBatch(batch) }
    do throws(JournalError) { return try body(journal(isSlow: isSlow)) } catch {
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
    batch.benches = try look { (journal) throws(JournalError) in
      try journal.isAtWork() ? 1 : 0
    }
    batch.lastEvent = try newestNumber()
    return [batch]
  }

  package func batch(_ batch: String) throws(HubError) -> HubBatch {
    let known = state.withLock { $0.overview }
    let found = try look(batch) { (journal) throws(JournalError) in try journal.overview(known) }
    let tally = found.tally
    state.withLock { $0.overview = found }
    var batch = HubBatch(
      id: id, source: found.source?.description.name ?? "",
      settings: found.source?.description.givenSettings ?? [],
      made: found.source?.adopted ?? 0, jobs: tally.jobs, pending: tally.pending,
      reserved: tally.reserved, written: tally.written, failed: tally.failed, scrap: tally.scrap)
    (batch.types, batch.putBack) = (found.types, found.putBack)
    return batch
  }

  package func journal(of batch: String) throws(HubError) -> Journal {
    try look(batch) { (_) throws(JournalError) in try Journal(at: path, access: .readOnly) }
  }

  // MARK: Events

  package func events(
    of batch: String, after number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    try look(batch) { (journal) throws(JournalError) in
      try journal.events(of: id, after: number, limit: limit)
    }
  }

  package func events(
    of batch: String, upTo number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    try look(batch, isSlow: true) { (journal) throws(JournalError) in
      try journal.events(of: id, upTo: number, limit: limit)
    }
  }

  package func figures(of batch: String, upTo number: Int64) throws(HubError) -> Figures {
    try look(batch, isSlow: true) { (journal) throws(JournalError) in
      try journal.figures(upTo: number)
    }
  }

  package func lastEvent(of batch: String) throws(HubError) -> Int64 {
    try look(batch) { (journal) throws(JournalError) in try journal.lastEvent() }
  }

  package func newestNumber() throws(HubError) -> Int64 {
    try look { (journal) throws(JournalError) in try journal.lastEvent() }
  }

  /// Old journals have no index of tags: their events are gone through once.
  package func history(ofTag uid: UID, limit: Int) throws(HubError) -> [NamedEvent] {
    try look(isSlow: true) { (journal) throws(JournalError) in
      try journal.history(ofTag: uid.bytes, of: id, limit: limit)
    }
  }

  package func history(
    ofJob number: Int, in batch: String, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    try look(batch) { (journal) throws(JournalError) in
      try journal.history(ofJob: number, of: id, limit: limit)
    }
  }

  // MARK: Runs and jobs

  package func runs(of batch: String, limit: Int) throws(HubError) -> [SeriesRun] {
    try look(batch) { (journal) throws(JournalError) in try journal.runs(limit: limit) }
  }

  package func stations(of batch: String) throws(HubError) -> [NamedStation] {
    try look(batch) { (journal) throws(JournalError) in try journal.stations(limit: 1000) }
  }

  package func jobs(
    of batch: String, _ filter: JobFilter, after: Int, limit: Int
  ) throws(HubError) -> [ListedJob] {
    try look(batch, isSlow: filter.name != nil || filter.text != nil) {
      (journal) throws(JournalError) in try journal.jobs(filter, after: after, limit: limit)
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
