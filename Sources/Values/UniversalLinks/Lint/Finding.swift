import JSON

/// One thing that is wrong with a link, a tag or a site association, or that may be.
public struct Finding: Hashable, Sendable {
  /// How much depends on it.
  public enum Severity: String, Hashable, Sendable {
    /// The link does not do what it is for, or a rule does not do what it says.
    case error
    /// It may work; something about it is risky, not documented, or known to differ.
    case warning
    /// It works; it could be simpler.
    case note
  }

  /// Where it is.
  public enum Place: Hashable, Sendable {
    /// In the site association.
    case json(JSONPath, JSONPosition)
    /// The site association as a whole.
    case siteAssociation
    /// In the link.
    case url
    /// What a server answers at this address.
    case address(String)
    /// A record of the message; the first is 0.
    case record(Int)
    /// The tag and the message as a whole.
    case tag
    /// The app's Associated Domains entitlement.
    case entitlement
    /// An app ID that was asked for.
    case appID
    /// The asset links file as a whole.
    case assetLinks
    /// The Android app's manifest; the first line is 1.
    case manifest(line: Int)
  }

  /// The code says what kind of finding this is; stable, for programs.
  public let code: Code
  /// The message says what is there, what iOS does with it, and how to repair it: whole sentences.
  public let message: String
  /// Where it is.
  public let place: Place
  /// Is true if the answer stands whatever this says, as with a rule that another app has.
  private var isBeside = false

  package init(_ code: Code, _ place: Place, _ message: String) {
    self.code = code
    self.place = place
    self.message = message
  }

  /// How much depends on it, which follows from `code`; nothing that the answer does not depend on
  /// is an error.
  public var severity: Severity {
    isBeside && code.severity == .error ? .warning : code.severity
  }

  /// Is true if a yes cannot be said with it: something was not looked at, or is documented
  /// nowhere.
  package var isDoubt: Bool { !isBeside && code.isDoubt }

  /// This is the finding as one that the answer does not depend on.
  package var beside: Finding {
    var finding = self
    finding.isBeside = true
    return finding
  }
}

extension Finding: CustomStringConvertible {
  /// `error: $.applinks (line 3): …`
  public var description: String { "\(severity.rawValue): \(place): \(message)" }
}

extension Finding.Place: CustomStringConvertible {
  public var description: String {
    switch self {
    case .json(let path, let position): "\(path) (line \(position.line))"
    case .siteAssociation: "site association"
    case .url: "URL"
    case .address(let address): address
    case .record(let index): "record \(index + 1)"
    case .tag: "tag"
    case .entitlement: "entitlement"
    case .appID: "app ID"
    case .assetLinks: "asset links"
    case .manifest(let line): "manifest (line \(line))"
    }
  }
}
