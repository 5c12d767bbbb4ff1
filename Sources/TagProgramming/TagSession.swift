import Readers
import TagMemory

/// One selected tag on one reader, with what the tag forgets when it is selected anew.
///
/// After a refusal a tag is silent; the next command here selects it again first, by its UID, so that
/// no other tag can be met in its place.
final class TagSession {
  let reader: TagReader
  let tag: Activation
  /// What this run has written so far.
  var sent = SentWrites()
  /// The MIFARE Classic sector that is open, and with what.
  private(set) var open: (sector: Sector, candidate: KeyCandidate)?
  /// Given to the tag after each selection.
  private var password: [UInt8]?

  init(reader: TagReader, tag: Activation) {
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

  // MARK: Type 2

  /// Whether the chip knows FAST_READ; set once it is identified.
  var canFastRead = false

  /// `count` pages from `first` on, with the widest reads that the chip has.
  func readPages(_ first: Page, count: Int) throws(ReaderError) -> [UInt8] {
    try wake()
    let start = Int(first.number)
    // One READ carries four pages and wakes a halted tag, which FAST_READ cannot.
    if count > 4, canFastRead { return try reader.fastRead(start...start + count - 1) }
    var bytes: [UInt8] = []
    while bytes.count < count * Page.byteCount {
      bytes += try reader.readPages(from: start + bytes.count / Page.byteCount)
    }
    return Array(bytes.prefix(count * Page.byteCount))
  }

  /// Gives the password; returns the tag's acknowledge, nil when it refuses. From then on it is given whenever the tag is
  /// selected anew. `isCounted`: the tag may count wrong passwords, so that an unclear answer is not asked for again.
  func authenticate(password: [UInt8], isCounted: Bool) throws(ReaderError) -> [UInt8]? {
    self.password = nil
    for attempt in 1...2 {
      try wake()
      do {
        let acknowledge = try reader.authenticate(password: password)
        self.password = password
        return acknowledge
      } catch .exchangeFailed(let status) {
        // A tag that has gone refuses nothing.
        try selectAgain()
        // Silence is a lost frame as a rule; a damaged answer may be one, too, or a NAK.
        guard attempt == 1, status == .timeout || !isCounted else { return nil }
      }
    }
    return nil
  }

  /// Whether the tag, newly selected and without its password, refuses to have `page` written with the bytes that it holds.
  func refuses(writing bytes: [UInt8], to page: Page) throws(ReaderError) -> Bool {
    for _ in 1...2 {
      try selectAgain(givingPassword: false)
      do {
        try reader.writePage(Int(page.number), bytes)
        return false
      } catch .exchangeFailed(let status) {
        if status != .timeout { break }
      }
    }
    // It is there and has refused.
    try selectAgain()
    return true
  }
}
