/// What has been read of a Type 2 tag so far, page by page.
///
/// Whoever reads the tag stores pages as they come; everything else asks this value, and gets nil
/// where the pages concerned have not been read or cannot be.
package struct Type2Memory: Hashable, Sendable {
  package let map: Type2Map
  private var pages: [[UInt8]?]

  /// Nothing is known yet.
  package init(_ map: Type2Map) {
    self.map = map
    pages = Array(repeating: nil, count: map.pageCount)
  }

  /// The first bytes of the memory, from page 0; a started page at the end is left out.
  package init(_ map: Type2Map, image: some Collection<UInt8>) {
    self.init(map)
    store(image, from: 0)
  }

  /// Takes in whole pages from `first` on. Those behind the last page are dropped: there a tag's
  /// answer starts again with page 0.
  package mutating func store(_ bytes: some Collection<UInt8>, from first: Page) {
    var rest = Array(bytes)[...]
    for index in Int(first.number)..<max(pages.count, Int(first.number))
    where rest.count >= Page.byteCount {
      pages[index] = Array(rest.prefix(Page.byteCount))
      rest = rest.dropFirst(Page.byteCount)
    }
  }

  /// The four bytes of a page, if they are known.
  package subscript(_ page: Page) -> [UInt8]? {
    Int(page.number) < pages.count ? pages[Int(page.number)] : nil
  }

  /// The known bytes from `first` on, up to the first page that is not known.
  package func bytes(from first: Page) -> [UInt8] {
    pages.dropFirst(Int(first.number)).prefix { $0 != nil }.flatMap { $0 ?? [] }
  }

  /// The bytes of `range`; nil unless all of them are known.
  package func bytes(of range: ClosedRange<Page>) -> [UInt8]? {
    var result: [UInt8] = []
    for page in range {
      guard let bytes = self[page] else { return nil }
      result += bytes
    }
    return result
  }
}

extension Type2Memory {
  /// The UID, when pages 0 to 2 hold one with right check bytes.
  package var uid: UID? { bytes(of: 0...2).flatMap { UID(type2Bytes: $0) } }

  package var capabilityContainer: CapabilityContainer? {
    self[.capabilityContainer].flatMap { try? CapabilityContainer(parsing: $0) }
  }

  package var staticLocks: LockBytes? {
    self[.staticLocks].flatMap { try? LockBytes(parsing: $0, of: .static) }
  }

  /// Nil also where the chip has none.
  package var dynamicLocks: LockBytes? {
    map.dynamicLocks.flatMap { locks in
      self[locks.page].flatMap { try? LockBytes(parsing: $0, of: locks) }
    }
  }

  /// Nil also where the chip has none.
  package var configuration: Configuration? {
    map.configuration.flatMap { place in
      bytes(of: place.cfg0...place.cfg1).flatMap {
        try? Configuration(parsing: $0, style: place.style)
      }
    }
  }

  /// What the password or key protects; nil where nothing is protected or where that is not known.
  package var protection: AccessProtection? {
    if let configuration { return configuration.protection(pageCount: map.pageCount) }
    if let place = map.tripleDES, let auth0 = self[place.auth0], let auth1 = self[place.auth1] {
      return AccessProtection(ultralightCAuth0: auth0, auth1: auth1)
    }
    if let place = map.access, let auth0 = self[place.auth0], let access = self[place.access] {
      guard let last = place.last else {
        return AccessProtection(
          auth0: auth0[3], includesReading: access[0] & 0x80 != 0, pageCount: map.pageCount)
      }
      return AccessProtection(
        auth0: auth0[3], includesReading: access[0] & 0x80 != 0, last: last,
        nextSector: place.nextSector.flatMap { self[$0] }.map { $0[0] & 0x08 != 0 } ?? false)
    }
    return nil
  }

  /// Says whether it is known what the password or key protects.
  package var knowsProtection: Bool {
    if map.configuration != nil { return configuration != nil }
    if let place = map.access {
      return [place.auth0, place.access, place.nextSector].allSatisfy { page in
        page.map { self[$0] != nil } ?? true
      }
    }
    guard let place = map.tripleDES else { return !map.mayHidePassword }
    return self[place.auth0] != nil && self[place.auth1] != nil
  }

  /// Returns whether a lock bit keeps `page` from being written; nil where the lock bytes are not
  /// known.
  package func isLocked(_ page: Page) -> Bool? {
    if page <= 15 { return staticLocks?.isLocked(page) }
    if let key = map.key, let lock = key.lock, key.pages.contains(page) {
      return self[lock.page].map { $0[0] & lock.mask != 0 }
    }
    guard map.dynamicLocks != nil else { return false }
    return dynamicLocks?.isLocked(page)
  }

  /// Those of `pages` that are known to be locked.
  func locked(_ pages: some Sequence<Page>) -> [Page] {
    let (first, others) = (staticLocks, dynamicLocks)
    return pages.filter { ($0 <= 15 ? first : others)?.isLocked($0) ?? false }
  }

  /// What READ returns from `first` on, with the mirror laid over what is stored, as far as it is
  /// known. `counter` is the NFC counter's value, 24 bits.
  package func shown(from first: Page, counter: UInt32 = 0) -> [UInt8] {
    let stored = bytes(from: first)
    guard let mirror = configuration?.mirror, mirror.fits(map.user), let uid else { return stored }
    return mirror.applied(to: stored, from: first, uid: uid, counter: counter)
  }
}
