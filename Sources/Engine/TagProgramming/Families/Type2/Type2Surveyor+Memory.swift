import Readers
import TagMemory

/// What has to be read of the memory beside a message.
extension Type2Surveyor {
  /// Everything that can be read.
  mutating func surveyAll() throws(Setback) {
    if password != nil { try enter() }
    try readFixedConfiguration()
    try surveying { () throws(ReaderError) in
      do throws(ReaderError) {
        try readLocksAndConfiguration()
      } catch .exchangeFailed {
        // A configuration that does not show is told as such.
        try session.selectAgain()
      }
    }
    // The first pages do not show where even those are protected, from any of them on.
    for page in stride(from: Page(0), to: .firstOfArea, by: 1) where state.memory[page] == nil {
      if try !readChunk(page, count: 4 - Int(page.number)) {
        state.noteRefusal(of: page)
        break
      }
    }
    let closed = state.isAuthenticated ? nil : state.memory.protection
    let pages = state.map.pages
    var hidden: ClosedRange<Page>?
    for page in pages where page >= .firstOfArea && state.memory[page] == nil {
      if hidden?.contains(page) == true { continue }
      // Of what is hidden the first page is asked for.
      if let closed, closed.isReadProtected(page), page != closed.firstPage { continue }
      let end = page.number + UInt16(session.canFastRead ? 60 : 4)
      // Pages that follow each other in one sector and show.
      let chunk = pages.drop { $0 < page }.prefix { $0.number < end && $0.sector == page.sector }
      let run = zip(chunk, chunk.dropFirst()).prefix { one, next in
        one.distance(to: next) == 1 && (closed.map { !$0.isReadProtected(next) } ?? true)
      }
      // A page that cannot be read (a key, a counter that is off) stays unknown; a password or a
      // key hides everything from its first page on.
      if try !readChunk(page, count: run.count + 1) {
        state.noteRefusal(of: page)
        guard !state.knowsProtection else { continue }
        // All that follows is closed with it, but what the password never reaches.
        guard let end = state.map.access?.last, page <= end else { return }
        hidden = page...end
      }
    }
  }

  /// Reads `count` pages; where they do not show together, the first four of them once more. False
  /// when these do not, either.
  mutating func readChunk(_ page: Page, count: Int) throws(Setback) -> Bool {
    for attempt in 1...2 {
      do throws(ReaderError) {
        let count = attempt == 1 ? count : min(count, 4)
        note(try session.readPages(page, count: count), from: page)
        return state.memory[page] != nil
      } catch .exchangeFailed {
        // FAST_READ is refused as a whole, and some copies and boards do not know it.
        session.canFastRead = false
        try surveying { () throws(ReaderError) in try session.wake() }
      } catch {
        throw .reader(error)
      }
    }
    return false
  }

  /// What has to be read before `pages` can be written one by one.
  mutating func surveyPages(_ pages: ClosedRange<Page>) throws(Setback) {
    try enter()
    try readFixedConfiguration()
    try surveying { () throws(ReaderError) in
      for page in pages where state.memory[page] == nil {
        let count = pages.upperBound.distance(to: page).magnitude + 1
        do throws(ReaderError) {
          note(try session.readPages(page, count: Int(count)), from: page)
        } catch .exchangeFailed {
          // Keys do not show: such a page is written unseen.
          try session.wake()
        }
      }
      try readLocksAndConfiguration()
    }
    if state.map.mayHidePassword {
      for page in pages where state.memory[page] == nil && state.map.user.contains(page) {
        guard try shown(page, count: 1) == nil else { continue }
        throw .failure(Self.hidesConfiguration(of: state.map))
      }
    }
    if state.memory.configuration?.attemptLimit == 0 { session.countsPasswords = false }
    guard !state.isAuthenticated,
      let protection = state.memory.configuration?.protection(pageCount: state.map.pageCount),
      pages.contains(where: protection.isWriteProtected)
    else { return }
    throw .failure(Self.needsPassword(protection, of: state.map))
  }

  /// What has to be read before the whole memory can be written.
  mutating func surveyForRestoring() throws(Setback) {
    try enter()
    try surveyAll()
    try requirePassword(writing: true)
  }
}
