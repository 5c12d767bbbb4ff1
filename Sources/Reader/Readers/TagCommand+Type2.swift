import PN532

/// Commands of Type 2 tags (MF0ICU1, MF0ULx1, NTAG213/215/216).
extension TagCommand {
  /// READ: 16 bytes from `page` on; after the last page the tag goes on with page 0.
  package static func readPages(from page: Int) -> TagCommand {
    TagCommand([0x30, UInt8(page)], kind: .read, answer: .bytes(16), mayRepeat: true)
  }

  /// FAST_READ: all of `pages`, four bytes each.
  package static func fastRead(_ pages: ClosedRange<Int>) -> TagCommand {
    TagCommand(
      [0x3A, UInt8(pages.lowerBound), UInt8(pages.upperBound)], kind: .read, way: .thru,
      answer: .bytes(4 * pages.count), mayRepeat: true)
  }

  /// WRITE: the four bytes of a page. `isSecret` keeps them out of traces (passwords, keys).
  package static func writePage(_ page: Int, _ bytes: [UInt8], isSecret: Bool = false) -> TagCommand
  {
    precondition(bytes.count == 4, "a page has four bytes")
    return TagCommand(
      [0xA2, UInt8(page)] + bytes, kind: .write, answer: .none, work: .programming,
      secrets: isSecret ? Secrets(frame: [2..<6]) : .none)
  }

  /// GET_VERSION: eight bytes. Tags before EV1 and NTAG21x refuse it and must be selected again.
  package static let getVersion = TagCommand([0x60], way: .thru, answer: .bytes(8), mayRepeat: true)

  /// PWD_AUTH with four bytes; the answer is PACK, two bytes. Never repeated: the tag counts
  /// failures.
  package static func authenticate(password: [UInt8]) -> TagCommand {
    precondition(password.count == 4, "a password has four bytes")
    return TagCommand(
      [0x1B] + password, kind: .authentication, way: .thru, answer: .bytes(2),
      secrets: Secrets(frame: [1..<5], answer: [0..<2]))
  }

  /// The first half of Ultralight C's AUTHENTICATE, which other chips do not know. Never repeated:
  /// the tag would take the second one for the answer to the first.
  package static let beginTripleDES = TagCommand([0x1A, 0x00], way: .thru)

  /// Makes the first half of AUTHENTICATE as the beginning of an authentication, which Ultralight
  /// AES has, too: the answer, AF and a block of 8 bytes (triple DES) or 16 (AES), is kept out of
  /// traces.
  package static func beginKeyProof(blockByteCount count: Int) -> TagCommand {
    TagCommand(
      [0x1A, 0x00], kind: .authentication, way: .thru, answer: .bytes(1 + count),
      secrets: Secrets(answer: [1..<1 + count]))
  }

  /// The second half of it, two blocks; the answer is 00 and a block.
  package static func proveKey(_ proof: [UInt8]) -> TagCommand {
    precondition([16, 32].contains(proof.count), "two challenges have 16 or 32 bytes")
    let count = proof.count / 2
    return TagCommand(
      [0xAF] + proof, kind: .other, way: .thru, answer: .bytes(1 + count),
      secrets: Secrets(frame: [1..<1 + proof.count], answer: [1..<1 + count]))
  }

  /// READ_CNT: a 24-bit counter, low byte first.
  package static func readCounter(_ number: UInt8) -> TagCommand {
    TagCommand([0x39, number], kind: .read, way: .thru, answer: .bytes(3), mayRepeat: true)
  }

  /// READ_SIG: the originality signature, 32 bytes; 48 on some chips.
  package static func readSignature(byteCount: Int = 32) -> TagCommand {
    TagCommand(
      [0x3C, 0x00], kind: .read, way: .thru, answer: .bytes(byteCount), mayRepeat: true)
  }

  /// The first frame of SECTOR_SELECT. Never repeated: the tag would take it for the second.
  package static let beginSectorSelect = TagCommand([0xC2, 0xFF], way: .thru)

  /// The second frame of SECTOR_SELECT.
  package static func endSectorSelect(_ sector: UInt8) -> TagCommand {
    TagCommand([sector, 0x00, 0x00, 0x00], way: .thru)
  }
}
