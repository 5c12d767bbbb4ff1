/// An application identifier: prefix, dot, bundle ID, as in `Q7K2M9P4ZX.com.example.app`.
///
/// developer.apple.com, Supporting associated domains.
public struct AppID: Hashable, Sendable {
  /// Ten letters and digits, usually the team ID.
  package let prefix: String
  package let bundleID: String

  /// Why a text is no application identifier, or hardly one.
  package enum Fault: Hashable, Sendable {
    case empty
    /// There is nothing, or only a part of a bundle ID, before the first dot.
    case missingPrefix
    case wildcard
    /// The prefix has lower-case letters.
    case lowerCasePrefix
    /// The prefix does not have ten characters.
    case prefixLength(Int)
    /// A dot at either end, or two in a row.
    case strayDot
    /// A character that bundle IDs do not hold.
    case character(Unicode.Scalar)
    /// Nobody's: the name that stands for an app's own in documentation; the part of it that does.
    case placeholder(String)
  }

  /// Reads `text`; nil where it is none: ten letters or digits, a dot, and a bundle identifier.
  public init?(_ text: String) {
    guard Self.faults(in: text).isEmpty, let dot = text.firstIndex(of: ".") else { return nil }
    prefix = String(text[..<dot])
    bundleID = String(text[text.index(after: dot)...])
  }

  /// Everything that is wrong with `text` as an application identifier.
  package static func faults(in text: String) -> [Fault] {
    guard !text.isEmpty else { return [.empty] }
    if let name = placeholder(in: text) { return [.placeholder(name)] }
    if text.contains("*") { return [.wildcard] }
    if let bad = text.unicodeScalars.first(where: { !isAllowed($0) }) { return [.character(bad)] }
    var faults: [Fault] = []
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.contains("") { faults.append(.strayDot) }
    guard let prefix = parts.first(where: { !$0.isEmpty }), parts.count > 1 else {
      return faults + [.missingPrefix]
    }
    if prefix.utf8.count == 10 {
      if prefix != prefix.uppercased() { faults.append(.lowerCasePrefix) }
    } else if prefix == prefix.uppercased(), prefix != prefix.lowercased() {
      faults.append(.prefixLength(prefix.utf8.count))
    } else {
      faults.append(.missingPrefix)
    }
    return faults
  }

  /// What of `text` is written in documentation for the part that everybody puts in; nil when it is
  /// somebody's.
  package static func placeholder(in text: String) -> String? {
    let prefix = text.prefix { $0 != "." }
    let bundleID = text.dropFirst(prefix.count + 1)
    func folded(_ part: some StringProtocol) -> String {
      String(part.lowercased().filter { $0.isLetter || $0.isNumber })
    }
    if prefixes.contains(folded(prefix)) { return String(prefix) }
    if text.contains(where: { "<>{}[]$".contains($0) }) { return text }
    let first = bundleID.split(separator: ".").prefix(2).map(folded)
    let isWhole = bundles.contains(folded(bundleID))
    let isCompany = first.count == 2 && first[0] == "com" && companies.contains(first[1])
    return isWhole || isCompany || first.first == "your" ? String(bundleID) : nil
  }

  /// Without case and what is neither letter nor digit.
  private static let prefixes: Set = [
    "abcde12345", "abcdefghij", "abcd123456", "a1b2c3d4e5", "1234567890", "0123456789",
    "0000000000", "xxxxxxxxxx", "xxxxx", "teamid", "yourteamid", "myteamid", "appleteamid",
    "developmentteamid", "developerteamid", "appidprefix", "applicationidentifierprefix",
    "prefix", "team",
  ]
  private static let bundles: Set = [
    "bundleid", "bundleidentifier", "yourbundleid", "yourbundleidentifier", "mybundleid",
    "productbundleidentifier", "bundle", "bundleidhere", "combundleid",
  ]
  private static let companies: Set = [
    "yourcompany", "mycompany", "yourdomain", "yourapp", "yourorganization", "companyname",
  ]

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
    default: false
    }
  }
}

extension AppID: CustomStringConvertible {
  public var description: String { prefix + "." + bundleID }
}
