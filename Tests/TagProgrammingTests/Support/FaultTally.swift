import Synchronization

/// How jobs ended that a fault struck.
struct FaultTally {
  var places = 0
  /// Ended well within the run.
  var recovered = 0
  /// Ended with an error that says so.
  var failed = 0
  /// Of those, done by the same command run again.
  var finished = 0
  /// A trailer torn into invalid access bits: the sector is lost, is named and, but for sector 0,
  /// skipped.
  var destroyed = 0
  /// Told as failed, and not finished by the same command run again.
  var unfinished = 0
  /// Said to be done, and not done.
  var lies = 0

  static func += (left: inout FaultTally, right: FaultTally) {
    left.places += right.places
    left.recovered += right.recovered
    left.failed += right.failed
    left.finished += right.finished
    left.destroyed += right.destroyed
    left.unfinished += right.unfinished
    left.lies += right.lies
  }

  /// As `Tests/run --exhaustive` looks for it.
  func print(_ table: String, _ row: String) {
    guard Exhaustive.isAsked else { return }
    Swift.print(
      "TALLY|\(table)|\(row)|\(places)|\(recovered)|\(failed)|\(finished)|\(destroyed)|\(unfinished)|\(lies)"
    )
  }
}
