import NDEF
import UniversalLinks

/// Says whether the links of a job list wake the app that they are for, on iPhones and, where that
/// is asked for, on Android phones.
package final class WakeCheck {
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

  /// The judgement for Android phones; nil where none was asked for.
  package var android: ((Message) -> Verdict)?
  /// Is true if links are held to a site association.
  private let isForIPhones: Bool
  private let appIDs: [String]
  private let entitlement: [String]?
  private let association: (_ host: String) -> LinkCheck.Association?
  /// A list has few hosts; beyond so many, they are asked for again.
  private static let limit = 64
  /// What was found, each once, of links that wake the app: what may go wrong with them all the
  /// same.
  package private(set) var findings: [Finding] = []
  /// How many findings are kept.
  private static let findingLimit = 50
  /// How many links were refused since it could not be found out what devices get.
  package private(set) var undecidedCount = 0
  private var known: [String: LinkCheck.Association?] = [:]

  /// `association` gives the site association of a host, and is asked once for each; the rest as in
  /// `LinkCheck`.
  package init(
    appIDs: [String], entitlement: [String]?,
    association: @escaping (_ host: String) -> LinkCheck.Association?
  ) {
    self.appIDs = appIDs
    self.entitlement = entitlement
    self.association = association
    isForIPhones = true
  }

  /// For Android phones alone.
  package init(android: @escaping (Message) -> Verdict) {
    (appIDs, entitlement, association) = ([], nil, { _ in nil })
    isForIPhones = false
    self.android = android
  }

  /// Why a tag that holds `message` would not wake the app; nil when it does.
  package func refusal(of message: Message, onForumTag isForumTag: Bool = true) -> String? {
    let iphone =
      isForIPhones ? refusalByIPhones(of: message, isForumTag: isForumTag) : nil
    return iphone ?? refusalByAndroid(of: message)
  }

  private func refusalByAndroid(of message: Message) -> String? {
    guard let verdict = android?(message) else { return nil }
    if verdict.isUndecided { undecidedCount += 1 }
    if verdict.refusal == nil { keep(verdict.findings) }
    return verdict.refusal
  }

  private func keep(_ new: [Finding]) {
    guard findings.count < Self.findingLimit else { return }
    findings += new.filter { !findings.contains($0) }
  }

  private func refusalByIPhones(of message: Message, isForumTag: Bool) -> String? {
    let reading = BackgroundReading(message, carrier: .init(isForumTag: isForumTag))
    let check = LinkCheck(
      reading, association: association(for: reading), appIDs: appIDs, entitlement: entitlement)
    if check.isUndecided { undecidedCount += 1 }
    if check.wakesApp { keep(check.findings) }
    return check.refusal
  }

  private func association(for reading: BackgroundReading) -> LinkCheck.Association? {
    guard case .webLink = reading.handler, let host = reading.link?.host else { return nil }
    if let known = known[host] { return known }
    if known.count == Self.limit { known.removeAll() }
    let found = association(host)
    known[host] = .some(found)
    return found
  }
}
