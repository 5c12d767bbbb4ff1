/// What became of a problem report: `report-problem`.
package struct ProblemJSON: WireDocument {
  package var command = "report-problem"
  package var result: String
  /// The file that was written.
  package var file: String
  /// The trace in it.
  package var trace: String?

  package init(file: String, trace: String?) {
    (result, self.file, self.trace) = ("written", file, trace)
  }
}
