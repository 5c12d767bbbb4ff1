import Clibnfc
import Synchronization

/// What C libraries print on standard error.
package enum LibraryMessages {
  private static let areKept = Atomic(true)
  private static let isSilenced: Void = nfcprog_silence_libraries()

  /// Has none of them reach standard error, in whatever way, once a reader is opened that is not
  /// verbose. For programs whose own messages go to the descriptor, not through `stderr` of C.
  package static func hold() { areKept.store(false, ordering: .relaxed) }

  static func silence() { if !areKept.load(ordering: .relaxed) { isSilenced } }
}
