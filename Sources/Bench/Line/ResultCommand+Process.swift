#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The process of a result command.
extension ResultCommand {
  /// Readers, journals and pipes of this process are none of the command's business.
  private static func keepDescriptors() {
    for descriptor in 3..<min(getdtablesize(), 4096) {
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0, flags & FD_CLOEXEC == 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
    }
  }

  /// The shell in a group of its own, without our terminal's input and with the signals as they
  /// come by default.
  func spawn(_ variables: [String: String]) -> pid_t? {
    Self.keepDescriptors()
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    _ = unsafe posix_spawn_file_actions_init(&actions)
    _ = unsafe posix_spawnattr_init(&attributes)
    defer {
      _ = unsafe posix_spawn_file_actions_destroy(&actions)
      _ = unsafe posix_spawnattr_destroy(&attributes)
    }
    _ = unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if settings.isHeard {
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    } else {
      _ = unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      _ = unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    var signals = sigset_t()
    _ = unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD] {
      _ = unsafe sigaddset(&signals, signal)
    }
    _ = unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int(POSIX_SPAWN_SETPGROUP) | Int(POSIX_SPAWN_SETSIGDEF)
    _ = unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    _ = unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let words = unsafe Self.copies(["/bin/sh", "-c", settings.command])
    let environment = unsafe Self.copies(merged(variables))
    defer {
      unsafe Self.release(words)
      unsafe Self.release(environment)
    }
    var process: pid_t = 0
    let result = unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environment)
    return result == 0 ? process : nil
  }

  /// C strings, and the nil that ends them; to be freed.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
  }

  private static func release(_ copies: [UnsafeMutablePointer<CChar>?]) {
    for index in unsafe copies.indices { unsafe free(copies[index]) }
  }

  private func merged(_ variables: [String: String]) -> [String] {
    // Columns of another program's call are none of this tag's, and secrets none of the command's
    // business.
    environment.withoutSecrets.filter { !$0.key.hasPrefix(Self.columnPrefix) }
      .merging(variables) { $1 }
      // A NUL ends a variable.
      .map { "\($0)=\($1.prefix { $0 != "\0" })" }
  }
}
