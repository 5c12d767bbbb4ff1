import ArgumentParser
import Bench

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct Serve: PreferringCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Offer the readers to programs and web pages of this machine.",
    discussion: """
        nfcprog serve
        nfcprog serve --listen unix:agent.sock --reader sim:ntag213

      Keeps the readers open and answers HTTP at 127.0.0.1 or a Unix socket with the JSON of --json; /v1/openapi.json describes it. \
      Programs show the token that the first start makes; a web page gets one of its own after a person at the terminal has said \
      yes. nfcprog-agent, a program of its own, does the work.
      """)

  @OptionGroup(title: "Agent") var serve: ServeOptions

  func run(_ preferences: Preferences) throws {
    let error = Self.become("nfcprog-agent", Array(preferences.arguments.dropFirst()))
    throw ExitCode(Console().fail("serve", error).rawValue)
  }

  /// Replaces this process by `program`, which is beside this one or in the PATH. Returns why it
  /// could not.
  private static func become(_ program: String, _ arguments: [String]) -> BenchError {
    let beside = ownPath.flatMap { path in
      path.lastIndex(of: "/").map { "\(path[...$0])\(program)" }
    }
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map {
      unsafe strdup($0)
    }
    unsafe words.append(nil)
    if let beside { unsafe execv(beside, words) }
    unsafe execvp(program, words)
    guard errno == ENOENT else {
      return BenchError(
        .unavailable, "\(program) cannot be started: \(unsafe String(cString: strerror(errno))).")
    }
    return BenchError(
      .unavailable,
      "\(program) is not installed: it belongs beside nfcprog. Install the whole package, or run Docs/install in a checkout."
    )
  }

  private static var ownPath: String? {
    #if canImport(Darwin)
      var size = UInt32(PATH_MAX)
      var text = [CChar](repeating: 0, count: Int(size))
      guard unsafe _NSGetExecutablePath(&text, &size) == 0 else { return nil }
      return unsafe realpath(text, nil).map { unsafe String(cString: $0) }
    #else
      var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe text.withUnsafeMutableBytes { place in
        unsafe place.baseAddress.map { unsafe readlink("/proc/self/exe", $0, place.count) } ?? 0
      }
      return count > 0 ? String(decoding: text.prefix(count), as: UTF8.self) : nil
    #endif
  }
}
