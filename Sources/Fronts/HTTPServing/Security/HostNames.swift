/// The names under which a server answers. A page of another site whose name suddenly leads here
/// (DNS rebinding) asks for that name, and gets nothing.
package struct HostNames: Sendable {
  private let names: Set<String>
  /// Where the hub listens at every address of this machine: a page cannot be served under an
  /// address that is not its own.
  private let takesAddresses: Bool

  package init(_ address: ListenAddress, others: [String]) {
    names = Set(
      (["localhost", "127.0.0.1", "::1", address.host] + others).map { $0.lowercased() })
    takesAddresses = address.isEverywhere
  }

  /// `authority`: the header, with or without a port.
  package func contains(_ authority: String) -> Bool {
    guard let host = Self.host(of: authority) else { return false }
    return names.contains(host) || (takesAddresses && ListenAddress.isAddress(host))
  }

  /// The name without its port, in lower case; nil: it is none.
  package static func host(of authority: String) -> String? {
    let text = authority.lowercased()
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || isPort(rest) else { return nil }
      return String(text[text.index(after: text.startIndex)..<end])
    }
    guard let colon = text.firstIndex(of: ":") else { return text.isEmpty ? nil : text }
    return isPort(text[colon...]) ? String(text[..<colon]) : nil
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.first == ":" && UInt16(text.dropFirst()) != nil
  }
}
