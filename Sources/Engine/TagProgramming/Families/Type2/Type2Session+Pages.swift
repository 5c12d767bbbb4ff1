import Readers
import TagMemory

/// Pages and passwords of a Type 2 tag.
extension Type2Session {
  /// `count` pages from `first` on, with the widest reads that may be used. Fewer where the tag
  /// shows no more of them: behind the last page that it lets be read, READ starts again with page
  /// 0 (NTAG213/215/216, 10.2).
  func readPages(_ first: Page, count: Int) throws(ReaderError) -> [UInt8] {
    let inSector = min(count, Page.perSector - first.address)
    guard inSector == count else {
      let bytes = try readPages(first, count: inSector)
      guard bytes.count == inSector * Page.byteCount else { return bytes }
      return try bytes + readPages(first.advanced(by: inSector), count: count - inSector)
    }
    try enterSector(of: first)
    let start = first.address
    // One READ carries four pages and wakes a halted tag, which FAST_READ cannot.
    if count > 4, canFastRead {
      return try withoutClosed(try reader.fastRead(start...start + count - 1), from: first)
    }
    var bytes: [UInt8] = []
    while bytes.count < count * Page.byteCount {
      let page = start + bytes.count / Page.byteCount
      let part = try reader.readPages(from: UInt8(page))
      let own = first.sector == 0 ? try ownPages(of: part, from: page) : 4
      bytes += part.prefix(own * Page.byteCount)
      guard own == 4 else { break }
    }
    return try withoutClosed(Array(bytes.prefix(count * Page.byteCount)), from: first)
  }

  /// `bytes` without the pages at their end that the tag has not let be read: an NTAG I2C plus
  /// shows zeros in place of pages behind its password, where a READ begins before them
  /// (NT3H2111/NT3H2211, 8.3.8). By itself such a page is refused.
  func withoutClosed(_ bytes: [UInt8], from first: Page) throws(ReaderError) -> [UInt8] {
    guard let access = product?.type2?.access, let end = access.last, first <= end else {
      return bytes
    }
    let pages = AreaUpdate.units(of: bytes, size: Page.byteCount)
      .prefix(first.distance(to: end) + 1)
    let zeros = pages.indices.dropFirst().reversed().prefix { page in
      pages[page].allSatisfy { $0 == 0 }
    }
    guard let last = zeros.first, let start = zeros.last else { return bytes }
    // Who sees AUTH0 sees all that is before it.
    if sent[.page(access.auth0)] != nil { mayShowZeros = true }
    if mayShowZeros == nil { mayShowZeros = try !shows(access.auth0) }
    guard mayShowZeros == true, try !shows(first.advanced(by: last)) else { return bytes }
    for page in start..<last where try !shows(first.advanced(by: page)) {
      return Array(bytes.prefix(page * Page.byteCount))
    }
    return Array(bytes.prefix(last * Page.byteCount))
  }

  /// Returns whether the tag, asked twice and there each time, shows `page` of sector 0.
  private func shows(_ page: Page) throws(ReaderError) -> Bool {
    for _ in 1...2 {
      do {
        _ = try reader.readPages(from: UInt8(page.address))
        return true
      } catch .exchangeFailed {
        try selectAgain()
      }
    }
    return false
  }

  /// How many of the four pages that READ gave are those from `page` on.
  ///
  /// A page that looks like page 0 may be data that do: within the memory it is asked for by
  /// itself. A page that may not be read is refused then, or starts with page 0 again.
  private func ownPages(of part: [UInt8], from page: Int) throws(ReaderError) -> Int {
    guard let head = tag.uid.type2Bytes else { return 4 }
    let place = (1...3).first { place in
      let rest = part[(place * Page.byteCount)...]
      return rest.prefix(head.count).elementsEqual(head.prefix(rest.count))
    }
    guard let place, page + place < readablePageCount else { return place ?? 4 }
    for _ in 1...2 {
      do {
        let alone = try reader.readPages(from: UInt8(page + place))
        return alone == (try reader.readPages(from: 0)) ? place : 4
      } catch .exchangeFailed {
        // A tag that can be selected again is there.
        try selectAgain()
      }
    }
    return place
  }

  /// Gives the password; returns the tag's acknowledge, nil when it does not take it. From then on
  /// it is given whenever the tag is selected again.
  ///
  /// Where the tag may count wrong ones, a password is sent once in a run: what became of it, an
  /// answer that is lost or damaged included, is never found out by sending it again. One that the
  /// tag has taken before is no wrong one.
  func authenticate(password: [UInt8]) throws(ReaderError) -> [UInt8]? {
    self.password = nil
    let mayRepeat = !countsPasswords || provenPassword == password
    guard mayRepeat || !spentPasswords.contains(password) else { return nil }
    for _ in 1...(mayRepeat ? 2 : 1) {
      try wake()
      spentPasswords.insert(password)
      do {
        let acknowledge = try give(password)
        (self.password, provenPassword) = (password, password)
        spentPasswords.remove(password)
        return acknowledge
      } catch .exchangeFailed {
        // A tag that has gone refuses nothing.
        try selectAgain()
      } catch .wrongAnswerLength {
        try selectAgain()
      }
    }
    return nil
  }

  /// Returns whether the tag, newly selected and without its password, refuses to have `page`,
  /// which holds `bytes`, written. A tag that takes it is asked once more after its power was off:
  /// from when on a new AUTH0 counts is in no data sheet.
  func refuses(writing bytes: [UInt8], to page: Page) throws(ReaderError) -> Bool {
    if try refuses(writing: bytes, to: page, afterPowerOff: false) { return true }
    return try refuses(writing: bytes, to: page, afterPowerOff: true)
  }

  /// A page that was probed with other bytes (`Type2Steps.probe`) is read back.
  private func refuses(
    writing bytes: [UInt8], to page: Page, afterPowerOff: Bool
  ) throws(ReaderError) -> Bool {
    let probe = Type2Steps.probe(page, holding: bytes, on: product?.type2)
    var isTaken = false
    for _ in 1...2 {
      if afterPowerOff { try reader.cutPower(of: tag) }
      try selectAgain(givingPassword: false)
      do {
        try enterSector(of: page)
        try reader.writePage(page.address, probe)
        isTaken = true
        break
      } catch .exchangeFailed(let status) {
        if status != .timeout { break }
      }
    }
    // A tag that can be selected again is there.
    try selectAgain()
    guard probe != bytes else { return !isTaken }
    do {
      if try readPages(page, count: 1) == bytes { return true }
    } catch .exchangeFailed {
      // What cannot be read without the password that nobody has given was not written, either.
      try selectAgain()
      return true
    }
    try enterSector(of: page)
    try reader.writePage(page.address, bytes)
    return false
  }
}
