import Readers
import TagMemory

/// The triple DES key of an Ultralight C, and the AES key of an Ultralight AES.
extension Type2Surveyor {
  /// Without the key, after a pass that failed: refuses a tag that needs it even to say what it
  /// protects.
  mutating func lookForKey() throws(Setback) {
    guard isThorough, try surveying({ () throws(ReaderError) in try hidesProtection() }) else {
      return
    }
    throw .failure(Self.needsKey(nil))
  }

  /// Returns whether an Ultralight C, asked twice and there each time, does not show AUTH0 and
  /// AUTH1.
  mutating func hidesProtection() throws(ReaderError) -> Bool {
    guard let place = state.map.tripleDES else { return false }
    for _ in 1...2 where !state.memory.knowsProtection {
      do {
        note(try session.readPages(place.auth0, count: 2), from: place.auth0)
      } catch .exchangeFailed {
        // A tag that can be selected again is there and refuses.
        try session.selectAgain()
      }
    }
    return !state.memory.knowsProtection
  }

  /// `protection` is nil where not even that shows.
  static func needsKey(_ protection: AccessProtection?) -> JobFailure {
    JobFailure(.type2(.keyNeeded(protection)), remedy: .givePassword)
  }

  /// Returns whether an Ultralight AES with this configuration goes on taking plain commands from
  /// who has proven its key. Throws where that keeps the job from being done.
  ///
  /// Bits that a torn write left demand nothing for good: as long as CFG0 itself is under no key,
  /// they are put right without one.
  func mayProveKey(_ configuration: Configuration?) throws(Setback) -> Bool {
    guard let configuration, configuration.demandsMACs else { return true }
    let isProtected = configuration.protection(pageCount: state.map.pageCount) != nil
    let isRefused =
      isProtected ? !repairsWithoutKey : change != nil && configuration.repaired.demandsMACs
    guard !isRefused else { throw .failure(Type2ProtectionPlanner.demandsMACs) }
    return false
  }

  /// Is true if CFG0 was torn, demands CMACs now, and can be written without a key.
  var repairsWithoutKey: Bool {
    guard let place = state.map.configuration, let configuration = state.memory.configuration,
      configuration.demandsMACs, !configuration.repaired.demandsMACs
    else { return false }
    return !configuration.isWriteProtected(place.cfg0, pageCount: state.map.pageCount)
  }
}
