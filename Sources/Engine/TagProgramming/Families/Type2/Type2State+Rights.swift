import TagMemory

/// What a tag lets be written, as far as that is known: asked before the first write, not found out
/// in the middle.
extension Type2State {
  /// A telephone, which gives no password, can do this with the tag. Nil where the bytes that were
  /// read do not tell.
  var status: NDEFStatus? {
    // Who may not read a page may not write it.
    ndef?.status == .readWrite && hidesArea ? .readOnly : ndef?.status
  }

  /// Is true if the tag was seen not to show a page of its data area.
  var hidesArea: Bool {
    refused.map { $0.byteOffset < Page.firstOfArea.byteOffset + area.byteCount } ?? false
  }

  /// Is true if a password is needed to write the message from its first page on; nil where nothing
  /// tells.
  var isPasswordProtected: Bool? {
    if let protection = memory.protection ?? likelyProtection { return protection.coversArea }
    // A password hides every page from its first one on.
    return knowsProtection ? false : refused.map { $0 <= .firstOfArea }
  }

  /// Throws where `program` writes a page that needs a password, or a key, and none was taken.
  func requireRights(for program: TagProgram) throws(JobFailure) {
    guard !isAuthenticated, let protection = memory.protection,
      program.writtenPages.contains(where: protection.isWriteProtected)
    else { return }
    guard map.key != nil else { throw Type2Surveyor.needsPassword(protection, of: map) }
    throw Type2Surveyor.needsKey(protection)
  }

  /// Names AUTH0's page where it is one of the `wrongPages`, which this run has written and which
  /// show something else than `meaning`: then nobody has set a password there, a cell has failed.
  func failedProtection(_ wrongPages: Set<Page>, _ meaning: Type2State) -> JobFailure? {
    guard let page = map.configuration?.cfg0 ?? map.tripleDES?.auth0, wrongPages.contains(page),
      let found = memory[page], let meant = meaning.memory[page]
    else { return nil }
    return JobFailure(
      .type2(.pageDiffers(page, found: found, wanted: meant)), remedy: .useAnotherTag)
  }

  /// Returns whether every page that `program` writes was read, those aside that never show.
  func showsEveryPage(of program: TagProgram) -> Bool {
    program.writtenPages.allSatisfy { page in
      memory[page] != nil || hidesAlways(page: Int(page.number))
    }
  }

  /// Begins `program` with the pages of user memory that it may not be allowed to write, as they
  /// are on `state`, the tag as it is read: what is refused is refused while nothing has changed.
  /// On a chip of which nobody can read from which page on it asks for a password that is the last
  /// one; where its lock bits are not known, each that they may close.
  func probe(_ program: inout TagProgram, on state: Type2State) {
    let pages = program.writtenPages.filter(map.user.contains)
    var probed = Set(pages.filter { $0 != program.writtenPages.first && hidesLock(of: $0) })
    if map.mayHidePassword, program.mayBeRefusedLate, let last = pages.max() { probed.insert(last) }
    let shown = state.uid.map { MirrorOverlay(of: state, uid: $0) }
    let steps = probed.sorted(by: >).compactMap { page -> TagProgram.Step? in
      guard let held = state.memory[page], held == memory[page], shown?.covers(page) != true
      else { return nil }
      return .writePage(page, held, .content)
    }
    program.probes = steps.count
    program.steps.insert(contentsOf: steps, at: 0)
    program.showing = program.showing?.inserting(steps.count, at: 0)
  }
}

extension TagProgram {
  /// The pages that it writes, in its order.
  var writtenPages: [Page] {
    steps.compactMap { $0.written?.place.page }
  }
}
