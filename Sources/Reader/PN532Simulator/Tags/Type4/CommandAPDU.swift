/// A command APDU (ISO/IEC 7816-4, 5.1), with short or extended lengths.
struct CommandAPDU {
  let cla: UInt8
  let ins: UInt8
  let p1: UInt8
  let p2: UInt8
  let data: [UInt8]
  /// How many bytes are wanted, 256 or 65536 for a Le of zeros; nil where there is no Le.
  let le: Int?

  /// P1 and P2 of READ and UPDATE BINARY.
  var offset: Int { Int(p1) << 8 | Int(p2) }

  /// Nil where Lc and the length disagree.
  init?(parsing bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    (cla, ins, p1, p2) = (bytes[0], bytes[1], bytes[2], bytes[3])
    let body = Array(bytes[4...])
    if body.count >= 3, body[0] == 0 {
      guard let (data, le) = Self.extended(Array(body[1...])) else { return nil }
      (self.data, self.le) = (data, le)
      return
    }
    let length = { (le: UInt8) in le == 0 ? 256 : Int(le) }
    switch body.count {
    case 0: (data, le) = ([], nil)
    case 1: (data, le) = ([], length(body[0]))
    case 1 + Int(body[0]) where body[0] > 0: (data, le) = (Array(body[1...]), nil)
    case 2 + Int(body[0]) where body[0] > 0:
      (data, le) = (Array(body[1..<body.count - 1]), length(body[body.count - 1]))
    default: return nil
    }
  }

  /// Returns what follows the 00h that announces extended lengths.
  private static func extended(_ body: [UInt8]) -> (data: [UInt8], le: Int?)? {
    let number = { (high: UInt8, low: UInt8) in Int(high) << 8 | Int(low) }
    let first = number(body[0], body[1])
    let length = { (le: Int) in le == 0 ? 65_536 : le }
    switch body.count {
    case 2: return ([], length(first))
    case 2 + first where first > 0: return (Array(body[2...]), nil)
    case 4 + first where first > 0:
      let le = number(body[body.count - 2], body[body.count - 1])
      return (Array(body[2..<body.count - 2]), length(le))
    default: return nil
    }
  }
}

/// SW1 and SW2 (ISO/IEC 7816-4, 5.1.3).
enum StatusWord: UInt16 {
  case ok = 0x9000
  case passwordRequired = 0x6300
  case memoryFailure = 0x6581
  case wrongLength = 0x6700
  case notAllowed = 0x6982
  /// Conditions of use not satisfied.
  case outOfTurn = 0x6985
  case noFileSelected = 0x6986
  case wrongData = 0x6A80
  case notFound = 0x6A82
  case wrongParameters = 0x6A86
  case wrongOffset = 0x6B00
  case unknownInstruction = 0x6D00
  case unknownClass = 0x6E00

  var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }
}
