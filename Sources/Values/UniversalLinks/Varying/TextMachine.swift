/// Reads a text character by character, without going back, and knows at its end whether it
/// matches.
package protocol TextMachine {
  associatedtype Unit: Hashable
  associatedtype State: Hashable

  /// The state before the first character.
  var start: State { get }

  func state(after unit: Unit, from state: State) -> State

  /// Returns whether a text that ends in `state` matches.
  func accepts(_ state: State) -> Bool

  /// Returns whether nothing that follows leads from `state` to a match.
  func isLost(_ state: State) -> Bool
}
