import ArgumentParser
import Bench
import Provisioning

/// Where a series is recorded, and what becomes of jobs and tags that the record knows.
struct JournalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The journal (default: jobs.sqlite beside jobs.csv).", valueName: "file"))
  var journal: String?

  @Option(
    help: ArgumentHelp(
      "Operator name (default: login name).", valueName: "name", visibility: .hidden))
  var `operator`: String?

  @Flag(
    help: ArgumentHelp(
      "Accept rows that were added to the end of the list.", visibility: .hidden))
  var extend = false

  @Flag(
    help: ArgumentHelp(
      "Accept rows that were corrected since and are on no tag yet.", visibility: .hidden))
  var corrected = false

  @Flag(
    help: ArgumentHelp(
      "Put the jobs on new tags, even if another journal was used with this list or label file.",
      visibility: .hidden))
  var startOver = false

  @Flag(
    help: ArgumentHelp(
      "Continue a batch that the database has lost, because it was restored from an older backup, with the tags that this machine has written for it.",
      visibility: .hidden))
  var restored = false

  @Flag(help: ArgumentHelp("Try failed jobs again.", visibility: .hidden))
  var retryFailed = false

  @Flag(
    help: ArgumentHelp(
      "Write tags again that are in the journal: each gets its own job. Tags set aside get the next job; in a pool they stay set aside.",
      visibility: .hidden))
  var rewrite = false

  @Flag(
    help: ArgumentHelp(
      "Give the jobs of lost tags to other tags; never use the lost tags.",
      visibility: .hidden))
  var releaseReserved = false

  /// The journal of the list at `path` where none is named: `jobs.sqlite` beside `jobs.csv`, also
  /// where that was reached by a link; nil where it is no file that will be there again.
  static func file(beside path: String) -> String? {
    guard let list = Files.regularFile(at: path) else { return nil }
    let name = list.split(separator: "/").last.map(String.init) ?? list
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return list + ".sqlite" }
    return list.dropLast(name.distance(from: dot, to: name.endIndex)) + ".sqlite"
  }

  /// Returns whether `--restored` was given, which says something of a pool alone.
  func isRestored() throws(BenchError) -> Bool {
    guard restored, !(journal.map(PoolSeries.isPool) ?? false) else { return restored }
    throw BenchError(
      .usage,
      "--restored is for a batch in a PostgreSQL database. A journal that was restored from an older copy does not know its last tags, and is refused."
    )
  }
}
