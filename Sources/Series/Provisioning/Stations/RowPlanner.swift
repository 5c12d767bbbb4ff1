import Bytes
import JobLists
import LedgerSQLite
import NDEF
import Readers
import RecordText
import TagMemory
import TagProgramming
import Wording

/// Makes the job of a row for a tag: message, locks, password, keys and proofs.
///
/// The one place where that is done: a line, its inspections, `--dry-run` and rehearsals ask here,
/// so that a tag that one of them refuses is refused by all.
package struct RowPlanner: Sendable {
  package let source: JobSource
  package let options: LineOptions

  package init(_ source: JobSource, _ options: LineOptions) {
    (self.source, self.options) = (source, options)
  }

  /// What is known of a tag before its job is made.
  package struct Found: Sendable {
    package let uid: UID
    /// Nil: it was not told.
    package let product: Product?
    /// How many bytes of a message it takes; nil: not known.
    package let capacity: Int?

    package init(uid: UID, product: Product?, capacity: Int?) {
      (self.uid, self.product, self.capacity) = (uid, product, capacity)
    }

    package init(_ found: TagFound) {
      self.init(uid: found.target.uid, product: found.product, capacity: found.capacity)
    }
  }

  /// The bytes of the row's message, or of the data of its memory, as of a day (`2026-11-21`),
  /// where the tag can take the job.
  package func message(
    of row: PlannedJob, for tag: Found, on day: String
  ) throws(JobRefusal) -> [UInt8] {
    if row.message.isImage { return try data(of: row, for: tag) }
    let fields = TagFields(uid: tag.uid, number: row.number, made: day)
    let bytes: [UInt8]
    let mirror: MessageMirror?
    do {
      mirror = try row.message.mirror(for: fields, files: source.files)
      bytes = try row.message.message(for: fields, files: source.files).serialize()
    } catch {
      throw .defective(error.message)
    }
    if let product = tag.product {
      var needs = JobNeeds()
      (needs.mirror, needs.locks) = (mirror?.content, row.locks)
      // Of a row that is another one by now its job says so.
      if let protection = try? protection(of: row)?.resolved(for: tag.uid) {
        needs.secretByteCounts = protection.byteCounts
      }
      if let lack = needs.lack(of: product) {
        throw .unsuitedTag(
          "Row \(row.number) needs another tag: \(product.displayName) \(lack.words).")
      }
    }
    // The area of a MIFARE Classic may grow.
    let grows = options.sectors != .usual && tag.product?.classicSectorCount != nil
    let room = grows ? tag.product?.capacity : tag.capacity
    if let capacity = room, bytes.count > capacity {
      throw .unsuitedTag(
        "Row \(row.number) needs a larger tag: its message has \(counted(bytes.count, "byte")), and this \(tag.product?.displayName ?? "tag") takes \(capacity)."
      )
    }
    let shown = VaryingMessage(
      bytes, mirror: mirror, provesItself: options.personalisation != nil,
      uid: tag.uid.isRandom ? nil : tag.uid)
    if let refusal = options.wake?.refusal(
      of: shown, onForumTag: tag.product?.isForumTag ?? true)
    {
      throw .unsuitedTag("Row \(row.number) is not for this tag. \(refusal)")
    }
    return bytes
  }

  /// The job that is reserved for a tag.
  func job(of reservation: Reservation, for uid: UID) throws(JobFailure) -> Job {
    try job(of: reservation.job, holding: reservation.message, for: uid)
  }

  /// The row's job, with these bytes as its message.
  package func job(
    of row: PlannedJob, holding message: [UInt8], for uid: UID
  ) throws(JobFailure) -> Job {
    if row.message.isImage { return try restore(row) }
    var write = WriteOptions()
    // What a reserved tag holds was begun for this job.
    write.overwrite = options.overwrite
    write.sectors = options.sectors
    (write.lock, write.freezesMirror) = (row.locks, options.freezesMirror)
    let old: [AESKey]?
    do throws(JobSourceError) {
      old = try source.oldSecrets(of: row).keys
    } catch {
      throw JobFailure(.jobChanged(line: row.line))
    }
    write.personalisation = try personalisation(of: row)
    if let old { write.personalisation?.before.take(old) }
    write.mustBeGenuine = options.mustBeGenuine
    do throws(RecordTextError) {
      let fields = TagFields(uid: uid, number: row.number, made: TagFields.anyDay)
      write.mirror = try row.message.mirror(for: fields, files: source.files)
    } catch {
      throw JobFailure(.jobChanged(line: row.line))
    }
    write.protection = try protection(of: row)
    guard let message = try? Message(parsing: message) else {
      throw JobFailure(.mistake(.undecodableJob))
    }
    return .write(message, write)
  }

  /// The password that the row's tag gets: its own, or that of all; nil where it gets none.
  package func protection(of row: PlannedJob) throws(JobFailure) -> Protection? {
    do throws(JobSourceError) {
      let password = try source.password(of: row)
      return password.map { Protection(secret: $0) } ?? options.protection
    } catch {
      throw JobFailure(.jobChanged(line: row.line))
    }
  }

  /// The keys that the row's tag was given, where they are those of the line; nil where it got
  /// others, or none.
  package func proofKeys(_ given: GivenKeys?, of row: PlannedJob) -> KeyRing? {
    guard let keys = try? personalisation(of: row)?.keys, keys.identity == given?.keys else {
      return nil
    }
    return keys
  }

  /// How the row's tag comes to prove itself, with the keys of the row where rows have keys.
  private func personalisation(of row: PlannedJob) throws(JobFailure) -> Personalisation? {
    guard var personalisation = options.personalisation else { return nil }
    do throws(JobSourceError) {
      if let keys = try source.keys(of: row) { personalisation.keys.take(keys) }
    } catch {
      throw JobFailure(.jobChanged(line: row.line))
    }
    return personalisation
  }
}
