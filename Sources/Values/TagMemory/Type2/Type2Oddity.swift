import Bytes

/// Something beside the data area of a Type 2 tag that no chip is delivered with.
///
/// It may be somebody's choice, or a bit that a write got wrong or that power failure left behind:
/// the tag alone does not tell. So nothing is concluded from it, and it is always said.
package enum Type2Oddity: Hashable, Sendable {
  /// Page 2 begins with another check byte than the UID has.
  case checkByte(found: UInt8, right: UInt8)
  /// The capability container is of version 1 and of another minor version than 0.
  case containerVersion(CapabilityContainer)
  /// The container claims a data area of another size than the chip is delivered with, and has the
  /// memory for it.
  case areaSize(claimed: Int, delivered: Int)
  /// Bits of a lock page that are no lock bits of this chip.
  case unknownLockBits(Page, byte: Int, bits: UInt8)
  /// Pages that can be locked no more, since their block-locking bits are set and their lock bits
  /// are not.
  case neverLockable([Page], by: Page)
  /// Lock bits of pages that are neither user memory nor capability container: a counter, a key.
  case lockedBeside([Page], by: Page)
  /// A password or key begins behind the first page of the message: whatever is before it,
  /// everybody can write.
  case openBelow(Page)
  /// A byte of CFG0 or CFG1 other than the chip is delivered with; what the password protects is
  /// not looked at.
  case configuration(Page, byte: Int, found: UInt8, delivered: UInt8, meaning: String?)
}

extension Type2Oddity {
  /// A stable name, for programs.
  package var code: String {
    switch self {
    case .checkByte: "uid-check"
    case .containerVersion: "cc-version"
    case .areaSize: "cc-size"
    case .unknownLockBits, .neverLockable, .lockedBeside: "lock-bits"
    case .openBelow: "write-open"
    case .configuration: "configuration"
    }
  }
}

extension Type2Oddity: CustomStringConvertible {
  package var description: String {
    switch self {
    case .checkByte(let found, let right):
      "page 2 begins with \(Self.hex(found)) where the UID's check byte is \(Self.hex(right))"
    case .containerVersion(let container):
      "the capability container (page 3) holds \(container): version 1.\(container.minorVersion), chips are delivered with 1.0"
    case .areaSize(let claimed, let delivered):
      "the capability container (page 3) claims \(claimed) bytes; the chip is delivered with \(delivered)"
    case .unknownLockBits(let page, let byte, let bits):
      "\(page), byte \(byte), has bits set that lock nothing on this chip (\(Self.hex(bits)))"
    case .neverLockable(let pages, let page):
      "\(Self.words(pages)) can never be locked: the block-locking bits in \(page) say so"
    case .lockedBeside(let pages, let page):
      "\(Self.words(pages)) permanently locked by \(page), in addition to the user memory"
    case .openBelow(let page):
      "protection begins at \(page): everybody can write \(Self.words(Array(Page.firstOfArea..<page))), where the message begins"
    case .configuration(let page, let byte, let found, let delivered, let meaning):
      "\(page), byte \(byte), holds \(Self.hex(found)), the chip is delivered with \(Self.hex(delivered))"
        + (meaning.map { ": \($0)" } ?? "")
    }
  }

  private static func hex(_ byte: UInt8) -> String { Hex.byte(byte).uppercased() }

  /// `page 41`, `pages 4 to 9`.
  private static func words(_ pages: [Page]) -> String {
    guard let first = pages.first, let last = pages.last else { return "no page" }
    return (first...last).words
  }
}
