#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Standard output and standard error: who may say what, and whether a person is looking.
struct Console {
  enum Channel: Int32 {
    case output = 1
    case error = 2
  }

  /// Standard output carries JSON Lines and nothing else; what is meant for people goes to standard error.
  var json = false
  var quiet = false
  var verbose = false

  /// The result of the command, for people.
  func result(_ line: String) { put(line, on: json ? .error : .output) }

  /// The result of the command, for programs.
  func json(_ line: String) { put(line, on: .output) }

  /// What went wrong; shown always.
  func complain(_ line: String) { put(line, on: .error) }

  /// Worth knowing; `--quiet` hides it.
  func remark(_ line: String) {
    if !quiet { put(line, on: .error) }
  }

  /// Only with `--verbose`.
  func detail(_ line: String) {
    if verbose { put(line, on: .error) }
  }

  /// Whether progress is worth drawing: a person watches standard error and did not ask for quiet.
  var showsProgress: Bool { !quiet && !verbose && isatty(Channel.error.rawValue) == 1 }

  /// `text` in bold or colour when `channel` is a terminal and NO_COLOR is not set (no-color.org).
  func styled(_ text: String, _ style: Style) -> String {
    let channel = json ? Channel.error : .output
    guard isatty(channel.rawValue) == 1, Self.environment("NO_COLOR") == nil,
      Self.environment("TERM") != "dumb"
    else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// SGR parameters (ECMA-48, 8.3.117).
  enum Style: String {
    case bold = "1"
    case good = "1;32"
    case bad = "1;31"
  }

  /// A variable of the environment; an empty one counts as absent.
  static func environment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func put(_ line: String, on channel: Channel) { Self.write(line + "\n", to: channel) }

  /// Writes at once, unbuffered. A closed pipe is nobody's loss.
  static func write(_ text: String, to channel: Channel) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          unsafe Darwin.write(channel.rawValue, bytes.baseAddress, bytes.count)
        #else
          unsafe Glibc.write(channel.rawValue, bytes.baseAddress, bytes.count)
        #endif
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
