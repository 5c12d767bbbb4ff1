import Foundation
import JSON
import Ledger
import SeriesReports

/// All batches of a hub: `GET /v1/batches`.
package struct BatchListJSON: OutputDocument {
  /// The newest first.
  package var batches: [BatchJSON]
  /// Is true if batches can be made here.
  package var takesBatches: Bool

  /// `batches`: as a store has them, the oldest first.
  package init(_ batches: [HubBatch], takesBatches: Bool) {
    self.batches = batches.reversed().map { BatchJSON($0) }
    self.takesBatches = takesBatches
  }
}

/// One batch, and where its jobs stand.
package struct BatchJSON: OutputDocument {
  package var id: String
  /// What the list was called.
  package var source: String
  /// By name.
  package var settings: [String: String]
  package var made: String
  package var jobs: Int
  package var pending: Int
  /// Counts the pending jobs that benches have claimed: a bench goes on with them though the batch
  /// is closed. Nil: there are none.
  package var claimed: Int?
  package var reserved: Int
  package var written: Int
  package var failed: Int
  package var scrap: Int
  package var closed: Bool
  /// Is true if every job is on a tag, and no tag was put back.
  package var complete: Bool
  /// Of a list of batches: how many benches are at work on it, and the number of its newest event.
  package var benches: Int?
  package var lastEvent: Int64?

  package init(_ batch: HubBatch) {
    (id, source) = (batch.id, batch.source)
    settings = Dictionary(batch.settings.map { ($0.name, $0.value) }) { first, _ in first }
    made = HubTime.text(batch.made)
    (jobs, pending, reserved) = (batch.jobs, batch.pending, batch.reserved)
    claimed = batch.claimed > 0 ? batch.claimed : nil
    (written, failed, scrap) = (batch.written, batch.failed, batch.scrap)
    (closed, complete) = (batch.isClosed, batch.isComplete)
    (benches, lastEvent) = (batch.benches, batch.lastEvent)
  }
}

extension HubBatch {
  /// Is true if every job is on a tag, and no tag was put back.
  package var isComplete: Bool { jobs > 0 && written == jobs && putBack == 0 }
}

/// Times as documents have them.
enum HubTime {
  /// `2026-11-21T19:04:05.123Z`, of milliseconds since 1970.
  static func text(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds.asStoredTime) / 1000).reportText
  }
}
