import Foundation
import GRDB
import JobLists
import NDEF
import TagMemory

/// What rows of the list make of their tags, held to what the journal says that the tags hold.
extension Journal {
  /// A sentence for each job whose message, as its tag holds it, is not the one of its row, and for
  /// each tag from the field of which something else is kept than was sealed. Rows that name files
  /// are not looked at: nobody knows what the files held.
  func otherMessages(in db: Database) throws -> [String] {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT * FROM job WHERE state = 'written' ORDER BY number")
    var found: [String] = []
    while let row = try rows.next() {
      let job = try StoredJob.job(row)
      let (uid, digest): (Data, Data) = (row["uid"], row["message_digest"])
      let held = StoredChange(row).map {
        digest == Data(LedgerSQLite.digest(of: $0.before)) ? $0.before : $0.after
      }
      if let made = job.message.imageDigest {
        if Data(made) != digest {
          found.append("Job \(job.number) has another memory than its row makes.")
        }
        continue
      }
      guard let made = held ?? Self.message(of: job, for: UID(uid), on: row["day"]) else {
        continue
      }
      let (length, link): (Int, String?) = (row["message_length"], row["uri"])
      if LedgerSQLite.digest(of: made) != Array(digest) {
        found.append("Job \(job.number) has another message than its row makes.")
      } else if made.count != length || JournalSession.link(in: made) != link {
        found.append("Job \(job.number) has another link or length than its message.")
      }
    }
    return try found + otherChanges(in: db)
  }

  /// The bytes of a job's message on a tag; nil where files or the day would have to be known.
  private static func message(of job: PlannedJob, for uid: UID, on day: String?) -> [UInt8]? {
    func bytes(_ day: String) -> [UInt8]? {
      let fields = TagFields(uid: uid, number: job.number, made: day)
      return (try? job.message.messageWithoutFiles(for: fields))?.serialize()
    }
    if let day { return bytes(day) }
    // Where no day is kept, only a message that has none is known.
    let (some, other) = (bytes(TagFields.anyDay), bytes("9999-99-99"))
    return some == other ? some : nil
  }
}
