#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why a simulated board cannot be set up.
package enum SimulatorError: Error, Hashable, Sendable {
  /// A system call for the pseudo-terminal failed.
  case pseudoTerminal(call: String, errno: Int32)
  /// The symbolic link to the pseudo-terminal cannot be made.
  case link(path: String, errno: Int32)
}

extension SimulatorError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .pseudoTerminal(let call, let number):
      "no pseudo-terminal for the simulated board: \(call) failed (\(Self.text(number)))"
    case .link(let path, let number):
      "the link \(path) to the simulated board cannot be made (\(Self.text(number)))"
    }
  }

  private static func text(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
}
