/// The memory of one Type 2 chip: which page is what, and how the chip is delivered.
package struct Type2Map: Hashable, Sendable {
  /// All pages that can be addressed, the hidden ones (keys, passwords) included.
  package let pageCount: Int
  /// What a user may write: the data area and, on some chips, a few pages behind it.
  package let user: ClosedRange<Page>
  /// The capability container that makes the chip an NDEF tag.
  package let capabilityContainer: CapabilityContainer
  /// The capability container as delivered; all zeros where the user has to write it.
  package let deliveredCapabilityContainer: CapabilityContainer
  /// The first bytes of the data area as delivered.
  package let deliveredArea: [UInt8]
  /// The lock bytes of the pages from 16 on.
  package let dynamicLocks: LockMap?
  /// Password, mirror and the rest.
  package let configuration: ConfigurationPages?
  /// The one-way counter that is a page (NTAG203, Ultralight C).
  package let counter: Page?
  /// AUTH0, AUTH1 and the key of Ultralight C.
  package let tripleDES: TripleDESPages?
  /// The key in a password's place.
  package let key: Type2Key?
  /// Where it can be read what a password protects on a chip whose configuration is never written.
  package let access: AccessPages?
  /// Is true if the chip may have a password and nothing says where that shows.
  package let mayHidePassword: Bool
  /// On such a chip, the page in which those that it resembles have AUTH0, in byte 3. Nil where it
  /// resembles none.
  package let likelyAUTH0: Page?
  /// How the chip says in the page of AUTH0 what it shows of itself, on one whose configuration is
  /// never written. Nil where that is not known, or it shows nothing.
  package let fixedMirror: FixedMirror.Style?
  /// User memory in another sector that the data area does not go on in.
  package let further: ClosedRange<Page>?
  /// Is true if the user memory comes with any bytes in it: what they are is not defined.
  package let deliversNoise: Bool
  /// Addresses below `pageCount` without a page.
  package let gaps: ClosedRange<Page>?

  init(
    pages pageCount: Int, user: ClosedRange<Page>, area: Int, delivered: Delivered = .formatted,
    content: [UInt8] = [0x03, 0x00, 0xFE], dynamicLocks: LockMap? = nil,
    configuration: ConfigurationPages? = nil, counter: Page? = nil,
    tripleDES: TripleDESPages? = nil, key: Type2Key? = nil, access: AccessPages? = nil,
    mayHidePassword: Bool = false, likelyAUTH0: Page? = nil, fixedMirror: FixedMirror.Style? = nil,
    further: ClosedRange<Page>? = nil, gaps: ClosedRange<Page>? = nil,
    deliversNoise: Bool = false
  ) {
    self.pageCount = pageCount
    self.user = user
    capabilityContainer = CapabilityContainer(areaByteCount: area)
    deliveredCapabilityContainer = delivered == .blank ? .blank : capabilityContainer
    // Ultralight C comes without container and content (MF0ICU2, table 13); its lock bytes are as
    // odd as those of NTAG203, so that it gets the TLV that tells them.
    deliveredArea = delivered == .blank && tripleDES == nil ? [] : content
    self.dynamicLocks = dynamicLocks
    self.configuration = configuration
    self.counter = counter
    self.tripleDES = tripleDES
    self.key = tripleDES == nil ? key : .ultralightC
    self.access = access
    (self.mayHidePassword, self.likelyAUTH0) = (mayHidePassword, likelyAUTH0)
    self.fixedMirror = fixedMirror
    (self.further, self.gaps, self.deliversNoise) = (further, gaps, deliversNoise)
  }

  enum Delivered { case formatted, blank }
}

/// The pages of configuration and password of Ultralight EV1 and NTAG21x, which follow each other,
/// and those of configuration of Ultralight AES, which has a key elsewhere.
package struct ConfigurationPages: Hashable, Sendable {
  /// CFG0: mirror and AUTH0.
  package let cfg0: Page
  /// What the bits of CFG0 and CFG1 mean.
  package let style: Configuration.Style

  /// CFG1: access and counter.
  package var cfg1: Page { cfg0.advanced(by: 1) }
  /// PWD, the password; reads as zeros. Nil where a key is in its place.
  package var password: Page? { style == .ultralightAES ? nil : cfg0.advanced(by: 2) }
  /// PACK, the password's acknowledge, in its first two bytes; reads as zeros.
  package var passwordAcknowledge: Page? {
    style == .ultralightAES ? nil : cfg0.advanced(by: 3)
  }
  /// All of them.
  package var all: ClosedRange<Page> { cfg0...(passwordAcknowledge ?? cfg1) }
}

