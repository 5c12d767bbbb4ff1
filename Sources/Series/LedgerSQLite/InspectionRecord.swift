import Foundation
import GRDB
import Ledger
import TagMemory

/// Why a finished tag is inspected.
package enum InspectionReason: String, Hashable, Sendable {
  /// It is the first good one of a reel.
  case first
  /// It is the n-th.
  case every
  /// It has failed an inspection, and was written again.
  case again
  /// Somebody laid it down to be inspected.
  case asked
}

/// What is known of the inspection of a job's tag.
package struct InspectionRecord: Hashable, Sendable {
  package let reason: InspectionReason
  /// Nil: the tag still waits for it. Else whether it was good.
  package let isGood: Bool?
  /// Why it was bad.
  package let trouble: TagTrouble?
  package let when: Date?
  package let station: String?
  package let reader: String?
}

/// What an inspection has found wrong.
package struct InspectionFault: Hashable, Sendable {
  package let trouble: TagTrouble
  /// What the tag holds; nil where that could not be read.
  package let message: [UInt8]?

  package init(_ trouble: TagTrouble, message: [UInt8]?) {
    (self.trouble, self.message) = (trouble, message)
  }
}

extension JournalSession {
  /// The job's tag is to be inspected.
  func want(_ reason: InspectionReason, ofJob number: Int, _ uid: UID, in db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM inspection WHERE job = ? AND result IS NULL")
      .execute(arguments: [number])
    try db.cachedStatement(sql: "INSERT INTO inspection (job, uid, reason) VALUES (?, ?, ?)")
      .execute(arguments: [number, Data(uid.bytes), reason.rawValue])
  }

  /// Records what an inspection of `written` on `tag` has found; nil: all is well.
  ///
  /// A tag with a fault is no good tag any more. Where it provably does not hold its job, that goes
  /// to the next tag and this one is scrap; else the job is kept for it until it is put on a reader
  /// again. Throws `reservationLost`, and the tag is not to be inspected here, where the job is no
  /// longer this tag's. On the disk when this returns. A pool that hears of it later may have the
  /// tag in other hands by then: the inspection does not count then, either.
  @discardableResult
  package func inspected(
    _ written: WrittenTag, on tag: PresentedTag, _ fault: InspectionFault?, timing: Timing
  ) throws(JournalError) -> PoolHearing {
    do throws(JournalError) {
      try journal.pool?.mayInspect(written)
      let taken = try inspectedHere(written, on: tag, fault, timing: timing)
      guard let pool = journal.pool else { return .heard }
      guard let taken else { return pool.isAway ? .away : .heard }
      return try pool.confirm(taken, ofJob: written.job.number)
    } catch .reservationLost(let number) {
      // Whoever has the tag has it inspected.
      try journal.write { db in
        try db.execute(
          sql: "DELETE FROM inspection WHERE job = ? AND result IS NULL", arguments: [number])
      }
      throw .reservationLost(job: number)
    }
  }

  /// Records what an inspection has found by what this journal says; returns the event that took
  /// the job of a tag with a fault.
  private func inspectedHere(
    _ written: WrittenTag, on tag: PresentedTag, _ fault: InspectionFault?, timing: Timing
  ) throws(JournalError) -> Int64? {
    let number = written.job.number
    return try journal.write { db in
      guard case .written(let now)? = try journal.history(of: written.uid, in: db),
        now.job.number == number
      else { throw JournalError.reservationLost(job: number) }
      try enter(number, written.uid, tag, fault?.trouble, in: db)
      guard let fault else { return nil }
      let held = PresentedTag(
        uid: written.uid, tagType: tag.tagType ?? written.tagType, station: tag.station,
        reader: tag.reader)
      let uid = written.uid.bytes
      let isThere = fault.message.map { digest(of: $0) == written.digest }
      let taken = try carryOut(
        [.takeOver(bench: bench(held), tag: uid)], on: number, held,
        draft: isThere == true ? fault.message : nil, in: db)
      let ending =
        isThere == false
        ? LedgerCommand.giveBack(bench: bench(held), epoch: taken, tag: uid, isScrap: true)
        : .hold(bench: bench(held), epoch: taken, tag: uid)
      try carryOut([ending], on: number, held, fault.trouble, timing, in: db)
      return taken
    }
  }

  private func enter(
    _ number: Int, _ uid: UID, _ tag: PresentedTag, _ trouble: TagTrouble?, in db: Database
  ) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO inspection (job, uid, reason) SELECT ?, ?, 'asked'
        WHERE NOT EXISTS (SELECT 1 FROM inspection WHERE job = ? AND result IS NULL)
        """
    ).execute(arguments: [number, Data(uid.bytes), number])
    try db.cachedStatement(
      sql: """
        UPDATE inspection SET result = ?, session = ?, station = ?, reader = ?, cause = ?, text = ?,
          inspected_at = ?, uid = ? WHERE job = ? AND result IS NULL
        """
    ).execute(arguments: [
      trouble == nil ? "good" : "bad", id, tag.station, tag.reader, trouble?.cause, trouble?.text,
      journal.clock(), Data(uid.bytes), number,
    ])
  }
}

extension Journal {
  /// Finished tags that wait for their inspection, in the order of their jobs.
  package func inspectionsDue() throws(JournalError) -> [WrittenTag] {
    try read { db in
      let sql =
        Self.jobsWithEvents + """
           JOIN inspection ON inspection.job = job.number AND inspection.uid = job.uid
            AND inspection.result IS NULL
          WHERE job.state = 'written' ORDER BY job.number
          """
      return try Row.fetchAll(db, sql: sql).map(Self.writtenTag)
    }
  }

  /// The last inspection of this job's tag; nil where there was none, and none is wanted.
  package func inspection(ofJob number: Int) throws(JournalError) -> InspectionRecord? {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT * FROM inspection WHERE job = ? ORDER BY id DESC LIMIT 1")
      return try Row.fetchOne(statement, arguments: [number]).map { row in
        let (result, cause): (String?, String?) = (row["result"], row["cause"])
        return InspectionRecord(
          reason: InspectionReason(rawValue: row["reason"]) ?? .asked,
          isGood: result.map { $0 == "good" },
          trouble: cause.map { TagTrouble(stored: $0, row["text"] ?? "") },
          when: (row["inspected_at"] as Int64?).map { Date(milliseconds: $0) },
          station: row["station"], reader: row["reader"])
      }
    }
  }
}
