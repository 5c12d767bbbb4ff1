import JobLists
import LedgerSQLite
import NDEF
import TagMemory

@testable import Provisioning

extension TagOutcome {
  /// An outcome as a station would tell it.
  static func made(
    _ verdict: Verdict, uid: UID = UID([4, 1, 2, 3, 4, 5, 6]), cause: String = "lost",
    _ reason: String = "It failed."
  ) -> TagOutcome {
    var outcome = TagOutcome(verdict: verdict, uid: uid)
    let record = MessageTemplate.Record(option: "uri", text: "https://example.com")
    outcome.job = TagOutcome.Job(
      PlannedJob(
        number: 7, line: 8, offset: 0, name: "T-0007",
        message: MessageTemplate(records: [record]), tagType: nil, locks: false,
        hasPassword: false, columns: []))
    if verdict != .passed { outcome.trouble = TagTrouble(stored: cause, reason) }
    return outcome
  }
}
