import ArgumentParser
import BenchKit
import Bytes
import TagProgramming

/// A password to give to a tag, in place, in a file or in the environment.
struct PasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The password to set: 8 digits; derived:FILE: each tag's own, from a master key and its UID.",
      valueName: "hex"))
  var setPassword: String?

  @Option(help: ArgumentHelp("A file with the password; - is standard input.", valueName: "file"))
  var setPasswordFile: String?

  @Option(
    help: ArgumentHelp(
      "PACK, the tag's acknowledgement of the password: 4 digits (default: 0000).", valueName: "hex"
    ))
  var pack: String?

  @Flag(help: "Also protect reading with the password.")
  var readToo = false

  func validate() throws {
    guard setPassword == nil || setPasswordFile == nil else {
      throw ValidationError("Give --set-password or --set-password-file, not both.")
    }
    // Said here and not by the parser, which would repeat the secret.
    do {
      if let setPassword, Secret.derivation(setPassword) == nil {
        _ = try Secret.password(setPassword)
      }
      if let pack { _ = try Secret.pack(pack) }
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// Whether a password to set is named on the command line.
  var isGiven: Bool { setPassword != nil || setPasswordFile != nil }

  /// What was given, with `usesEnvironment` also in NFCPROG_SET_PASSWORD; nil when nothing was.
  /// Files are read here.
  func protection(usesEnvironment: Bool) throws(BenchError) -> Protection? {
    if let file = Secret.derivation(setPassword) {
      guard pack == nil else {
        throw BenchError(.usage, "--pack follows from the UID, too, with derived:FILE.")
      }
      return Protection(derived: try Secret.derivedPassword(file: file), readToo: readToo)
    }
    let variable = usesEnvironment ? "NFCPROG_SET_PASSWORD" : nil
    guard
      let password = try Secret.password(
        setPassword, file: setPasswordFile, variable: variable, of: Console.environment)
    else { return nil }
    let acknowledge = pack.flatMap { try? Secret.pack($0) } ?? [0, 0]
    return Protection(password: password, pack: acknowledge, readToo: readToo)
  }
}
