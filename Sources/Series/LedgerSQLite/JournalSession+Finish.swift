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
      let job = reservation.job.number
      let finish = LedgerCommand.finish(
        bench: bench(reservation.tag), epoch: reservation.token, tag: reservation.uid,
        digest: digest(of: verified.message),
        TagLocks(isLocked: verified.isLocked, isProtected: verified.isProtected))
      let event = try carryOut([finish], on: job, reservation.tag, nil, timing, in: db)
      if deliversResults {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO result_due VALUES (?, ?)")
          .execute(arguments: [reservation.job.number, event])
      }
      if printsLabels { try wantLabel(ofJob: reservation.job.number, in: db) }
      if scansLabels {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO label_check VALUES (?, ?)").execute(
          arguments: [job, Data(reservation.uid)])
      }
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
      let command = LedgerCommand.giveBack(
        bench: bench(reservation.tag), epoch: reservation.token, tag: reservation.uid,
        isScrap: isScrap)
      try carryOut(
        [command], on: reservation.job.number, reservation.tag, trouble, timing, in: db)
    }
  }

  /// Keeps the job for the tag, which went away and may hold its message, until it comes back.
  package func hold(_ reservation: Reservation, because trouble: TagTrouble, timing: Timing)
    throws(JournalError)
  {
    defer { journal.pool?.poke() }
    try journal.write { db in
      let command = LedgerCommand.hold(
        bench: bench(reservation.tag), epoch: reservation.token, tag: reservation.uid)
      try carryOut(
        [command], on: reservation.job.number, reservation.tag, trouble, timing, in: db)
    }
  }

  /// Notes a tag that was presented and left alone, and why. A tag with a history may name its job.
  package func passOver(
    _ tag: PresentedTag, job: Int? = nil, because reason: TagTrouble, timing: Timing
  )
    throws(JournalError)
  {
    var event = said(tag, reason, timing)
    event.what = .passed(job: job, tag: tag.uid?.bytes, setsAside: false)
    try journal.write { db in _ = try journal.commit(event, in: id, db) }
  }
}