/// Where a chip says what its password protects, for chips of whose configuration nothing else is
/// needed: AUTH0 in byte 3 of one page, PROT in bit 7 of byte 0 of the next (NT3H2111/NT3H2211,
/// 8.3.11).
package struct AccessPages: Hashable, Sendable {
  /// AUTH0: the first page that needs the password.
  package let auth0: Page
  /// The last page that AUTH0 can protect; nil where that is the last one of the chip.
  package var last: Page?
  /// 2K_PROT, bit 3 of byte 0: the password protects sector 1.
  package var nextSector: Page?
  /// The password and its acknowledge, where their place is known; they read as zeros.
  package var password: ClosedRange<Page>?
  /// A key, likewise.
  package var key: ClosedRange<Page>?

  /// PROT: reading needs it, too.
  package var access: Page { auth0.advanced(by: 1) }
}

/// The pages of Ultralight C's authentication (MF0ICU2, 7.5.5 to 7.5.8).
package struct TripleDESPages: Hashable, Sendable {
  /// First page that needs authentication, in byte 0; 30h and above: none.
  package let auth0: Page = 42
  /// Bit 0 of byte 0: 1 only writing needs it, 0 reading too.
  package let auth1: Page = 43
}

extension Type2Map {
  /// Says whether a password or key may protect pages of the chip.
  package var mayHavePassword: Bool {
    configuration != nil || tripleDES != nil || access != nil || mayHidePassword
  }

  /// Returns whether what `page` holds never shows: passwords and keys.
  package func hides(_ page: Page) -> Bool {
    page == configuration?.password || page == configuration?.passwordAcknowledge
      || key?.hiddenPages.contains(page) == true
      || access?.password?.contains(page) == true || access?.key?.contains(page) == true
  }

  /// The pages to write for a password and its acknowledge, or a key, in this order.
  package func secretPages(_ secret: [UInt8], pack: [UInt8]) -> [(page: Page, bytes: [UInt8])] {
    if let key { return Array(zip(key.pages, key.pages(of: secret))) }
    guard let password = configuration?.password,
      let acknowledge = configuration?.passwordAcknowledge
    else { return [] }
    return [(password, secret), (acknowledge, pack + [0, 0])]
  }

  /// The size of the right data area in bytes.
  package var areaByteCount: Int { capabilityContainer.areaByteCount }

  /// The size of the whole memory in bytes.
  package var byteCount: Int { (pageCount - (gaps?.count ?? 0)) * Page.byteCount }

  /// Bytes of `further`.
  package var furtherByteCount: Int { (further?.count ?? 0) * Page.byteCount }

  /// The pages that say, each with those behind it, which others may be written.
  package var settings: [Page] {
    [dynamicLocks?.page, configuration?.cfg0, access?.auth0, access?.nextSector].compactMap(\.self)
  }

  /// How many pages the chip has from `first` on in one piece, up to the four of a READ.
  package func count(from first: Page) -> Int {
    (1..<4).prefix { contains(first.advanced(by: $0)) }.count + 1
  }

  /// Returns whether the chip has a page of this address.
  package func contains(_ page: Page) -> Bool {
    Int(page.number) < pageCount && gaps?.contains(page) != true
  }

  /// All pages that can be addressed, in order.
  package var pages: [Page] {
    (0..<pageCount).compactMap(Page.init(exactly:)).filter(contains)
  }

  /// The Lock Control TLV that the chip is delivered with, tag and length included; empty where
  /// none.
  package var deliveredLockControl: [UInt8] {
    guard let control = dynamicLocks?.control, deliveredArea.first == TLV.Tag.lockControl.rawValue
    else { return [] }
    return [TLV.Tag.lockControl.rawValue, 3] + control.serialize()
  }

  /// The bytes of the right data area that lie in `user`: a chip may have more of it in another
  /// sector.
  private var reachableByteCount: Int { min(areaByteCount, user.count * Page.byteCount) }

  /// The longest message in bytes behind the TLVs that the chip is delivered with.
  package var deliveredCapacity: Int {
    TLV.messageCapacity(room: reachableByteCount - deliveredLockControl.count) ?? 0
  }

  /// The longest message in bytes when no other TLV stands before it.
  package var capacity: Int { TLV.messageCapacity(room: reachableByteCount) ?? 0 }
}
