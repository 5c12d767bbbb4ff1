import Readers
import TagMemory

/// One selected tag on one reader, with what the tag forgets when it is selected anew.
///
/// After a refusal a tag is silent; the next command here selects it again first, by its UID, so that
/// no other tag can be met in its place.
class TagSession {
  let reader: TagReader
  let tag: Target
  /// What this run has written so far.
  var sent = SentWrites()
  /// The MIFARE Classic sector that is open, and with what.
  private(set) var open: (sector: Sector, candidate: KeyCandidate)?
  /// Given to the tag after each selection.
  var password: [UInt8]?
  /// The last password that the tag took, as long as nothing has changed it.
  var provenPassword: [UInt8]?
  /// Passwords that were sent while the tag may count wrong ones, and that it was not seen to take.
  var spentPasswords: Set<[UInt8]> = []
  /// Whether a wrong password may bring the tag nearer to closing for good: AUTHLIM is not 0, or not known.
  var countsPasswords = true
  /// Whether FAST_READ is used: the chip knows it, and no pass has failed yet.
  var canFastRead = false
  /// How many pages of a Type 2 tag can be read at most: READ starts again with page 0 there.
  var readablePageCount = 256
  /// What a page of a Type 2 tag held before this run wrote it.
  var firstSeen: [Page: [UInt8]] = [:]

  init(reader: TagReader, tag: Target) {
    self.reader = reader
    self.tag = tag
  }

  /// Selects the tag again if it has refused something since. Throws `tagLost` when it is not there.
  func wake() throws(ReaderError) {
    guard reader.needsReselect else { return }
    try selectAgain()
  }

  /// Selects the tag again whatever it did.
  func selectAgain(givingPassword: Bool = true) throws(ReaderError) {
    open = nil
    try reader.reselect(tag)
    if givingPassword, let password { _ = try reader.authenticate(password: password) }
  }

  /// The password is given no more when the tag is selected anew.
  func forgetPassword() { password = nil }

  /// The tag's password is about to change: the old one may be wrong from here on, whatever becomes of the write.
  func passwordIsChanging() { (password, provenPassword) = (nil, nil) }

  // MARK: MIFARE Classic

  /// Opens `sector`; free when it is open with that key. False when the tag refuses the key.
  func authenticate(_ sector: Sector, _ candidate: KeyCandidate) throws(ReaderError) -> Bool {
    if !reader.needsReselect, let open, open == (sector, candidate) { return true }
    try wake()
    open = nil
    do {
      try reader.authenticate(
        block: Int(sector.trailer.index), key: candidate.key, type: candidate.type, tag: tag)
    } catch .exchangeFailed(.authentication) {
      return false
    }
    open = (sector, candidate)
    return true
  }

  /// A block of the open sector; nil when the tag, asked twice, refuses to show it, after which nothing is open.
  func readBlock(_ block: Block) throws(ReaderError) -> [UInt8]? {
    let opened = open
    for attempt in 1...2 {
      do {
        return try reader.readBlock(Int(block.index))
      } catch .exchangeFailed {
        // Gone or unwilling: a tag that can be selected again is there, and it refused or its answer was lost.
        try selectAgain()
      }
      guard attempt == 1, let opened, try authenticate(opened.sector, opened.candidate) else {
        return nil
      }
    }
    return nil
  }

  /// The open sector's keys have changed under it.
  func forgetSector() { open = nil }
}
