import Bench
import JobLists
import NDEF
import UniversalLinks

extension WakeCheck {
  /// The check that every link of a job list must pass; it asks each host once. Nil where nothing
  /// is asked for.
  package convenience init?(_ link: LinkPolicy?, _ android: AndroidLinkPolicy?) {
    self.init(link.map(Demand.init), android: android.map(Self.judge))
  }

  private static func judge(
    _ policy: AndroidLinkPolicy
  ) -> @Sendable (VaryingMessage) -> Verdict {
    { message in
      let check = policy.check(message)
      return Verdict(
        refusal: check.refusal, findings: check.findings, isUndecided: check.isUndecided)
    }
  }
}

extension WakeCheck.Demand {
  fileprivate init(_ policy: LinkPolicy) {
    self.init(appIDs: policy.appIDs, entitlement: policy.entitlement) {
      policy.association(ofHost: $0)
    }
  }
}
