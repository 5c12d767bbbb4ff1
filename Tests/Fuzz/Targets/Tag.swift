/// Every job on a tag or a board that answers what the input says.
enum TagTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    let run = HostileRun(bytes)
    try require(run.complaints.isEmpty, "\(run.complaints)")
  }
}
