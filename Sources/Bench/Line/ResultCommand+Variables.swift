import LedgerSQLite
import Provisioning
import TagMemory

/// What a result command finds in its environment.
extension ResultCommand {
  /// The variables for one outcome; `station` as the journal calls it.
  package static func variables(
    _ outcome: TagOutcome, reader: String, station: String
  ) -> [String: String] {
    var variables = base(result: outcome.verdict.rawValue, outcome.uid, reader, station)
    variables["NFCPROG_TAG"] = outcome.tagType ?? ""
    variables["NFCPROG_URL"] = outcome.written?.uri ?? ""
    variables["NFCPROG_TAG_NUMBER"] = "\(outcome.number)"
    return variables.with(outcome.trouble).with(outcome.job)
  }

  /// The variables for a finished tag that has failed its inspection.
  package static func variables(
    _ inspection: Inspection, reader: String, station: String
  ) -> [String: String] {
    var variables = base(result: "failed", inspection.uid, reader, station)
    variables["NFCPROG_TAG"] = inspection.tagType ?? ""
    if inspection.number > 0 { variables["NFCPROG_TAG_NUMBER"] = "\(inspection.number)" }
    return variables.with(inspection.trouble).with(inspection.job)
  }

  /// The variables for a good tag of an earlier run, whose result was perhaps not taken.
  package static func variables(_ written: WrittenTag) -> [String: String] {
    var variables = base(result: "passed", written.uid, written.reader, written.station)
    variables["NFCPROG_TAG"] = written.tagType ?? ""
    variables["NFCPROG_URL"] = written.uri ?? ""
    variables["NFCPROG_REPEATED"] = "yes"
    return variables.with(TagOutcome.Job(written.job))
  }

  /// Every variable, with what is always known.
  private static func base(
    result: String, _ uid: UID, _ reader: String, _ station: String
  ) -> [String: String] {
    [
      "NFCPROG_RESULT": result, "NFCPROG_UID": uid.hex, "NFCPROG_READER": reader,
      "NFCPROG_STATION": station, "NFCPROG_TAG": "", "NFCPROG_CAUSE": "", "NFCPROG_MESSAGE": "",
      "NFCPROG_JOB": "", "NFCPROG_NAME": "", "NFCPROG_URL": "", "NFCPROG_TAG_NUMBER": "",
      "NFCPROG_REPEATED": "no",
    ]
  }

  /// A column's name as a variable's: upper case, `_` for what is no letter or digit of ASCII.
  package static func name(_ text: String) -> String {
    String(text.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// What begins the name of a column's variable.
  package static let columnPrefix = "NFCPROG_COLUMN_"
}

extension [String: String] {
  fileprivate func with(_ trouble: TagTrouble?) -> Self {
    merging(["NFCPROG_CAUSE": trouble?.cause ?? "", "NFCPROG_MESSAGE": trouble?.text ?? ""]) { $1 }
  }

  /// With the job and its columns; of columns whose names are alike as variables, the second gets
  /// `_2`, and so on.
  fileprivate func with(_ job: TagOutcome.Job?) -> Self {
    guard let job else { return self }
    var result = self
    (result["NFCPROG_JOB"], result["NFCPROG_NAME"]) = ("\(job.number)", job.name)
    for column in job.columns {
      let name = ResultCommand.columnPrefix + ResultCommand.name(column.name)
      var free = name
      var count = 1
      while result[free] != nil {
        count += 1
        free = "\(name)_\(count)"
      }
      result[free] = column.value
    }
    return result
  }
}
