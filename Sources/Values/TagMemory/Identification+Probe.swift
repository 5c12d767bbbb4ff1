extension Identification {
  /// A question to a Type 2 tag that changes nothing on it.
  package enum Probe: Hashable, Sendable {
    /// GET_VERSION.
    case getVersion
    /// The first half of Ultralight C's authentication; other chips do not know it.
    case authenticateUltralightC
    /// READ: four pages.
    case read(Page)

    /// The frame, without CRC.
    package var command: [UInt8] {
      switch self {
      case .getVersion: [0x60]
      case .authenticateUltralightC: [0x1A, 0x00]
      case .read(let page): [0x30, UInt8(page.address)]
      }
    }

    /// Returns whether the tag takes no further command after `reply` until it is selected again.
    func upsetsSelection(_ reply: Reply) -> Bool {
      switch reply {
      case .refused, .silence: true
      // Authentication has begun: whatever else comes now ends it, and the tag falls back.
      case .answer: self == .authenticateUltralightC
      }
    }
  }
}
