import JobLists
import LedgerSQLite
import NDEF
import TagMemory

/// The messages that are on tags of a journal, or may be.
struct MessagesOnTags {
  private let journal: Journal
  private let files: MessageFiles
  /// Jobs by the texts of their messages.
  private let jobs: [String: Int]

  /// `all`: also those that are on none, as far as the journal knows.
  init(of journal: Journal, _ files: MessageFiles, all: Bool = false) throws(JournalError) {
    (self.journal, self.files) = (journal, files)
    jobs = try all ? journal.jobsByTexts() : journal.jobsOnTags()
  }

  /// The first job of `other` whose message is there, and the number of the job here; nil: none is.
  func first(of other: Journal) throws(JournalError) -> (PlannedJob, Int)? {
    guard !jobs.isEmpty else { return nil }
    var found: (PlannedJob, Int)?
    try other.forEachJob { job in
      found = try number(of: job).map { (job, $0) }
      return found == nil
    }
    return found
  }

  /// The SHA-256 of a job's message, or of its memory's data; nil where that waits for its tag.
  static func digest(of job: PlannedJob, _ files: MessageFiles) -> [UInt8]? {
    if let digest = job.message.imageDigest { return digest }
    guard !job.message.hasField(.tag) else { return nil }
    let fields = TagFields(uid: UID([0, 0, 0, 0]), number: job.number, made: TagFields.anyDay)
    return (try? job.message.message(for: fields, files: files).serialize()).map(
      LedgerSQLite.digest(of:))
  }

  private func number(of job: PlannedJob) throws(JournalError) -> Int? {
    // What only a tag fills in is not known: the row's text decides then. So it does for a job of
    // another number, whose message would differ by that alone.
    if let number = jobs[StoredJob.texts(job).records],
      number == job.number || !job.message.hasField(.counter)
    {
      return number
    }
    guard let digest = Self.digest(of: job, files) else { return nil }
    return try journal.jobs(where: .holding(digest)).first
  }
}
