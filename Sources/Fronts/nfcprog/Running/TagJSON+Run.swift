import Bench
import TagProgramming
import UniversalLinks

extension TagJSON {
  /// What a command says of a tag, of what it was given and of what it saved.
  init(
    _ command: String, _ report: TagReport, _ remarks: InputRemarks, _ phone: BackgroundReading?,
    _ backup: Backup?
  ) {
    self.init(command: command, report: report, asking: RemedyText.option)
    iphone = phone.map { PhoneJSON($0) }
    altered = AlteredJSON.list(remarks.altered)
    link = LinkJSON(remarks.link, android: remarks.android)
    self.backup = backup?.file?.path
  }
}

extension BackgroundReading {
  /// Nil of a plan, too: before it is carried out the tag says nothing of what it is planned to be.
  init?(ofDone report: TagReport) {
    guard report.result != .planned else { return nil }
    self.init(report)
  }
}
