import ArgumentParser
import Bench
import Provisioning

/// Where a series is recorded, and what becomes of jobs and tags that the record knows.
struct JournalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The record of which job is on which tag: a file, created if missing, or a batch in a PostgreSQL database for several benches, postgresql://HOST/DATABASE?batch=NAME. Only simulated readers work without one.",
      valueName: "file|address"))
  var journal: String?

  @Option(help: ArgumentHelp("Operator name (default: login name).", valueName: "name"))
  var `operator`: String?

  @Flag(help: "Accept rows that were added to the end of the list.")
  var extend = false

  @Flag(help: "Accept rows that were corrected since and are on no tag yet.")
  var corrected = false

  @Flag(
    help:
      "Put the jobs on new tags, even if another journal was used with this list or label file.")
  var startOver = false

  @Flag(
    help:
      "Continue a batch that the database has lost, because it was restored from an older backup, with the tags that this machine has written for it."
  )
  var restored = false

  @Flag(help: "Try failed jobs again.")
  var retryFailed = false

  @Flag(
    help:
      "Write tags again that are in the journal: each gets its own job. Tags set aside get the next job; in a pool they stay set aside."
  )
  var rewrite = false

  @Flag(
    help:
      "Give the jobs of lost tags to other tags; never use the lost tags.")
  var releaseReserved = false

  /// Whether `--restored` was given, which says something of a pool alone.
  func isRestored() throws(BenchError) -> Bool {
    guard restored, !(journal.map(PoolSeries.isPool) ?? false) else { return restored }
    throw BenchError(
      .usage,
      "--restored is for a batch in a PostgreSQL database. A journal that was restored from an older copy does not know its last tags, and is refused."
    )
  }
}
