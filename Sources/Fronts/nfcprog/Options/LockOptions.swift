import ArgumentParser
import Bench
import TagProgramming

/// What is done to a tag once its message is on it and verified: a password, then locks.
struct LockOptions: ParsableArguments {
  @Flag(help: "Once verified, make the tag permanently read-only.")
  var lock = false

  @Flag(
    help: ArgumentHelp(
      "Skip tags whose UID is not signed by their maker.",
      discussion:
        "A valid signature proves that the maker issued the UID. It does not prove that the chip is not a copy.",
      visibility: .hidden
    ))
  var genuine = false

  @Flag(
    help: ArgumentHelp(
      "With --lock and a {mirror:…}: freeze the configuration, too, so that nobody switches the mirror off; permanently.",
      visibility: .hidden)
  )
  var freezeMirror = false

  @OptionGroup var password: PasswordOptions

  func validate() throws {
    guard lock || !freezeMirror else { throw ValidationError("--freeze-mirror goes with --lock.") }
    guard password.isGiven || (password.pack == nil && !password.readToo) else {
      throw ValidationError("--pack and --read-too go with a password: give --set-password, too.")
    }
  }

  /// Fails with `usage` where a mirror is to be frozen and none is written.
  func requireMirror(_ isThere: Bool) throws(BenchError) {
    guard !freezeMirror || isThere else {
      throw BenchError(
        .usage,
        "--freeze-mirror goes with a message that has a place for a mirror, such as {mirror:uid}. Nothing was written."
      )
    }
  }

  /// How a message is written. Files are read here.
  func writeOptions(overwrite: Bool = false, force: Bool = false) throws(BenchError)
    -> WriteOptions
  {
    var options = WriteOptions()
    (options.overwrite, options.force) = (overwrite, force)
    (options.lock, options.freezesMirror) = (lock, freezeMirror)
    options.mustBeGenuine = genuine
    options.protection = try password.protection(usesEnvironment: false)
    return options
  }
}
