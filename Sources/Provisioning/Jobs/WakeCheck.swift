import NDEF
import UniversalLinks

/// Whether the links of a job list wake the app that they are for.
public final class WakeCheck {
  private let appIDs: [String]
  private let entitlement: [String]?
  private let association: (_ host: String) -> LinkCheck.Association?
  /// A list has few hosts; beyond so many, they are asked for again.
  private static let limit = 64
  /// What was found, each once, of links that wake the app: what may go wrong with them all the same.
  public private(set) var findings: [Finding] = []
  /// How many findings are kept.
  private static let findingLimit = 50
  /// How many links were refused since it could not be found out what devices get.
  public private(set) var undecidedCount = 0
  private var known: [String: LinkCheck.Association?] = [:]

  /// `association` gives the site association of a host, and is asked once for each; the rest as in `LinkCheck`.
  public init(
    appIDs: [String], entitlement: [String]?,
    association: @escaping (_ host: String) -> LinkCheck.Association?
  ) {
    self.appIDs = appIDs
    self.entitlement = entitlement
    self.association = association
  }

  /// Why a tag that holds `message` would not wake the app; nil when it does.
  public func refusal(of message: Message, isMIFAREClassic: Bool = false) -> String? {
    let reading = BackgroundReading(message, carrier: .init(isMIFAREClassic: isMIFAREClassic))
    let check = LinkCheck(
      reading, association: association(for: reading), appIDs: appIDs, entitlement: entitlement)
    if check.isUndecided { undecidedCount += 1 }
    if check.wakesApp, findings.count < Self.findingLimit {
      findings += check.findings.filter { !findings.contains($0) }
    }
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
