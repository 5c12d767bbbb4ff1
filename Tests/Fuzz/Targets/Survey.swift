/// A look at a tag whose settings, and what it says of itself, are what the input says: inputs are
/// those of `settings`, and no job follows.
enum SurveyTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    let run = try ChangedRun(bytes, looks: true)
    try require(run.complaints.isEmpty, "\(run.complaints)")
  }
}
