/// Where a site association, or the asset links of a site, are taken from.
package enum AssociationSource: Hashable {
  case file(String)
  case address(String)
  case domain(String)
  /// `auto`: the host of the link that is checked.
  case linkHost

  /// A text that may be a file or a domain is a file when there is one of that name. What ends like
  /// a file is one even if it is missing, so that nobody is asked over the network for a misspelt
  /// file.
  package init(_ text: String, exists: (String) -> Bool = Files.exists) {
    let isAddress = ["https://", "http://"].contains { text.lowercased().hasPrefix($0) }
    if text == "auto" {
      self = .linkHost
    } else if isAddress {
      self = .address(text)
    } else if text.contains("/") || exists(text) || !Self.isLikeADomain(text) {
      self = .file(text)
    } else {
      self = .domain(text)
    }
  }

  private static func isLikeADomain(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last, !labels.contains("") else { return false }
    return last.count > 1 && last.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
      && !["json", "txt", "aasa", "bak", "orig"].contains(last.lowercased())
  }
}
