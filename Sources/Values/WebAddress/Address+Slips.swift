extension Address {
  /// Throws for what RFC 3986 takes and nobody means: a second scheme where the host belongs, as a
  /// paste behind `https://` leaves it, and a colon without a port.
  func checkSlips() throws(AddressError) {
    guard let writtenHost else {
      // mailto:mailto:user@example.com
      guard !Self.begins(path, with: scheme + ":") else { throw .schemeTwice(scheme, scheme) }
      return
    }
    // A scheme of somebody's own has what it likes behind its slashes, but not itself.
    guard Authority.needsDomain(scheme) else {
      guard !Self.begins(writtenHost + path, with: scheme + "://") else {
        throw .schemeTwice(scheme, scheme)
      }
      return
    }
    if let second = Authority.scheme(asHost: writtenHost),
      port?.isEmpty == true || path.hasPrefix("//") || !Authority.isHost(second)
    {
      throw .schemeTwice(scheme, second)
    }
    // https://mailto:user@example.com
    if let name = userInfo?.split(separator: ":", omittingEmptySubsequences: false).first,
      let second = Authority.scheme(asHost: String(name)), !Authority.isHost(second)
    {
      throw .schemeTwice(scheme, second)
    }
    if port?.isEmpty == true { throw .portMissing }
    if userInfo?.isEmpty == true { throw .userMissing }
  }

  private static func begins(_ text: String, with start: String) -> Bool {
    text.prefix(start.count).lowercased() == start
  }
}
