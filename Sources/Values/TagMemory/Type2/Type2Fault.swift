/// Something wrong with, or odd about, the NDEF data of a Type 2 tag.
package enum Type2Fault: Hashable, Sendable {
  /// Page 3 was never written.
  case containerBlank
  /// Page 3 holds something else than a capability container of version 1.
  case containerForeign(CapabilityContainer)
  /// Page 3 holds something else, with bits set that the container of this chip must not have: the
  /// tag can never carry NDEF.
  case containerSpoilt(CapabilityContainer)
  /// The container claims a data area of `claimed` bytes, the chip has `available`.
  case areaBeyondMemory(claimed: Int, available: Int)
  /// The container claims a data area without a single byte.
  case areaEmpty
  /// The container's read access is not free.
  case readAccess(CapabilityContainer.Access)
  /// The container's write access is neither free nor never.
  case writeAccess(CapabilityContainer.Access)
  /// The container says that anyone may write, yet lock bits forbid it for these pages.
  case lockedPages([Page])
  /// The container says that anyone may write, yet these lock bytes want a password.
  case passwordNeeded(AccessProtection)
  /// A Lock Control TLV at `offset` of the data area that does not describe this chip. `right` is
  /// the value that would; nil where the chip has no dynamic lock bytes.
  case lockControlWrong(offset: Int, found: LockControl, right: LockControl?)
  /// The data area has no NDEF Message TLV.
  case messageMissing
  /// The message's length stands over bytes that are no NDEF message: a write that was cut short,
  /// most likely.
  case messageGarbled
  case tlv(TLVFault)
}

extension Type2Fault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .containerBlank: "page 3 holds no capability container yet"
    case .containerForeign(let found):
      "page 3 holds \(found), which is not an NDEF capability container"
    case .containerSpoilt(let found):
      "page 3 holds \(found), which is not an NDEF capability container and can never become one"
    case .areaBeyondMemory(let claimed, let available):
      "the capability container claims \(claimed) bytes; the chip has \(available)"
    case .areaEmpty: "the capability container claims a data area of 0 bytes"
    case .readAccess(let access):
      "the capability container does not allow everyone to read (\(access))"
    case .writeAccess(let access):
      "the capability container neither allows everyone to write nor forbids it (\(access)); the password settings decide"
    case .lockedPages(let pages):
      "the capability container allows everyone to write, but \(Self.words(pages)) locked"
    case .passwordNeeded(let protection):
      "the capability container allows everyone to write, but \(protection)"
    case .lockControlWrong(let offset, let found, let right):
      "byte \(offset) of the data area: the Lock Control TLV says byte \(found.byteAddress), \(found.bitCount) bits of \(found.bytesPerBit) bytes; "
        + (right.map {
          "this chip has byte \($0.byteAddress), \($0.bitCount) bits of \($0.bytesPerBit) bytes"
        } ?? "this chip has no dynamic lock bytes")
    case .messageMissing: "the data area holds no NDEF Message TLV"
    case .messageGarbled:
      "the length of the message is set, but the bytes behind it are not an NDEF message; an interrupted write leaves a tag like this"
    case .tlv(let fault): "\(fault)"
    }
  }

  /// `page 5 is`, `pages 4 to 7 are`, `12 pages (4 … 39) are`.
  private static func words(_ pages: [Page]) -> String {
    guard let first = pages.first, let last = pages.last else { return "no page is" }
    if pages.count == 1 { return "\(first) is" }
    if first.distance(to: last) == pages.count - 1 { return "\((first...last).words) are" }
    return "\(pages.count) pages (\(first.number) … \(last.number)) are"
  }
}

extension CapabilityContainer.Access: CustomStringConvertible {
  package var description: String {
    switch self {
    case .free: "free"
    case .never: "never"
    case .proprietary(let nibble): "proprietary, \(String(nibble, radix: 16, uppercase: true))h"
    case .reserved(let nibble): "reserved, \(nibble)h"
    }
  }
}
