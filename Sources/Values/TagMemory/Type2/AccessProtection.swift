/// Which pages of a tag need its password, or on Ultralight C its key.
///
/// AUTH0 alone decides (NTAG213/215/216, 8.8; MF0ULX1, 8.8; MF0ICU2, 7.5.8): neither what PWD reads
/// as nor the access byte of the capability container says anything about it.
package struct AccessProtection: Hashable, Sendable {
  /// From here to the end of the memory, or to `lastPage` where there is one.
  package let firstPage: Page
  private var lastPage: Page?
  /// Is true if sector 1 needs it, too (NT3H2211, 8.3.11: 2K_PROT).
  private var includesNextSector = false
  /// Reading needs it too.
  package let includesReading: Bool

  /// Nil when AUTH0 lies beyond the last of `pageCount` pages: nothing is protected.
  package init?(auth0: UInt8, includesReading: Bool, pageCount: Int) {
    guard Int(auth0) < pageCount else { return nil }
    firstPage = Page(auth0)
    self.includesReading = includesReading
  }

  /// Makes the protection of a tag whose AUTH0 reaches to `last`, and whose sector 1 has a bit of
  /// its own; nil when nothing is protected.
  package init?(auth0: UInt8, includesReading: Bool, last: Page, nextSector: Bool) {
    guard Page(auth0) <= last || nextSector else { return nil }
    firstPage = Page(auth0) <= last ? Page(auth0) : .firstOfNextSector
    (lastPage, includesNextSector) = (last, nextSector)
    self.includesReading = includesReading
  }

  /// Reads AUTH0 and AUTH1 of an Ultralight C, pages 42 and 43; nil when nothing is protected, or
  /// when the two pages have not four bytes each.
  package init?(ultralightCAuth0 auth0: [UInt8], auth1: [UInt8]) {
    guard auth0.count == 4, auth1.count == 4 else { return nil }
    self.init(auth0: auth0[0], includesReading: auth1[0] & 1 == 0, pageCount: 48)
  }

  /// Is true if the message is under it from its first page on, whatever it is.
  package var coversArea: Bool { firstPage <= .firstOfArea }

  package func isWriteProtected(_ page: Page) -> Bool {
    if let lastPage, page > lastPage { return includesNextSector && page.sector == 1 }
    return page >= firstPage
  }
  package func isReadProtected(_ page: Page) -> Bool { includesReading && isWriteProtected(page) }
}

extension Configuration {
  /// Returns what the password protects on a chip of `pageCount` pages; nil: nothing.
  package func protection(pageCount: Int) -> AccessProtection? {
    AccessProtection(auth0: auth0, includesReading: protectsReading, pageCount: pageCount)
  }

  /// Returns whether writing `page` needs the password on a chip of `pageCount` pages.
  package func isWriteProtected(_ page: Page, pageCount: Int) -> Bool {
    protection(pageCount: pageCount)?.isWriteProtected(page) ?? false
  }

  /// Returns whether reading `page` needs the password on a chip of `pageCount` pages.
  package func isReadProtected(_ page: Page, pageCount: Int) -> Bool {
    protection(pageCount: pageCount)?.isReadProtected(page) ?? false
  }
}

extension AccessProtection: CustomStringConvertible {
  package var description: String {
    "the password is needed to \(includesReading ? "read or write" : "write") \(firstPage) and later pages"
      + (lastPage == nil || includesNextSector ? "" : " of sector 0")
  }
}
