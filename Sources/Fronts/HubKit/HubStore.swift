import Foundation
import JobLists
import Ledger
import LedgerSQLite
import TagMemory

/// What a hub shows and takes: one journal's file, or all batches of a pool.
///
/// Every call opens what it needs, reads a bounded amount of rows and holds up no bench. Calls come
/// from several threads.
package protocol HubStore: Sendable {
  /// Is true if batches can be made, extended and closed here: a journal's file has just its own.
  var takesBatches: Bool { get }

  /// All batches, the oldest first.
  func batches() throws(HubError) -> [HubBatch]

  /// The newest batches, the oldest first, `limit` at most.
  func batches(limit: Int) throws(HubError) -> [HubBatch]

  /// One batch. Throws `.noBatch` where there is none.
  func batch(_ id: String) throws(HubError) -> HubBatch

  /// Returns what happened after the event with this number, in order, `limit` at most.
  func events(
    of batch: String, after number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent]

  /// The newest events up to the one with this number, in order, `limit` at most.
  func events(
    of batch: String, upTo number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent]

  /// How many tags were good, failed or were left alone, up to the event with this number.
  func figures(of batch: String, upTo number: Int64) throws(HubError) -> Figures

  /// The number of the newest event; 0: there is none.
  func lastEvent(of batch: String) throws(HubError) -> Int64

  /// The greatest number that an event of any batch has; before it some may still be missing.
  func newestNumber() throws(HubError) -> Int64

  /// Runs of benches, the newest first, `limit` at most; those that go on before all others.
  func runs(of batch: String, limit: Int) throws(HubError) -> [SeriesRun]

  /// The time now, in milliseconds since 1970: by the clock that tells when events came.
  func now() throws(HubError) -> Int64

  /// What stations show now, as far as benches have said.
  func stations(of batch: String) throws(HubError) -> [NamedStation]

  /// Jobs behind the number `after`, in order, `limit` at most.
  func jobs(
    of batch: String, _ filter: JobFilter, after: Int, limit: Int
  ) throws(HubError) -> [ListedJob]

  /// How many jobs the batch has.
  func jobCount(of batch: String) throws(HubError) -> Int

  /// Returns what happened to the tag in all batches, in order, `limit` at most.
  func history(ofTag uid: UID, limit: Int) throws(HubError) -> [NamedEvent]

  /// Returns what happened to a job, in order, `limit` at most.
  func history(ofJob number: Int, in batch: String, limit: Int) throws(HubError) -> [NamedEvent]

  /// The batch as a journal, as it is at one moment: for its report.
  func journal(of batch: String) throws(HubError) -> Journal

  /// Returns the batch as a journal, as it is at one moment, for its report; gives up a copy that
  /// is being made once `isWanted` is false.
  func journal(
    of batch: String, while isWanted: @Sendable () -> Bool
  ) throws(HubError) -> Journal

  /// Makes a batch of a list, as a whole or not at all. Throws `.exists` where one of this id is
  /// there with another list; the same list once more is no mistake. A request is kept with what it
  /// does, and does nothing twice.
  func make(_ list: HubList, _ request: HubRequest?) throws(HubError) -> HubBatch

  /// Adds the rows of a CSV text with the batch's own columns at the end, as a whole or not at all;
  /// gives the batch as it is then.
  func extend(
    _ batch: String, csv: String, _ request: HubRequest?
  ) throws(HubError) -> HubBatch

  /// Ends the batch: benches claim no more of its jobs. What they have begun, they finish.
  func close(_ batch: String, _ request: HubRequest?) throws(HubError) -> HubBatch

  /// The batch of a request that was carried out; nil: it was not. Throws `.reusedKey` where
  /// another one came with its key.
  func batch(after request: HubRequest) throws(HubError) -> HubBatch?

  /// The ids of all batches, the oldest first.
  func batchIDs() throws(HubError) -> [String]

  /// The ids of the batches that have a job on this tag, a hundred at most.
  func batchIDs(withTag uid: UID) throws(HubError) -> [String]
}

extension HubStore {
  package func batches(limit: Int) throws(HubError) -> [HubBatch] {
    Array(try batches().suffix(limit))
  }

  package func jobCount(of batch: String) throws(HubError) -> Int { try self.batch(batch).jobs }

  package func now() throws(HubError) -> Int64 {
    Int64(Date().timeIntervalSince1970 * 1000)
  }
}

/// Why a hub cannot answer.
package enum HubError: Error, Hashable {
  /// The journal or the database does not answer; with a sentence.
  case away(String)
  case noBatch(String)
  /// The list has mistakes: a sentence for each row, some of the first of them.
  case badList([String])
  /// A batch of this id is there with other jobs.
  case exists(String)
  case closed(String)
  /// Another request came with the same key before.
  case reusedKey
  /// A journal's file has just its own batch.
  case oneJournal
  /// The database does not let this user do it.
  case notAllowed(String)
  case failed(String)
}

/// A batch: one list of jobs and where they stand.
package struct HubBatch: Hashable, Sendable {
  /// In the API's addresses. A pool's batch has its name, a journal its file's name without the
  /// ending.
  package var id: String
  /// What the list was called.
  package var source: String
  /// The list's settings, in order.
  package var settings: [SourceDescription.Setting]
  /// Milliseconds since 1970.
  package var made: Int64
  package var jobs: Int
  package var pending: Int
  /// Counts the pending jobs that benches have claimed.
  package var claimed = 0
  /// A tag may hold them, and is being written or waited for.
  package var reserved: Int
  package var written: Int
  /// Counts those of them that hold what they held before the series, once all are written.
  package var putBack = 0
  /// Counts these by the type of their tags, as `sim:` names it; empty where nobody told the types.
  package var types: [String: Int] = [:]
  /// No message can be made of them.
  package var failed: Int
  /// Tags that were set aside.
  package var scrap: Int
  package var isClosed: Bool
  /// How many benches are at work on it, and the number of its newest event: of a list of batches.
  package var benches: Int?
  package var lastEvent: Int64?

  package init(
    id: String, source: String, settings: [SourceDescription.Setting] = [], made: Int64 = 0,
    jobs: Int = 0, pending: Int = 0, reserved: Int = 0, written: Int = 0, failed: Int = 0,
    scrap: Int = 0, isClosed: Bool = false
  ) {
    (self.id, self.source, self.settings, self.made) = (id, source, settings, made)
    (self.jobs, self.pending, self.reserved) = (jobs, pending, reserved)
    (self.written, self.failed, self.scrap) = (written, failed, scrap)
    self.isClosed = isClosed
  }
}

/// A list of jobs that somebody sends.
package struct HubList: Hashable, Sendable {
  /// The batch's id.
  package var id: String
  /// A CSV text whose first line names the columns.
  package var csv: String
  /// The URL for each row, with `{column}` where a column's text goes; nil: the column `url`.
  package var template: String?
  /// The type of tag of rows that name none, as `sim:` calls it.
  package var tagType: String?
  package var locks: Bool

  package init(
    id: String, csv: String, template: String? = nil, tagType: String? = nil, locks: Bool = false
  ) {
    (self.id, self.csv, self.template) = (id, csv, template)
    (self.tagType, self.locks) = (tagType, locks)
  }
}
