import Readers
import TagMemory

/// Says whether a message may be written: known before the first write that takes the old one away.
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

/// A chip of which nobody can read what its password protects.
extension Type2Surveyor {
  /// Refuses `program` where the pages in which the chips that this one resembles have AUTH0 say
  /// that a page of it needs a password. Where they do not show, or hold what those chips would
  /// not, nothing is known: the run begins with a write that changes nothing.
  mutating func requireLikelyRights(for program: TagProgram) throws(Setback) {
    guard program.changesTag, session.sent.pages.isEmpty else { return }
    try readFixedConfiguration()
    guard let protection = state.likelyProtection,
      program.writtenPages.contains(where: protection.isWriteProtected)
    else { return }
    throw .failure(Self.needsPassword(protection, of: state.map))
  }

  /// Reads what a chip says of password and mirror whose configuration is never written; nothing
  /// where that does not show, or holds what no chip would.
  mutating func readFixedConfiguration() throws(Setback) {
    if state.map.fixedMirror != nil, let page = state.map.access?.auth0, state.memory[page] == nil,
      let bytes = try shown(page, count: 2)
    {
      note(bytes, from: page)
    }
    guard state.likelyConfiguration == nil, let page = state.map.likelyAUTH0,
      let bytes = try shown(page, count: 2), bytes.count == 2 * Page.byteCount
    else { return }
    // TT_EN and TT_LOCK of an NTAG213 TagTamper aside, no chip has more bits there. Nothing but
    // zeros may as well be memory that nobody uses.
    guard bytes.contains(where: { $0 != 0 }), bytes[1] & ~0x06 == 0,
      [0x00, 0x05].contains(bytes[5]), bytes[6] == 0, bytes[7] == 0
    else { return }
    state.likelyConfiguration = bytes
  }

  /// Pages as the tag shows them; nil where it, asked twice and there each time, does not.
  func shown(_ page: Page, count: Int) throws(Setback) -> [UInt8]? {
    for _ in 1...2 {
      do throws(ReaderError) {
        return try session.readPages(page, count: count)
      } catch .exchangeFailed {
        try surveying { () throws(ReaderError) in try session.selectAgain() }
      } catch {
        throw .reader(error)
      }
    }
    return nil
  }
}

/// Says whether a tag that refuses this run is as it was before.
extension Type2Surveyor {
  /// A tag of which nobody can read what its password protects, and which time and again ends
  /// before its memory does, or refuses the next page, hides the rest behind one.
  func naming(_ error: Setback) -> Setback {
    guard isThorough, state.map.mayHidePassword, case .reader(let cause) = error else {
      return error
    }
    switch cause {
    case .wrongAnswerLength: return .failure(Self.hidesConfiguration(of: state.map))
    case .exchangeFailed:
      let known = Page.firstOfArea.advanced(by: state.areaBytes.count / Page.byteCount)
      do throws(Setback) {
        guard try refusesPages(from: known) else { return error }
      } catch {
        return error
      }
      return .failure(Self.hidesConfiguration(of: state.map))
    default: return error
    }
  }

  /// Returns whether the tag, which is there, refuses one of the pages of its user memory from
  /// `first` on, or its lock bytes.
  private func refusesPages(from first: Page) throws(Setback) -> Bool {
    let locks = state.map.dynamicLocks.map { [$0.page] } ?? []
    for page in state.map.user.drop(while: { $0 < first }) + locks {
      if try shown(page, count: 1) == nil { return true }
    }
    return false
  }

  /// The refusal `error`, with what is known of the tag: unchanged, where each page that this run
  /// has sent a write to shows what it held, or asks for a password that nobody has given.
  mutating func provingUnchanged(after error: Setback) -> Setback {
    guard case .failure(var failure) = error, failure.kind == .refused, failure.holds == nil,
      !session.sent.pages.isEmpty
    else { return error }
    do {
      try readSent()
    } catch {
      return .failure(failure)
    }
    if showsNoWrite { failure.holds = .unchanged }
    return .failure(failure)
  }

  /// Reads the pages that this run has sent a write to, and notes which of them the tag, asked
  /// twice and there each time, does not show.
  private mutating func readSent() throws(Setback) {
    for page in session.sent.pages.keys.sorted()
    where state.memory[page] == nil && !state.hidesAlways(page: Int(page.number)) {
      if try !readChunk(page, count: 1) { state.noteRefusal(of: page) }
    }
  }

  /// Returns whether `page` has needed a password during the whole run, and none was taken: then no
  /// write of this run is stored there.
  ///
  /// A page that needs it to be read needs it to be written (NTAG213/215/216, 8.8). A tag that
  /// shows none of its first pages tells nothing by that.
  func isClosed(_ page: Page) -> Bool {
    let settings = [
      state.map.configuration?.cfg0, state.map.configuration?.cfg1, state.map.tripleDES?.auth0,
      state.map.tripleDES?.auth1, state.map.access?.auth0,
    ]
    guard !state.isAuthenticated, session.provenPassword == nil,
      settings.allSatisfy({ page in page.map { session.sent[.page($0)] == nil } ?? true })
    else { return false }
    if let protection = state.memory.protection { return protection.isWriteProtected(page) }
    return !session.head.isEmpty && state.memory[page] == nil
      && state.refused.map { $0 <= page } ?? false
  }
}

extension TagProgram {
  /// Is true if a page above the first that is written comes later: a password that begins between
  /// them refuses it when the tag has changed.
  var mayBeRefusedLate: Bool {
    let pages = writtenPages
    return pages.first.map { first in pages.contains { $0 > first } } ?? false
  }
}
