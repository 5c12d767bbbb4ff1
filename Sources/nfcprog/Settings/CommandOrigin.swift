import BenchKit
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
    var masksNext = false
    return arguments.map { argument in
      defer { masksNext = secrets.contains(argument) }
      if masksNext { return "**" }
      // The address of a pool may hold a password.
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      if PoolSeries.isPool(argument) { return PoolSeries.shown(argument) }
      if parts.count == 2, PoolSeries.isPool(parts[1]) {
        return parts[0] + "=" + PoolSeries.shown(parts[1])
      }
      guard let name = secrets.first(where: { argument.hasPrefix($0 + "=") }) else {
        return argument
      }
      return name + "=**"
    }
  }
}
