import Bench
import JobLists
import NDEF
import UniversalLinks

extension LinkPolicy {
  /// What all links of a job list are held to; each of their hosts is asked once.
  package var wakeCheck: WakeCheck {
    WakeCheck(appIDs: appIDs, entitlement: entitlement, association: association(ofHost:))
  }
}

extension AndroidLinkPolicy {
  /// The same for Android, beside what they are held to on iPhones.
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
