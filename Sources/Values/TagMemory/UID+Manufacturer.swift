import Bytes

/// Who made a chip, as the first byte of a 7-byte UID says it (ISO/IEC 7816-6).
///
/// A copied chip may bear any byte: the name is a hint, no proof.
public enum Manufacturer: Hashable, Sendable {
  /// 02h.
  case stMicroelectronics
  /// 04h.
  case nxp
  /// 05h.
  case infineon
  /// 16h.
  case emMicroelectronic
  /// 1Dh.
  case fudan
  /// 34h.
  case mikron
  /// 53h.
  case feiju
  /// FeliCa chips.
  case sony
  /// Any other maker, by its code.
  case other(UInt8)

  /// The manufacturer whose identifier is `code`.
  package init(code: UInt8) {
    self = Self.table[code] ?? .other(code)
  }

  // 05h is Infineon's by the standard; on chips that answer GET_VERSION with vendor 53h it is
  // Feiju's.
  private static let table: [UInt8: Manufacturer] = [
    0x02: .stMicroelectronics, 0x04: .nxp, 0x05: .infineon, 0x16: .emMicroelectronic,
    0x1D: .fudan, 0x34: .mikron, 0x53: .feiju,
  ]
}

extension Manufacturer: CustomStringConvertible {
  public var description: String {
    switch self {
    case .sony: "Sony"
    case .stMicroelectronics: "STMicroelectronics"
    case .nxp: "NXP"
    case .infineon: "Infineon"
    case .emMicroelectronic: "EM Microelectronic"
    case .fudan: "Shanghai Fudan"
    case .mikron: "Mikron"
    case .feiju: "Shanghai Feiju"
    case .other(let code): "manufacturer \(Hex.byte(code).uppercased())h"
    }
  }
}

extension UID {
  /// The maker that a 7-byte UID names; nil for every other length (4-byte UIDs do not say).
  public var manufacturer: Manufacturer? {
    bytes.count == 7 ? Manufacturer(code: bytes[0]) : nil
  }
}
