import Synchronization

/// The variables of an environment, as a front end found them.
public struct Environment: Sendable {
  package var variables: [String: String]

  /// Takes variables and their values; without them, none is set.
  public init(_ variables: [String: String] = [:]) { self.variables = variables }

  /// A variable; an empty one counts as absent.
  package subscript(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The folder for what programs remember of a person's work (XDG Base Directory Specification
  /// 0.8): a relative `XDG_STATE_HOME` counts as absent. Nil without a home.
  package var stateHome: String? {
    self["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? self["HOME"].map { "\($0)/.local/state" }
  }

  /// Variables that a secret was read from, as `env:NAME` names them.
  private static let secretNames = Mutex<Set<String>>([])

  /// Notes that the variable `name` holds a secret: no other program gets it from this one.
  package static func noteSecret(_ name: String) {
    _ = secretNames.withLock { $0.insert(name) }
  }

  /// The variables that programs may have which are started here: without passwords and keys.
  package var withoutSecrets: [String: String] {
    let names = Self.secretNames.withLock(\.self)
    return variables.filter { name, value in
      !names.contains(name) && !Self.namesSecret(name) && !Self.hasPassword(value)
    }
  }

  /// Returns whether a variable of this name is one of PostgreSQL's or of this program for a
  /// secret.
  private static func namesSecret(_ name: String) -> Bool {
    let own = name.hasPrefix("NFCPROG_") ? Set(name.split(separator: "_")) : []
    return name == "PGPASSWORD" || !own.isDisjoint(with: ["PASSWORD", "KEY", "KEYS", "PACK"])
  }

  /// Returns whether `value` is the address of a database with a password in it.
  private static func hasPassword(_ value: String) -> Bool {
    let text = value.lowercased()
    guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else { return false }
    let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    let user = authority.lastIndex(of: "@").map { authority[..<$0] }
    return user?.contains(":") == true || text.contains("password=")
  }
}
