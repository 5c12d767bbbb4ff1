/// Asks a person whether a page may use the readers.
package protocol PairingJudge: Sendable {
  /// Is true if somebody can be asked.
  var isPossible: Bool { get }

  /// Returns whether the person says yes. `code`: the page shows it, too.
  func allows(_ origin: Origin, code: String) async -> Bool
}

/// Nobody is there to be asked.
package struct NoPairing: PairingJudge {
  package let isPossible = false

  package init() {}

  package func allows(_ origin: Origin, code: String) async -> Bool { false }
}
