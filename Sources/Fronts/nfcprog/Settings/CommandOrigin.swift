import Provisioning

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Who runs the program, and with which command line, as the journal records it.
enum CommandOrigin {
  static var loginName: String {
    if let name = Console.environment["LOGNAME"] ?? Console.environment["USER"] { return name }
    guard let entry = unsafe getpwuid(getuid()) else { return "user \(getuid())" }
    return unsafe String(cString: entry.pointee.pw_name)
  }

  /// The command line as it was given, secrets left out.
  static var commandLine: String {
    maskingSecrets(CommandLine.arguments).joined(separator: " ")
  }

  static func maskingSecrets(_ arguments: [String]) -> [String] {
    let secrets = ["--key", "--password", "--set-password", "--pack"]
    var last = ""
    return arguments.map { argument in
      defer { last = argument }
      if secrets.contains(last) { return "**" }
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, parts[0].hasPrefix("--") else {
        return shown(argument, isJournal: last == "--journal")
      }
      if secrets.contains(parts[0]) { return parts[0] + "=**" }
      return parts[0] + "=" + shown(parts[1], isJournal: parts[0] == "--journal")
    }
  }

  /// An argument without the password that the address of a pool, or of anything else, may hold.
  /// What is no address stays as it is: the address of a page is the message of a tag.
  private static func shown(_ text: String, isJournal: Bool) -> String {
    let start = text.drop(while: \.isWhitespace).prefix(11).lowercased()
    let isPool =
      start.hasPrefix("postgresql:") || start.hasPrefix("postgres:") || text.contains("password=")
    if isJournal ? PoolSeries.isPool(text) : isPool { return PoolSeries.shown(text) }
    guard let slashes = text.firstRange(of: "//") else { return text }
    let authority = text[slashes.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":")
    else { return text }
    return text[...colon] + "**" + text[at...]
  }
}
