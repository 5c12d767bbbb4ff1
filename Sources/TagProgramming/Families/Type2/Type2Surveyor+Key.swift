import Readers
import TagMemory

/// The triple DES key of an Ultralight C.
extension Type2Surveyor {
  /// Without the key, after a pass that failed: refuses a tag that needs it even to say what it
  /// protects.
  mutating func lookForKey() throws(Setback) {
    guard isThorough, try surveying({ () throws(ReaderError) in try hidesProtection() }) else {
      return
    }
    throw .failure(Self.needsKey(nil))
  }

  /// Whether an Ultralight C, asked twice and there each time, does not show AUTH0 and AUTH1.
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
}
