import Provisioning

/// What a result command finds in its environment.
extension ResultCommand {
  /// The variables for one outcome.
  package static func variables(_ outcome: TagOutcome, reader: String, station: Int) -> [String:
    String]
  {
    var variables = [
      "NFCPROG_RESULT": outcome.verdict.rawValue, "NFCPROG_UID": outcome.uid.hex,
      "NFCPROG_READER": reader, "NFCPROG_STATION": "\(station + 1)",
      "NFCPROG_TAG": outcome.tagType ?? "", "NFCPROG_CAUSE": outcome.trouble?.cause ?? "",
      "NFCPROG_MESSAGE": outcome.trouble?.text ?? "",
      "NFCPROG_JOB": outcome.job.map { "\($0.number)" } ?? "",
      "NFCPROG_NAME": outcome.job?.name ?? "", "NFCPROG_URL": outcome.written?.uri ?? "",
      "NFCPROG_TAG_NUMBER": "\(outcome.number)", "NFCPROG_REPEATED": "no",
    ]
    for column in outcome.job?.columns ?? [] {
      variables["NFCPROG_COLUMN_" + Self.name(column.name)] = column.value
    }
    return variables
  }

  /// The variables for a good tag of an earlier run, whose result was perhaps not taken.
  package static func variables(_ written: WrittenTag) -> [String: String] {
    var variables = [
      "NFCPROG_RESULT": "passed", "NFCPROG_UID": written.uid.hex, "NFCPROG_READER": written.reader,
      "NFCPROG_STATION": written.station, "NFCPROG_TAG": written.tagType ?? "",
      "NFCPROG_CAUSE": "", "NFCPROG_MESSAGE": "", "NFCPROG_JOB": "\(written.job.number)",
      "NFCPROG_NAME": written.job.name, "NFCPROG_URL": written.uri ?? "",
      "NFCPROG_TAG_NUMBER": "", "NFCPROG_REPEATED": "yes",
    ]
    for column in written.job.columns {
      variables["NFCPROG_COLUMN_" + Self.name(column.name)] = column.value
    }
    return variables
  }

  /// A column's name as a variable's: upper case, `_` for what is no letter or digit of ASCII.
  package static func name(_ text: String) -> String {
    String(text.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
