/// How jobs ended that a fault struck.
struct FaultTally {
  var places = 0
  /// Ended well within the run.
  var recovered = 0
  /// Ended with an error that says so.
  var failed = 0
  /// Of those, done by the same command run again.
  var finished = 0
  /// Reported, and not as wanted after the same command was run again, for a reason that no order
  /// of writes can prevent.
  var left: [Remainder: Int] = [:]
  /// The same for no such reason.
  var unfinished = 0
  /// Said to be done, and not done.
  var lies = 0

  static func += (left: inout FaultTally, right: FaultTally) {
    left.places += right.places
    left.recovered += right.recovered
    left.failed += right.failed
    left.finished += right.finished
    left.left.merge(right.left, uniquingKeysWith: +)
    left.unfinished += right.unfinished
    left.lies += right.lies
  }

  /// As `Tests/tally` looks for it.
  func print(_ table: String, _ row: String) {
    guard Exhaustive.isAsked else { return }
    let counts =
      [places, recovered, failed, finished] + Remainder.allCases.map { left[$0] ?? 0 }
      + [unfinished, lies]
    Swift.print("TALLY|\(table)|\(row)|" + counts.map(String.init).joined(separator: "|"))
  }
}

/// Why a tag is not as wanted after the second run, as the struck place, the memory and the
/// failures show. In the order of the columns of `Tests/tally`.
enum Remainder: CaseIterable {
  /// A MIFARE Classic sector is lost with its trailer: named, and skipped where it can be.
  case sector
  /// What a torn write left may be foreign data: the run that was cut short named what permits to
  /// overwrite it.
  case foreign
  /// Lock bits or one-time programmable bits are not as wanted, and never can be.
  case oneWay
  /// A password, or what says where it is asked for, was torn to anything.
  case password
  /// A FeliCa tag's permissions only ever get fewer.
  case permissions
  /// Something beside the message that a later start takes as it finds it: it may be somebody's
  /// choice. Readers find what was wanted, and the first run has named the place.
  case accepted
  /// The cell is bad for good, and is named again.
  case cell
}
