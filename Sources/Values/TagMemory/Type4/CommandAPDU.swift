/// A command to a smart card (ISO/IEC 7816-4, 5.1): a header of 4 bytes, the length of data (Lc)
/// with the data, and the length of the answer (Le), each of the two where the command has it.
///
///     case   bytes
///     1      CLA INS P1 P2
///     2S     … Le                     1 byte; 00 is 256
///     3S     … Lc data                1 byte, 01 to FF
///     4S     … Lc data Le
///     2E     … 00 Le                  2 bytes; 0000 is 65,536
///     3E     … 00 Lc data             2 bytes, 0001 to FFFF
///     4E     … 00 Lc data Le          2 bytes, without a zero in front
public struct CommandAPDU: Hashable, Sendable {
  /// CLA.
  public var instructionClass: UInt8
  /// INS.
  public var instruction: UInt8
  /// P1 and P2.
  public var parameters: (p1: UInt8, p2: UInt8) {
    get { (p1, p2) }
    set { (p1, p2) = newValue }
  }
  private var p1: UInt8
  private var p2: UInt8
  /// Up to 65,535 bytes.
  public var data: [UInt8]
  /// How many bytes the answer may have, 1 to 65,536; nil where none is asked for.
  public var expectedLength: Int?
  /// The lengths take 2 bytes although 1 would do.
  public var isExtended: Bool

  /// Traps when `data` has more than 65,535 bytes, or `expectedLength` is not from 1 to 65,536.
  public init(
    _ instructionClass: UInt8, _ instruction: UInt8, _ p1: UInt8, _ p2: UInt8, data: [UInt8] = [],
    expectedLength: Int? = nil
  ) {
    precondition(data.count <= 0xFFFF, "Lc has two bytes at most")
    precondition(expectedLength.map { 1...0x10000 ~= $0 } ?? true, "Le is 1 to 65,536")
    (self.instructionClass, self.instruction) = (instructionClass, instruction)
    (self.p1, self.p2) = (p1, p2)
    self.data = data
    self.expectedLength = expectedLength
    isExtended = data.count > 0xFF || (expectedLength ?? 0) > 0x100
  }

  /// Reads the bytes of a command, all of which must belong to it.
  package init(parsing bytes: [UInt8]) throws(APDUError) {
    guard bytes.count >= 4 else { throw .tooShort(bytes.count) }
    self.init(bytes[0], bytes[1], bytes[2], bytes[3])
    let body = Array(bytes[4...])
    guard let first = body.first else { return }
    if body.count == 1 {
      expectedLength = first == 0 ? 0x100 : Int(first)
    } else if first != 0 {
      try parseBehindLength(Int(first), Array(body[1...]), lengthOfLe: 1)
    } else {
      try parseExtended(body)
    }
  }

  private mutating func parseExtended(_ body: [UInt8]) throws(APDUError) {
    guard body.count >= 3 else { throw .lengthCutShort }
    isExtended = true
    let length = Int(body[1]) << 8 | Int(body[2])
    if body.count == 3 {
      expectedLength = length == 0 ? 0x10000 : length
      return
    }
    guard length > 0 else { throw .noData }
    try parseBehindLength(length, Array(body[3...]), lengthOfLe: 2)
  }

  /// Data of `length` bytes and, perhaps, Le.
  private mutating func parseBehindLength(_ length: Int, _ rest: [UInt8], lengthOfLe: Int)
    throws(APDUError)
  {
    let behind = rest.count - length
    guard behind == 0 || behind == lengthOfLe else {
      throw .wrongLength(declared: length, present: rest.count)
    }
    data = Array(rest.prefix(length))
    guard behind > 0 else { return }
    let expected = rest.suffix(behind).reduce(0) { $0 << 8 | Int($1) }
    expectedLength = expected == 0 ? 1 << (8 * lengthOfLe) : expected
  }

  /// The command as it is sent.
  public func serialize() -> [UInt8] {
    var bytes = [instructionClass, instruction, p1, p2]
    func length(_ value: Int) -> [UInt8] {
      isExtended
        ? [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] : [UInt8(value & 0xFF)]
    }
    if isExtended, !data.isEmpty || expectedLength != nil { bytes.append(0) }
    if !data.isEmpty { bytes += length(data.count) + data }
    if let expectedLength { bytes += length(expectedLength) }
    return bytes
  }
}

/// Why bytes are no command APDU.
package enum APDUError: Error, Hashable, Sendable {
  /// Fewer bytes than the header has.
  case tooShort(Int)
  /// The lengths are extended and cut short.
  case lengthCutShort
  /// Lc is 0, and data follows.
  case noData
  /// Lc says another number than there are bytes behind it (Le not counted).
  case wrongLength(declared: Int, present: Int)
}

extension APDUError: CustomStringConvertible {
  /// A sentence.
  package var description: String {
    switch self {
    case .tooShort(let count):
      "An APDU has at least 4 bytes (CLA INS P1 P2); this one has \(count)."
    case .lengthCutShort:
      "The fifth byte is 00, so the lengths have two bytes each, and one of them is missing."
    case .noData: "Lc is 0000 and data follows it. Leave Lc out of a command without data."
    case .wrongLength(let declared, let present):
      """
      Lc announces \(declared) bytes of data, but \(present) bytes follow it. Only Le may follow the data.
      """
    }
  }
}
