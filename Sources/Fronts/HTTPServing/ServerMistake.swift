/// Why a server does not start.
package struct ServerMistake: Error, Hashable {
  package enum Code: Sendable { case usage, configuration, noInput, unavailable, badInput }
  package var code: Code
  package var text: String

  package init(_ code: Code, _ text: String) { (self.code, self.text) = (code, text) }
}

extension ServerMistake.Code {
  /// The exit status, after sysexits.h, as nfcprog's.
  package var status: Int32 {
    switch self {
    case .usage: 64
    case .badInput: 65
    case .noInput: 66
    case .unavailable: 69
    case .configuration: 78
    }
  }
}
