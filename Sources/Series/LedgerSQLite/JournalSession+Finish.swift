import Foundation
import GRDB
import Ledger
import TagMemory

extension JournalSession {
  /// Records that the tag holds the job, `verified` being what was read back. On the disk when this
  /// returns. Throws, and changes nothing, when that is another message or the reservation is no
  /// longer in force; throws, too, when the pool has the job in other hands: the tag is set aside
  /// then. `inspecting`: the tag is to be inspected, and why.
  package func complete(
    _ reservation: Reservation, verified: VerifiedTag, timing: Timing,
    inspecting: InspectionReason? = nil
  ) throws(JournalError) -> WrittenTag {
    let (written, event) = try completeHere(reservation, verified, timing, inspecting)
    _ = try journal.pool?.confirm(event, ofJob: reservation.job.number)
    return written
  }

  /// The tag, and the number of the event that says so.
  private func completeHere(
    _ reservation: Reservation, _ verified: VerifiedTag, _ timing: Timing,
    _ inspecting: InspectionReason?
  ) throws(JournalError) -> (WrittenTag, event: Int64) {
    try journal.write { db in
      let decision = try decide(
        [
          .finish(
            bench: bench(reservation.tag), epoch: reservation.token, tag: reservation.uid,
            message: digest(of: verified.message))
        ], on: reservation.job.number, in: db)
      if decision == .refused(.otherMessage) {
        throw JournalError.otherMessage(job: reservation.job.number)
      }
      try check(decision, of: reservation)
      let event = try record(
        .written, reservation.tag, job: reservation.job.number, nil, timing, in: db)
      try db.cachedStatement(
        sql: """
          UPDATE job SET state = 'written', event = ?, is_locked = ?, is_protected = ?, message = NULL
          WHERE number = ? AND state = 'reserved' AND event = ?
          """
      ).execute(arguments: [
        event, verified.isLocked, verified.isProtected, reservation.job.number, reservation.token,
      ])
      try checkChange(of: reservation, db)
      if deliversResults {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO result_due VALUES (?, ?)")
          .execute(arguments: [reservation.job.number, event])
      }
      if printsLabels { try wantLabel(ofJob: reservation.job.number, in: db) }
      if let inspecting, let uid = reservation.tag.uid {
        try want(inspecting, ofJob: reservation.job.number, uid, in: db)
      }
      return (try journal.writtenTag(ofJob: reservation.job.number, in: db), event)
    }
  }

  /// Gives the job to the next tag: this one provably does not hold its message. `isScrap`: the tag
  /// is not to be used again.
  package func giveBack(
    _ reservation: Reservation, because trouble: TagTrouble, isScrap: Bool, timing: Timing
  ) throws(JournalError) {
    defer { journal.pool?.poke() }
    try journal.write { db in
      try check(
        decide(
          [
            .giveBack(
              bench: bench(reservation.tag), epoch: reservation.token, tag: reservation.uid,
              isScrap: isScrap)
          ], on: reservation.job.number, in: db), of: reservation)
      let event = try record(
        .returned, reservation.tag, job: reservation.job.number, trouble, timing, in: db)
      try db.cachedStatement(sql: Self.freeing + " AND event = ?")
        .execute(arguments: [event, reservation.job.number, reservation.token])
      try checkChange(of: reservation, db)
      if isScrap, let uid = reservation.tag.uid { try scrap(uid, event, db) }
    }
  }

  /// Keeps the job for the tag, which went away and may hold its message, until it comes back.
  package func hold(_ reservation: Reservation, because trouble: TagTrouble, timing: Timing)
    throws(JournalError)
  {
    defer { journal.pool?.poke() }
    try journal.write { db in
      try check(
        decide(
          [.hold(bench: bench(reservation.tag), epoch: reservation.token, tag: reservation.uid)],
          on: reservation.job.number, in: db), of: reservation)
      let event = try record(
        .held, reservation.tag, job: reservation.job.number, trouble, timing, in: db)
      try db.cachedStatement(
        sql: "UPDATE job SET event = ? WHERE number = ? AND state = 'reserved' AND event = ?"
      ).execute(arguments: [event, reservation.job.number, reservation.token])
      try checkChange(of: reservation, db)
    }
  }

  /// Notes a tag that was presented and left alone, and why. A tag with a history may name its job.
  package func passOver(
    _ tag: PresentedTag, job: Int? = nil, because reason: TagTrouble, timing: Timing
  )
    throws(JournalError)
  {
    try journal.write { db in
      _ = try record(.passed, tag, job: job, reason, timing, in: db)
    }
  }

  /// Makes a reserved job wait for a tag again; event and number follow.
  package static let freeing = """
    UPDATE job SET state = 'pending', event = ?, uid = NULL, tag = NULL, message_digest = NULL,
      message_length = NULL, uri = NULL, day = NULL, message = NULL WHERE number = ? AND state = 'reserved'
    """

  package func scrap(_ uid: UID, _ event: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO scrap VALUES (?, ?)")
      .execute(arguments: [Data(uid.bytes), event])
  }

  /// Throws where the rules do not let the reservation's holder do so.
  private func check(_ decision: LedgerDecision, of reservation: Reservation) throws {
    if case .changed = decision { return }
    throw JournalError.reservationLost(job: reservation.job.number)
  }

  private func checkChange(of reservation: Reservation, _ db: Database) throws {
    guard db.changesCount == 1 else {
      throw JournalError.reservationLost(job: reservation.job.number)
    }
  }
}
