extension Address {
  /// What the scheme asks of the rest.
  func checkContent() throws(AddressError) {
    guard host == nil else { return }
    switch scheme {
    case "tel": try Self.checkTelephoneNumber(path)
    case "mailto": try Self.checkMailboxes(path, hasFields: query?.isEmpty == false)
    default:
      guard !path.isEmpty || query?.isEmpty == false else {
        throw .nothingFollows(scheme: scheme)
      }
    }
  }

  /// RFC 3966, 3: digits, `*` and `#` (encoded), with visual separators; parameters behind a
  /// semicolon.
  private static func checkTelephoneNumber(_ path: String) throws(AddressError) {
    guard !path.isEmpty else { throw .nothingFollows(scheme: "tel") }
    let number = PercentEncoding.decode(String(path.prefix { $0 != ";" }))
    var digits = number.unicodeScalars[...]
    if digits.first == "+" { digits = digits.dropFirst() }
    let isSound = digits.allSatisfy { scalar in
      isDigit(scalar) || "-.() *#,".unicodeScalars.contains(scalar)
    }
    guard isSound, digits.contains(where: { isDigit($0) || $0 == "*" || $0 == "#" }) else {
      throw .telephoneNumber(path)
    }
  }

  /// RFC 6068, 2: addresses between commas; none where the fields name them.
  private static func checkMailboxes(_ path: String, hasFields: Bool) throws(AddressError) {
    if path.isEmpty {
      guard hasFields else { throw .nothingFollows(scheme: "mailto") }
      return
    }
    for mailbox in path.split(separator: ",", omittingEmptySubsequences: false) {
      let name = PercentEncoding.decode(String(mailbox))
      guard let at = name.lastIndex(of: "@"), at != name.startIndex,
        name.index(after: at) != name.endIndex
      else { throw .mailbox(String(mailbox)) }
    }
  }
}
