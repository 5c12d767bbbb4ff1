/// Why a server and this program do not come together, though the server answers.
package enum ConnectionFault: Hashable, Sendable {
  /// This machine has no certificate of a CA in the file.
  case noRootCertificate(String)
  /// The CA of this machine has not signed the server's certificate, or its time is over.
  case notVerified
  /// The server's certificate is for another name than the address has: which, as far as known.
  case otherHost(String, isFor: String?)
  /// The server does not do TLS, and the address wants it.
  case notEncrypted
  /// The user's own certificate or key: what libpq says.
  case ownCertificate(String)
  /// No line of `pg_hba.conf` is for it.
  case noEntry(user: String, address: String, database: String, isPlain: Bool)
  /// The server wants a password, and none was found.
  case noPassword
  /// The server does not take the password, which stands in the file where one is named.
  case otherPassword(user: String, file: String?)

  /// What libpq says: it has only words. Its own are in English, as this program sets no locale;
  /// those of a server may not be. Where it has tried once more without TLS, it says both, and the
  /// first is what has to be repaired.
  init?(saying text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      if let fault = Self.ofCertificate(line) ?? Self.ofUser(line, text) {
        self = fault
        return
      }
    }
    return nil
  }

  private static func ofCertificate(_ line: Substring) -> ConnectionFault? {
    if let match = line.firstMatch(
      of: /root certificate file "(.*?)" does not exist|read root certificate file "(.*?)"/)
    {
      return .noRootCertificate(String(match.1 ?? match.2 ?? ""))
    }
    if line.contains("to locate root certificate file") {
      return .noRootCertificate("~/.postgresql/root.crt")
    }
    if line.contains("certificate verify failed") { return .notVerified }
    if let match = line.firstMatch(
      of: /server certificate for "(.*?)".* does not match host name "(.*?)"/)
    {
      return .otherHost(String(match.2), isFor: String(match.1))
    }
    if line.contains("server does not support SSL"), line.contains("required") {
      return .notEncrypted
    }
    let isOwn = line.contains("private key file") || line.contains("read certificate file")
    return isOwn ? .ownCertificate(withoutPlace(line)) : nil
  }

  private static func ofUser(_ line: Substring, _ text: String) -> ConnectionFault? {
    if let match = line.firstMatch(
      of: /pg_hba.conf .*? host "(.*?)", user "(.*?)", database "(.*?)"(, no encryption)?/)
    {
      return .noEntry(
        user: String(match.2), address: String(match.1), database: String(match.3),
        isPlain: match.4 != nil)
    }
    if line.contains("no password supplied") { return .noPassword }
    guard let match = line.firstMatch(of: /password authentication failed for user "(.*?)"/) else {
      return nil
    }
    let file = text.firstMatch(of: /password retrieved from file "(.*?)"/)?.1
    return .otherPassword(user: String(match.1), file: file.map(String.init))
  }

  /// Without `connection to server at "HOST" (ADDRESS), port PORT failed:`.
  private static func withoutPlace(_ line: Substring) -> String {
    let place = line.firstRange(of: " failed: ")
    return String(place.map { line[$0.upperBound...] } ?? line)
  }
}

extension ConnectionFault: CustomStringConvertible {
  /// What happened and what to do, in whole sentences.
  package var description: String {
    switch self {
    case .noRootCertificate(let file):
      "The server's certificate cannot be checked: put the certificate of the CA that signed it into \(file), or name another file with sslrootcert=."
    case .notVerified:
      "The server's certificate cannot be trusted: the CA whose certificate this machine has did not sign it, or it has expired. Put the right CA's certificate into ~/.postgresql/root.crt, or name it with sslrootcert=."
    case .otherHost(let host, let name):
      "The server's certificate does not prove that it is \(host)\(name.map { ": it is for \($0)" } ?? ""). Use a name of the certificate in the address, or give the server a certificate for \(host)."
    case .notEncrypted:
      "The server does not encrypt, and the address asks for it: turn ssl on in its postgresql.conf."
    case .ownCertificate(let reason): "This user's certificate cannot be used: \(reason)."
    case .noEntry(let user, let address, let database, isPlain: false):
      "The server does not let \(user) in from \(address) to \(database): add a line to its pg_hba.conf."
    case .noEntry(let user, let address, let database, isPlain: true):
      "The server does not let \(user) in from \(address) to \(database) without encryption: turn ssl on in its postgresql.conf, or add a line to its pg_hba.conf."
    case .noPassword:
      "The server asks for a password: put it into ~/.pgpass, or into a file that PGPASSFILE names."
    case .otherPassword(let user, let file):
      "The server has no user \(user) with this password: correct it in \(file ?? "~/.pgpass, the file of PGPASSFILE, or PGPASSWORD")."
    }
  }
}
