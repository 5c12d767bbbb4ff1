/// Where a pool of jobs is: `postgresql://USER@HOST:PORT/DATABASE?batch=NAME`, with whatever else
/// libpq knows (`sslmode`, `sslrootcert`, …).
///
/// A password is taken out at once and stands in no description. Better places for it are
/// PGPASSWORD and the file of PGPASSFILE, which libpq reads by itself.
package struct PoolAddress: Hashable, Sendable {
  /// For libpq; without a password and without what is ours.
  let connection: String
  let password: String?
  /// The name of the batch.
  package let batch: String
  /// The address as people may see it.
  package let description: String
  /// How long the database is waited for where it says nothing.
  var patience = Duration.seconds(10)

  package enum Mistake: Error, Hashable, Sendable {
    /// A file's path, or a name: libpq would look for a database that is called so.
    case noAddress
    case noBatch
    /// It names two batches.
    case twoBatches
    case badEscape
    /// A password stands there as it is, with characters that mean something in an address.
    case badPassword
    /// A control character in the name of the batch or the password: C would read it up to a NUL,
    /// and terminals do what it says.
    case badCharacter
    /// It leads to another machine, this host, and does not say how that proves who it is.
    case unproven(host: String)
    /// libpq cannot read it: what it says.
    case notUnderstood(String)
  }

  /// Returns whether the text is meant as the address of a database, and not as a file's path: a
  /// misspelt one may hold a password, too, and is not shown as a path.
  package static func isAddress(_ text: String) -> Bool {
    let start = text.drop(while: \.isWhitespace).prefix(11).lowercased()
    return start.hasPrefix("postgresql:") || start.hasPrefix("postgres:")
      || text.contains("password=") || text.contains("://")
      || text.prefix(upTo: text.lastIndex(of: "@") ?? text.startIndex).contains(":")
  }

  /// The beginnings that libpq knows.
  private static func hasScheme(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Returns the address of a batch of this name in the same database.
  package func naming(_ batch: String) -> PoolAddress {
    let base = description.split(separator: "?", maxSplits: 1).first.map(String.init) ?? ""
    var address = PoolAddress(connection, password, batch, Self.shown(base, batch))
    address.patience = patience
    return address
  }

  private init(_ connection: String, _ password: String?, _ batch: String, _ description: String) {
    (self.connection, self.password) = (connection, password)
    (self.batch, self.description) = (batch, description)
  }

  private static func shown(_ base: String, _ batch: String) -> String {
    // As an address has it, as far as it would else be another one.
    let name = batch.filter { !$0.isNewline }.replacing("%", with: "%25")
      .replacing("&", with: "%26").replacing(" ", with: "%20")
    return base + (name.isEmpty ? "" : "?batch=" + name)
  }

  /// `needsBatch`: whether an address that names no batch is a mistake.
  package init(parsing text: String, needsBatch: Bool = true) throws(Mistake) {
    guard Self.hasScheme(text) else { throw .noAddress }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var base = String(parts[0])
    var password: String?
    let start = base.firstRange(of: "://")?.upperBound ?? base.startIndex
    let end = base[start...].firstIndex(of: "/") ?? base.endIndex
    if let at = base[start..<end].lastIndex(of: "@") {
      let user = base[start..<at]
      if let colon = user.firstIndex(of: ":") {
        password = try Self.unescaped(user[base.index(after: colon)...])
        base.removeSubrange(colon..<at)
      }
    } else if text.dropFirst(base[..<end].count).contains("@")
      || !base[start..<end].split(separator: ",").allSatisfy(Self.isHost)
    {
      // What would be taken for a host or a port is a piece of it.
      throw .badPassword
    }
    var (batch, others): (String?, [Substring]) = (nil, [])
    for item in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count > 1 ? try Self.unescaped(pair[1]) : ""
      switch pair[0] {
      case "batch":
        guard batch == nil else { throw .twoBatches }
        batch = value
      case "password": password = value
      default: others.append(item)
      }
    }
    guard batch?.isEmpty == false || !needsBatch else { throw .noBatch }
    self.batch = batch ?? ""
    self.password = password
    connection = base + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    description = Self.shown(base, self.batch)
  }

  /// Returns whether it is a host, with a port or without one.
  private static func isHost(_ text: Substring) -> Bool {
    let name = text.first == "[" ? text.firstIndex(of: "]") : text.firstIndex(of: ":")
    guard let name, let colon = text[name...].firstIndex(of: ":") else { return true }
    return text[colon...].dropFirst().allSatisfy(\.isNumber)
  }

  /// What libpq says of the address, without a piece of it where that may be one of a password.
  func hiding(_ reason: String) -> String {
    guard hasSecret, let end = reason.firstRange(of: ": \"") else { return reason }
    return String(reason[..<end.lowerBound])
  }

  private var hasSecret: Bool { password != nil || connection.contains("password") }

  /// RFC 3986, 2.1.
  private static func unescaped(_ text: Substring) throws(Mistake) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { throw .badEscape }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    let value = String(decoding: bytes, as: UTF8.self)
    let isGood = value.unicodeScalars.allSatisfy { scalar in
      ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
    guard isGood else { throw .badCharacter }
    return value
  }
}
