/// Commands of Type 2 tags (MF0ICU1, MF0ULx1, NTAG213/215/216).
extension TagReader {
  /// The most pages one FAST_READ asks for: 240 bytes fit a normal frame, and an ACR122U's APDU
  /// too.
  package static let fastReadLimit = 60

  /// READ: 16 bytes from `page` on; after the last page the tag goes on with page 0.
  public func readPages(from page: UInt8) throws(ReaderError) -> [UInt8] {
    try send(.readPages(from: Int(page)))
  }

  /// FAST_READ: all of `pages`, four bytes each, in as few commands as frames allow; with READ once
  /// the chip or the tag has failed at it.
  package func fastRead(_ pages: ClosedRange<Int>) throws(ReaderError) -> [UInt8] {
    guard care.fastReadLimit > 4 else { return try read(pages) }
    var bytes: [UInt8] = []
    var first = pages.lowerBound
    while first <= pages.upperBound {
      let last = min(pages.upperBound, first + care.fastReadLimit - 1)
      do {
        bytes += try send(.fastRead(first...last))
      } catch {
        care.note(fastReadFailure: error)
        throw error
      }
      first = last + 1
    }
    return bytes
  }

  /// READ: all of `pages`, four at a time. The last command ends with the last page: what lies
  /// behind may be locked away.
  private func read(_ pages: ClosedRange<Int>) throws(ReaderError) -> [UInt8] {
    var bytes: [UInt8] = []
    for first in stride(from: pages.lowerBound, through: pages.upperBound, by: 4) {
      let start = min(first, max(pages.lowerBound, pages.upperBound - 3))
      bytes += try readPages(from: UInt8(start)).dropFirst(4 * (first - start))
    }
    return Array(bytes.prefix(4 * pages.count))
  }

  /// WRITE: the four bytes of a page. `isSecret` keeps them out of traces (passwords, keys).
  public func writePage(
    _ page: Int, _ bytes: [UInt8], isSecret: Bool = false
  ) throws(ReaderError) {
    _ = try send(.writePage(page, bytes, isSecret: isSecret))
  }

  /// GET_VERSION: eight bytes. Tags before EV1 and NTAG21x refuse it and must be selected again.
  package func getVersion() throws(ReaderError) -> [UInt8] {
    try send(.getVersion)
  }

  /// PWD_AUTH with four bytes; returns the two bytes of PACK. Never repeated: the tag counts
  /// failures.
  public func authenticate(password: [UInt8]) throws(ReaderError) -> [UInt8] {
    try send(.authenticate(password: password))
  }

  /// READ_CNT: a 24-bit counter, 0…2 on Ultralight EV1, 2 on NTAG21x.
  package func readCounter(_ number: UInt8) throws(ReaderError) -> Int {
    let bytes = try send(.readCounter(number))
    return Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
  }

  /// READ_SIG: the bytes of NXP's originality signature, 32 or 48.
  package func readSignature(byteCount: Int = 32) throws(ReaderError) -> [UInt8] {
    try send(.readSignature(byteCount: byteCount))
  }

  /// SECTOR_SELECT (NT3H1101/NT3H1201, 10.10): the pages that READ and WRITE mean lie in `sector`
  /// from then on, until the tag is selected again.
  ///
  /// It has two frames. The acknowledge of the first has four bits, which InCommunicateThru calls a
  /// CRC error; that of the second is silence. A refusal looks like either, so that nothing is
  /// proved by this: a tag that has refused is silent to what follows.
  package func selectSector(_ sector: UInt8) throws(ReaderError) {
    let silences = silenceCount
    do {
      _ = try send(.beginSectorSelect)
    } catch .exchangeFailed(.crc) {}
    let answer: [UInt8]?
    do {
      answer = try send(.endSectorSelect(sector))
    } catch .exchangeFailed(.timeout) {
      answer = nil
    }
    guard answer == nil else { throw .exchangeFailed(.dataFormat) }
    (needsReselect, silenceCount) = (false, silences)
  }
}
