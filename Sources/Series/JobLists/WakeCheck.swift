import NDEF
import Synchronization
import UniversalLinks

/// Says whether the links of a job list wake the app that they are for, on iPhones and, where that
/// is asked for, on Android phones.
package final class WakeCheck: Sendable {
  /// What a phone of another system does with a message.
  package struct Verdict {
    /// Why its app would not be woken; nil when it is.
    package var refusal: String?
    /// What may go wrong all the same.
    package var findings: [Finding]
    /// It could not be found out.
    package var isUndecided: Bool

    package init(refusal: String?, findings: [Finding], isUndecided: Bool) {
      (self.refusal, self.findings, self.isUndecided) = (refusal, findings, isUndecided)
    }
  }

  /// What links are held to on iPhones.
  package struct Demand: Sendable {
    private let appIDs: [String]
    private let entitlement: [String]?
    private let association: @Sendable (_ host: String) -> LinkCheck.Association?

    /// `association` gives the site association of a host, and is asked once for each; the rest as
    /// in `LinkCheck`.
    package init(
      appIDs: [String], entitlement: [String]?,
      association: @escaping @Sendable (_ host: String) -> LinkCheck.Association?
    ) {
      (self.appIDs, self.entitlement, self.association) = (appIDs, entitlement, association)
    }

    fileprivate func check(
      _ message: VaryingMessage, isForumTag: Bool, _ known: inout [String: LinkCheck.Association?]
    ) -> LinkCheck {
      let carrier = BackgroundReading.Carrier(isForumTag: isForumTag)
      let reading = BackgroundReading(parsing: message.samples[0], carrier: carrier)
      return LinkCheck(
        message, carrier: carrier, association: association(for: reading, &known), appIDs: appIDs,
        entitlement: entitlement)
    }

    private func association(
      for reading: BackgroundReading, _ known: inout [String: LinkCheck.Association?]
    ) -> LinkCheck.Association? {
      guard case .webLink = reading.handler, let host = reading.link?.host else { return nil }
      if let known = known[host] { return known }
      if known.count == WakeCheck.limit { known.removeAll() }
      let found = association(host)
      known[host] = .some(found)
      return found
    }
  }

  private let iphone: Demand?
  private let android: (@Sendable (VaryingMessage) -> Verdict)?
  /// A list has few hosts; beyond so many, they are asked for again.
  private static let limit = 64
  /// How many findings are kept.
  private static let findingLimit = 50
  private let state = Mutex(State())

  private struct State {
    var findings: [Finding] = []
    var undecidedCount = 0
    var known: [String: LinkCheck.Association?] = [:]

    mutating func keep(_ new: [Finding]) {
      guard findings.count < findingLimit else { return }
      findings += new.filter { !findings.contains($0) }
    }
  }

  /// What was found, each once, of links that wake the app: what may go wrong with them all the
  /// same.
  package var findings: [Finding] { state.withLock(\.findings) }
  /// How many links were refused since it could not be found out what devices get.
  package var undecidedCount: Int { state.withLock(\.undecidedCount) }

  /// Nil where nothing is asked for.
  package init?(_ iphone: Demand?, android: (@Sendable (VaryingMessage) -> Verdict)? = nil) {
    guard iphone != nil || android != nil else { return nil }
    (self.iphone, self.android) = (iphone, android)
  }

  /// Why a tag that holds `message` would not wake the app; nil when it does, whatever the tag
  /// fills in.
  package func refusal(of message: VaryingMessage, onForumTag isForumTag: Bool = true) -> String? {
    state.withLock { state in
      if let check = iphone?.check(message, isForumTag: isForumTag, &state.known) {
        if check.isUndecided { state.undecidedCount += 1 }
        if check.wakesApp { state.keep(check.findings) }
        if let refusal = check.refusal { return refusal }
      }
      guard let verdict = android?(message) else { return nil }
      if verdict.isUndecided { state.undecidedCount += 1 }
      if verdict.refusal == nil { state.keep(verdict.findings) }
      return verdict.refusal
    }
  }
}
