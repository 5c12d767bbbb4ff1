import Bytes

/// Something wrong with, or odd about, the TLVs of a data area.
package struct TLVFault: Hashable, Sendable {
  /// The tag byte of the TLV concerned; for a missing Terminator, the end of the area.
  package let offset: Int
  package let kind: Kind

  package init(offset: Int, kind: Kind) {
    self.offset = offset
    self.kind = kind
  }

  package enum Kind: Hashable, Sendable {
    /// The area ends before the TLV's length field does. The walk ends here.
    case lengthMissing(TLV.Tag)
    /// FF FF FF, which announces no length. The walk ends here.
    case lengthReserved(TLV.Tag)
    /// A value of `length` bytes where the area has `room` left. The walk ends here.
    case beyondArea(TLV.Tag, length: Int, room: Int)
    /// A length below 255 in three bytes: accepted, never written.
    case longForm(TLV.Tag, length: Int)
    /// A control TLV whose value has not three bytes: it reserves nothing.
    case controlLength(TLV.Tag, length: Int)
    /// A control TLV behind the message that it should have come before.
    case controlAfterMessage(TLV.Tag)
    /// An NDEF message TLV that is not the first: it is skipped.
    case secondMessage
    /// A tag byte without a meaning: passed over by its length.
    case unknownTag(TLV.Tag)
    /// An NDEF record of `length` bytes where its TLV should begin, as programs leave it that write
    /// records from the first byte of the area on: no phone finds it.
    case bareRecord(length: Int)
    /// The area has bytes behind the last TLV, but no Terminator.
    case terminatorMissing
  }

  /// Is true if nothing behind this place can be read.
  package var endsWalk: Bool {
    switch kind {
    case .lengthMissing, .lengthReserved, .beyondArea: true
    default: false
    }
  }
}

extension TLVFault: CustomStringConvertible {
  package var description: String { "byte \(offset) of the data area: \(kind)" }
}

extension TLVFault.Kind: CustomStringConvertible {
  package var description: String {
    switch self {
    case .lengthMissing(let tag):
      "the area ends inside the length field of the \(tag) TLV"
    case .lengthReserved(let tag):
      "the \(tag) TLV has the length field FF FF FF, which is reserved"
    case .beyondArea(let tag, let length, let room):
      "the \(tag) TLV announces \(length) bytes, the area has \(room) left"
    case .longForm(let tag, let length):
      "the \(tag) TLV writes its length \(length) in three bytes where one is enough"
    case .controlLength(let tag, let length):
      "the \(tag) TLV has the length \(length) instead of 3 and is skipped"
    case .controlAfterMessage(let tag):
      "the \(tag) TLV comes after the NDEF message"
    case .secondMessage:
      "a further NDEF Message TLV; only the first counts"
    case .unknownTag(let tag):
      "\(tag) is skipped"
    case .bareRecord(let length):
      "an NDEF record of \(length) bytes, as it seems, stands there without its TLV: 03 and the length of the message belong before it, and no phone finds it so"
    case .terminatorMissing:
      "no Terminator TLV follows the last TLV"
    }
  }
}
