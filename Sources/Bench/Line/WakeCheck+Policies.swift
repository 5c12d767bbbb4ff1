import Bench
import JobLists
import NDEF
import UniversalLinks

extension LinkPolicy {
  /// The check that every link of a job list must pass; it asks each host once.
  package var wakeCheck: WakeCheck {
    WakeCheck(appIDs: appIDs, entitlement: entitlement, association: association(ofHost:))
  }
}

extension AndroidLinkPolicy {
  /// The check that every link must pass on Android, joined with the check for iPhones.
  package func wakeCheck(beside iphone: WakeCheck?) -> WakeCheck {
    let android = { (message: Message) in
      let check = self.check(message)
      return WakeCheck.Verdict(
        refusal: check.refusal, findings: check.findings, isUndecided: check.isUndecided)
    }
    guard let iphone else { return WakeCheck(android: android) }
    iphone.android = android
    return iphone
  }
}
