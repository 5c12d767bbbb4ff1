import JSON

/// What became of a problem report: `report-problem`.
struct ProblemJSON: OutputDocument {
  var command = "report-problem"
  var result: String
  /// The file that was written.
  var file: String
  /// The trace in it.
  var trace: String?

  init(file: String, trace: String?) {
    (result, self.file, self.trace) = ("written", file, trace)
  }
}
