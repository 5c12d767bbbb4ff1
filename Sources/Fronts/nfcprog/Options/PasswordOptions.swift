import ArgumentParser
import Bench
import Bytes
import TagProgramming

/// A password to give to a tag, in place, in a file or in the environment.
struct PasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The password to set: digits, ask, file:PATH, env:NAME.",
      valueName: "hex"))
  var setPassword: String?

  @Option(
    help: ArgumentHelp(
      "PACK, the tag's acknowledgement of the password: 4 digits, ask, file:PATH or env:NAME (default: 0000).",
      valueName: "hex", visibility: .hidden))
  var pack: String?

  @Flag(help: ArgumentHelp("Also protect reading with the password.", visibility: .hidden))
  var readToo = false

  func validate() throws {
    // Said here and not by the parser, which would repeat the secret.
    do {
      if let setPassword { try SecretInput.check(setPassword, derives: true, Secret.password) }
      if let pack { try SecretInput.check(pack, Secret.pack) }
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// Is true if a password to set is named on the command line.
  var isGiven: Bool { setPassword != nil }

  /// What was given, with `usesEnvironment` also in NFCPROG_SET_PASSWORD; nil when nothing was.
  /// Files are read here.
  func protection(usesEnvironment: Bool) throws(BenchError) -> Protection? {
    if let file = Secret.derivation(setPassword) {
      guard pack == nil else {
        throw BenchError(.usage, "--pack follows from the UID, too, with derived:FILE.")
      }
      return Protection(derived: try Secret.derivedPassword(file: file), readToo: readToo)
    }
    guard let password = try password(usesEnvironment: usesEnvironment) else { return nil }
    let acknowledge = try pack.map { text throws(BenchError) in
      try SecretInput(option: "--pack", isNew: true).value(text, Secret.pack)
    }
    guard password.count == 4 || pack == nil else {
      throw BenchError(.usage, "--pack goes with a password of 8 digits; a key has none.")
    }
    return Protection(secret: password, pack: acknowledge ?? [0, 0], readToo: readToo)
  }

  private func password(usesEnvironment: Bool) throws(BenchError) -> [UInt8]? {
    if let setPassword, SecretSource(setPassword) != nil {
      return try SecretInput(option: "--set-password", isNew: true)
        .value(setPassword, Secret.password)
    }
    return try Secret.password(
      setPassword, variable: usesEnvironment ? "NFCPROG_SET_PASSWORD" : nil,
      of: Console.environment)
  }
}
