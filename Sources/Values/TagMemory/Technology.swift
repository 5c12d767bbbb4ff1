/// Tags and readers speak these technologies over the air, as far as a PN53x chip can look for
/// them.
///
/// ISO/IEC 15693 (NFC-V: HID, ICODE, long-range labels) is none of it: the chip has no such
/// modulation (UM0701-02, 7.3.5).
public enum Technology: Hashable, Sendable, CaseIterable {
  /// ISO/IEC 14443 type A.
  case typeA
  /// JIS X 6319-4.
  case feliCa
  /// ISO/IEC 14443 type B.
  case typeB
  /// Topaz and Jewel.
  case topaz
}

extension Target {
  package var technology: Technology {
    switch self {
    case .typeA: .typeA
    case .typeB: .typeB
    case .feliCa: .feliCa
    case .topaz: .topaz
    }
  }
}

extension Product {
  /// By which a reader finds it.
  package var technology: Technology { memory == .type3 ? .feliCa : .typeA }
}
