/// Labels that a printer has printed.
extension Report {
  private var hasLabels: Bool { !prints.isEmpty || prints.printed > 0 }

  /// Lines on printed labels; none where none was to be printed.
  var labelLines: [String] {
    guard hasLabels else { return [] }
    return ["Labels: \(labelText)"]
      + (prints.unsure.isEmpty ? [] : ["  may not have been printed: \(prints.unsure.jobNames)"])
      + (prints.due.isEmpty ? [] : ["  not printed: \(prints.due.jobNames)"])
  }

  /// `12 printed, 1 may not have been printed, 2 not printed`; nil where none was to be printed.
  var labelSetting: String? { hasLabels ? labelText : nil }

  private var labelText: String {
    "\(Self.number(prints.printed)) printed, \(Self.number(prints.unsure.count)) may not have been printed, "
      + "\(Self.number(prints.due.count)) not printed"
  }
}

extension [Int] {
  /// `job 3`, `jobs 3, 4`; the first twenty.
  package var jobNames: String {
    let names = prefix(20).map { "\($0)" }.joined(separator: ", ")
    let more = count > 20 ? " and \(count - 20) more" : ""
    return (count == 1 ? "job " : "jobs ") + names + more
  }
}
