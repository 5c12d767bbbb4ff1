import Readers
import TagMemory

/// One selected tag on one reader, with what the tag forgets when it is selected anew.
///
/// After a refusal a tag is silent; the next command here selects it again first, by its UID, so that
/// no other tag can be met in its place.
final class TagSession {
  let reader: TagReader
  let tag: Activation
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
  func selectAgain() throws(ReaderError) {
    open = nil
    try reader.reselect(tag)
    if let password { _ = try reader.authenticate(password: password) }
  }

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

  /// A block of the open sector; nil when the tag refuses to show it, after which nothing is open.
  func readBlock(_ block: Block) throws(ReaderError) -> [UInt8]? {
    do {
      return try reader.readBlock(Int(block.index))
    } catch .exchangeFailed {
      // Gone or unwilling: a tag that can be selected again is there and refused.
      try selectAgain()
      return nil
    }
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

  /// Gives the password; false when the tag refuses it. It is given again whenever the tag is selected anew.
  func authenticate(password: [UInt8]) throws(ReaderError) -> Bool {
    try wake()
    do {
      _ = try reader.authenticate(password: password)
    } catch .exchangeFailed {
      return false
    }
    self.password = password
    return true
  }
}
