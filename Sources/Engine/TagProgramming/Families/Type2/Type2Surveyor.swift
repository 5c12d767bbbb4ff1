import Readers
import TagMemory

/// Reads of a Type 2 tag what a job needs, with the widest reads the chip has.
struct Type2Surveyor {
  let session: Type2Session
  /// The password that the operator gave.
  let password: [UInt8]?
  /// The password in a dump that is restored.
  var heldPassword: [UInt8]?
  /// Is true if the dump is of this very tag, and the operator has given leave to try its password
  /// where the tag hides whether it counts wrong ones.
  var risksHeldPassword = false
  /// Is true if the password is that of a list, which an earlier run may have replaced.
  var hasListedPassword = false
  /// The tags that did not take the password earlier in the run.
  var refusedPasswords: RefusedPasswords?
  /// The password that the tag has when the job is done, where the job sets one.
  var lastingPassword: [UInt8]?
  /// A dry run: nothing is sent that the tag may count.
  var isRehearsal = false
  /// What the job does to the password, where it does; nil as long as the job is not decided.
  var change: PasswordChange?
  /// Is true if to read locks and configuration even where the job seldom needs them.
  var isThorough: Bool
  var state: Type2State

  /// Takes in lock bytes, capability container and the first two pages of the area (`head`: pages 2
  /// to 5), nothing where they did not show.
  init(
    session: Type2Session, product: Product, map: Type2Map, head: [UInt8], password: [UInt8]?,
    isThorough: Bool
  ) {
    self.session = session
    self.password = password
    self.isThorough = isThorough
    state = Type2State(product: product, map: map)
    // Copies and boards without FAST_READ are met with READ, which all of them know.
    session.canFastRead = product.features.contains(.fastRead) && !isThorough
    // Nothing counts wrong keys of an Ultralight C.
    if map.tripleDES != nil { session.countsPasswords = false }
    // READ starts again before the key of an Ultralight C; that of an Ultralight AES shows as
    // zeros.
    session.readablePageCount =
      map.tripleDES.flatMap { _ in map.key }.map { Int($0.pages.lowerBound.number) }
      ?? map.pageCount
    state.uid = session.tag.uid
    note(head, from: .staticLocks)
  }

  /// What the tag holds as this run means it: what was sent stands for what is there.
  var meaning: Type2State { state.meant(session) }

  /// Reads the pages that this run has written and that no survey has read.
  mutating func surveySent() throws(Setback) {
    for page in session.sent.pages.keys.sorted()
    where state.memory[page] == nil && !state.hidesAlways(page: Int(page.number)) {
      try surveying { () throws(ReaderError) in
        note(try session.readPages(page, count: 1), from: page)
      }
    }
  }

  /// The pages that this run has written and that show something else than they would with that in
  /// them.
  var wrongPages: Set<Page> {
    let shown = MirrorOverlay(of: state, uid: session.tag.uid)
    return Set(
      session.sent.pages.keys.filter { page in
        guard !state.hidesAlways(page: Int(page.number)), let found = state.memory[page],
          let meant = meaning.memory[page]
        else { return false }
        return !shown.matches(found, stored: meant, page: page)
      })
  }

  /// Says whether every page that this run has sent a write to is seen to hold what it held before,
  /// or is one that the tag does not let be written.
  var showsNoWrite: Bool {
    let mirror = MirrorOverlay(of: state, uid: session.tag.uid)
    let mayMirror = hasMirror && state.memory.configuration == nil
    return session.sent.pages.keys.allSatisfy { page in
      guard !state.hidesAlways(page: Int(page.number)) else { return false }
      let isAsBefore = session.firstSeen[page].map { $0 == state.memory[page] } ?? false
      return isClosed(page) || isAsBefore && !mayMirror && !mirror.covers(page)
    }
  }

  /// The dynamic lock bytes and CFG0 and CFG1, which stand side by side on most chips.
  mutating func readLocksAndConfiguration() throws(ReaderError) {
    for page in state.map.settings where state.memory[page] == nil {
      note(try session.readPages(page, count: state.map.count(from: page)), from: page)
    }
  }

  /// Reads locks and configuration; false where the tag, asked twice and there each time, does not
  /// show them.
  mutating func showsConfiguration() throws(Setback) -> Bool {
    for _ in 1...2 {
      do throws(ReaderError) {
        try readLocksAndConfiguration()
        return true
      } catch .exchangeFailed {
        // A tag that can be selected again is there and refuses.
        try surveying { () throws(ReaderError) in try session.selectAgain() }
      } catch {
        throw .reader(error)
      }
    }
    return false
  }

  /// Takes in pages.
  mutating func note(_ bytes: [UInt8], from first: Page) {
    state.memory.store(bytes, from: first)
    for (index, unit) in AreaUpdate.units(of: bytes, size: Page.byteCount).enumerated() {
      guard let page = Page(exactly: Int(first.number) + index), session.firstSeen[page] == nil,
        session.sent[.page(page)] == nil
      else { continue }
      session.firstSeen[page] = unit
    }
  }
}
