/// Asks a person whether a page may use the readers.
package protocol PairingJudge: Sendable {
  /// Is true if somebody can be asked.
  var isPossible: Bool { get }

  /// Returns whether the person says yes. `code`: the page shows it, too. The question is taken
  /// back once `isWanted` says that the page has gone.
  func allows(
    _ origin: Origin, code: String, while isWanted: @escaping @Sendable () -> Bool
  ) async -> Bool
}

/// Nobody is there to be asked.
package struct NoPairing: PairingJudge {
  package let isPossible = false

  package init() {}

  package func allows(
    _ origin: Origin, code: String, while isWanted: @escaping @Sendable () -> Bool
  ) async -> Bool { false }
}
