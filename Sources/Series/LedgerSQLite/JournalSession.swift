import CardCrypto
import Foundation
import GRDB
import JSON
import Ledger
import NDEF
import Synchronization
import TagMemory

/// One run of the program on a journal: whoever changes jobs does it in a session, and every event
/// names it.
package final class JournalSession: Sendable {
  package let journal: Journal
  package let id: Int64
  /// Is true if what became of finished tags is handed on, each at least once.
  let deliversResults: Bool
  /// Is true if finished tags get a printed label.
  let printsLabels: Bool
  /// Is true if the printed label of each finished tag is to be scanned.
  let scansLabels: Bool
  /// Is given the number of each event that keeps a job for a tag, before that tag is written.
  private let progress: (@Sendable (Int64) -> Void)?
  /// Done before the first reservation; nil afterwards.
  private let preparation: Mutex<(@Sendable () -> Void)?>

  fileprivate init(
    _ journal: Journal, _ id: Int64, delivers: Bool, prints: Bool, scansLabels: Bool,
    _ preparation: (@Sendable () -> Void)?, _ progress: (@Sendable (Int64) -> Void)?
  ) {
    self.journal = journal
    self.id = id
    (deliversResults, printsLabels, self.scansLabels) = (delivers, prints, scansLabels)
    self.preparation = Mutex(preparation)
    self.progress = progress
  }

  /// Says that the event with this number keeps a job for a tag.
  func tell(_ event: Int64) { progress?(event) }

  /// Makes sure that what has to be done before the first reservation was done.
  func mark() {
    preparation.withLock { preparation in
      preparation?()
      preparation = nil
    }
  }

  /// Says that the work is over: what is still reserved may be taken over at once.
  package func end() throws(JournalError) {
    journal.pool?.end()
    try journal.write { db in
      try db.execute(
        sql: "UPDATE session SET ended_at = ? WHERE id = ? AND ended_at IS NULL",
        arguments: [journal.clock(), id])
    }
  }

}

extension Journal {
  /// Begins a session. `command` is the command line, without secrets. `deliveringResults`: the
  /// result of each finished tag is handed on, at least once (`resultsDue`). `printingLabels`: each
  /// gets a label, at most once (`labelsDue`). `scanningLabels`: no job is done before its label
  /// was scanned (`labelMatches`). `beforeFirst` is called before the first job is reserved for a
  /// tag, `afterEach` with the number of the event of each reservation.
  package func begin(
    operator name: String, command: String, version: String,
    process: ProcessIdentity = .current, deliveringResults: Bool = false,
    printingLabels: Bool = false, scanningLabels: Bool = false,
    beforeFirst: (@Sendable () -> Void)? = nil, afterEach: (@Sendable (Int64) -> Void)? = nil
  ) throws(JournalError) -> JournalSession {
    let (begun, mark) = (clock(), EventID().bytes)
    let id = try write { db in
      try db.execute(
        sql: """
          INSERT INTO session (operator, command, version, host, boot, namespace, process,
            process_start, begun_at, mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          name, command, version, process.host, process.boot, process.namespace, process.process,
          process.start, begun, Data(mark),
        ])
      return db.lastInsertedRowID
    }
    let session = JournalSession(
      self, id, delivers: deliveringResults, prints: printingLabels, scansLabels: scanningLabels,
      beforeFirst, afterEach)
    if let pool {
      try pool.begin(
        session,
        BenchRun(
          id: mark, operatorName: name, command: command, version: version, host: process.host,
          begun: begun))
    }
    return session
  }

  /// Sessions whose process runs, or may.
  package static func sessionsAtWork(in db: Database) throws -> Set<Int64> {
    let rows = try Row.fetchAll(db, sql: "SELECT * FROM session WHERE ended_at IS NULL")
    return Set(
      rows.compactMap { row -> Int64? in
        process(row).isAlive == false ? nil : row["id"]
      })
  }
}

extension Date {
  /// Since 1970.
  package var milliseconds: Int64 {
    Int64(min(max((timeIntervalSince1970 * 1000).rounded(), -9e18), 9e18))
  }

  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// When something was over that took `duration` microseconds. Of times that cannot be, as a
  /// journal may have them that somebody changed, it is `started`.
  package init(began started: Int64, lasting duration: Int64) {
    let (sum, isOver) = started.addingReportingOverflow(duration / 1000)
    self.init(milliseconds: isOver ? started : sum)
  }
}

extension Duration {
  var microseconds: Int64 { Int64((self / .microseconds(1)).rounded()) }
}

extension Timing {
  /// `{"write":5100,"verify":2000}`, microseconds; a step that came twice is added up.
  var storedSteps: String? {
    var names: [String] = []
    var sums: [String: Int64] = [:]
    for step in steps {
      if sums[step.name] == nil { names.append(step.name) }
      sums[step.name, default: 0] += step.duration.microseconds
    }
    guard !names.isEmpty else { return nil }
    return "{" + names.map { "\(JSONText.quoted($0)):\(sums[$0] ?? 0)" }.joined(separator: ",")
      + "}"
  }
}

/// SHA-256.
package func digest(of bytes: [UInt8]) -> [UInt8] { SHA256.hash(bytes) }
