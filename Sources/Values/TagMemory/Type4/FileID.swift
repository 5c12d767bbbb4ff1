import Bytes

/// The identifier of a file inside an application (ISO/IEC 7816-4, 7.3.1).
package struct FileID: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }
  package init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// The capability container.
  package static let capability = FileID(0xE103)
  /// Where most tags have their message.
  package static let usualMessage = FileID(0xE104)

  /// Values that no file of an NDEF application may have but the one they are meant for: the root
  /// directory, the elementary file of ATR, reserved ones, the container itself (Type 4 Tag 1.2,
  /// 4.3).
  package static let reserved: Set<FileID> = [
    FileID(0x0000), FileID(0xE102), capability, FileID(0x3F00), FileID(0x3FFF), FileID(0xFFFF),
  ]

  /// High byte first, as SELECT takes it.
  package var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }
}

extension FileID: CustomStringConvertible {
  package var description: String { "file \(Hex.string(bytes).uppercased())" }
}
