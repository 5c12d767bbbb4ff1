/// Every job on a tag whose settings, and what it says of itself, are what the input says.
enum SettingsTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    let run = try ChangedRun(bytes)
    try require(run.complaints.isEmpty, "\(run.complaints)")
  }
}
