import Readers
import TagMemory

/// A Type 2 tag on a reader, with the password that it is given after each selection.
final class Type2Session: TagSession {
  /// Pages 2 to 5 as the first look found them; none where they did not show.
  var head: [UInt8] = []
  var product: Product?
  /// Is true if `product` is what the operator says, borne out by what was read, and the tag was
  /// not asked.
  var isTakenOnTrust = false
  /// Is true if the product table has another chip that shows the same in what was read.
  var hasTwins = false
  /// Its answer to GET_VERSION, if it gave one.
  var version: VersionAnswer?
  /// Given to the tag after each selection.
  var password: [UInt8]?
  /// The last password that the tag took, as long as nothing has changed it.
  var provenPassword: [UInt8]?
  /// Passwords that were sent while the tag may count wrong ones, and that it was not seen to take.
  var spentPasswords: Set<[UInt8]> = []
  /// Is true if a wrong password may bring the tag nearer to closing for good: AUTHLIM is not 0, or
  /// not known.
  var countsPasswords = true
  /// Is true if FAST_READ is used: the chip knows it, and no pass has failed yet.
  var canFastRead = false
  /// How many pages can be read at most: READ starts again with page 0 there.
  var readablePageCount = Page.perSector
  /// The sector that the tag's pages are counted in: 0 after each selection.
  private(set) var sector: UInt8 = 0
  /// Says whether pages behind the password may show as zeros; nil before that was asked.
  var mayShowZeros: Bool?
  /// The bytes behind the message that the run keeps; nil until the run has decided it.
  var behind: BehindMessage?
  /// What a page held before this run wrote it.
  var firstSeen: [Page: [UInt8]] = [:]

  override var provenSecret: [UInt8]? { provenPassword }

  override func selectAgain() throws(ReaderError) { try selectAgain(givingPassword: true) }

  func selectAgain(givingPassword: Bool) throws(ReaderError) {
    sector = 0
    try super.selectAgain()
    if givingPassword, let password { _ = try give(password) }
  }

  /// Goes to the sector that `page` lies in; free where the tag is there. Sector 0 is where each
  /// selection leads.
  ///
  /// SECTOR_SELECT proves nothing, and a tag that has not heard it would take a write to sector 1
  /// for one to sector 0: the first pages of that hold its UID, and those of sector 1 do not.
  func enterSector(of page: Page) throws(ReaderError) {
    try wake()
    guard page.sector != sector else { return }
    guard page.sector != 0 else { return try selectAgain() }
    try reader.selectSector(page.sector)
    let first = try reader.readPages(from: 0)
    guard !first.starts(with: tag.uid.bytes) else {
      try selectAgain()
      throw .exchangeFailed(.timeout)
    }
    sector = page.sector
  }

  /// Gives a password, or proves a key; the tag's acknowledge, with a key nothing. Throws
  /// `exchangeFailed` where the tag refuses it.
  func give(_ secret: [UInt8]) throws(ReaderError) -> [UInt8] {
    guard secret.count == Type2Key.byteCount else {
      return try reader.authenticate(password: secret)
    }
    let cipher = product?.type2?.key?.cipher ?? .tripleDES
    let count = cipher.blockByteCount
    var authentication = KeyAuthentication(
      cipher, key: secret, challenge: (0..<count).map { _ in UInt8.random(in: 0...255) })
    reader.willProve(secret)
    let first = try reader.send(.beginKeyProof(blockByteCount: count))
    guard let proof = authentication.answer(to: first) else {
      throw .exchangeFailed(.timeout)
    }
    guard authentication.isProven(by: try reader.send(.proveKey(proof))) else {
      // The tag does not know the key itself.
      throw .exchangeFailed(.timeout)
    }
    return []
  }

  /// From now on the password is not given when the tag is selected again.
  override func takeNothingForGranted() { password = nil }

  /// The tag's password is about to change: the old one may be wrong from here on, whatever becomes
  /// of the write.
  func passwordIsChanging() { (password, provenPassword) = (nil, nil) }
}
