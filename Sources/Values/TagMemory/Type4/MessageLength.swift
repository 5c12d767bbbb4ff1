/// The length field in front of a message in its file: NLEN of two bytes, ENLEN of four (Type 4 Tag
/// 1.2, 4.4).
package enum MessageLength: Hashable, Sendable {
  /// 0: the file is ready for a message and holds none.
  case empty
  /// Bytes of the message that follows.
  case message(Int)
  /// 1 or 2: shorter than any message.
  case reserved(Int)
  /// More than the file holds.
  case tooLong(Int)

  /// Reads the field at the start of a file of `control`; nil where not all of it is there.
  package init?(_ bytes: some Collection<UInt8>, in control: FileControl) {
    let field = bytes.prefix(control.lengthByteCount)
    guard field.count == control.lengthByteCount else { return nil }
    let value = field.reduce(0) { $0 << 8 | Int($1) }
    self =
      switch value {
      case 0: .empty
      case 1, 2: .reserved(value)
      case ...control.capacity: .message(value)
      default: .tooLong(value)
      }
  }

  /// The field of a message of `byteCount` bytes in a file of `control`.
  package static func bytes(_ byteCount: Int, in control: FileControl) -> [UInt8] {
    (0..<control.lengthByteCount).reversed().map {
      UInt8(truncatingIfNeeded: byteCount >> (8 * $0))
    }
  }

  /// What the field says.
  package var value: Int {
    switch self {
    case .empty: 0
    case .message(let value), .reserved(let value), .tooLong(let value): value
    }
  }
}
