import Readers
import TagMemory

/// Whether a message may be written: known before the first write that takes the old one away.
extension Type2Surveyor {
  /// Reads from which page on the tag asks for its password, where the pages of the message would
  /// be written from below, so that a refusal came after the old message is gone. A plan that
  /// begins with its last page is refused before anything has changed.
  mutating func proveRights(writing message: [UInt8], _ options: WriteOptions) throws(Setback) {
    guard !state.isAuthenticated, !state.memory.knowsProtection, !state.map.mayHidePassword
    else { return }
    let planner = Type2MessagePlanner(
      state: state, meaning: meaning, uid: session.tag.uid, message: message,
      overwrite: options.overwrite, force: options.force, mirror: options.mirror)
    guard let program = try? planner.plan(), program.mayBeRefusedLate else { return }
    if state.map.tripleDES != nil {
      let isHidden = try surveying { () throws(ReaderError) in try hidesProtection() }
      guard !isHidden else { throw .failure(Self.needsKey(nil)) }
    } else {
      guard try showsConfiguration() else {
        throw .failure(Self.hidesConfiguration(of: state.map))
      }
    }
  }
}

extension TagProgram {
  /// Whether a page above the first that is written comes later: a password that begins between
  /// them refuses it when the tag has changed.
  var mayBeRefusedLate: Bool {
    let pages = writtenPages
    return pages.first.map { first in pages.contains { $0 > first } } ?? false
  }
}
