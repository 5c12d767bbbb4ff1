import Bytes

/// A run of Wi-Fi Simple Configuration attributes (TS 2.0, 12): type, length, value.
struct WSCAttributes {
  /// The attributes that a credential is made of.
  enum Name: UInt16, CustomStringConvertible {
    case authentication = 0x1003
    case credential = 0x100E
    case encryption = 0x100F
    case macAddress = 0x1020
    case networkIndex = 0x1026
    case networkKey = 0x1027
    case ssid = 0x1045

    var description: String {
      switch self {
      case .authentication: "authentication type"
      case .credential: "credential"
      case .encryption: "encryption type"
      case .macAddress: "MAC address"
      case .networkIndex: "network index"
      case .networkKey: "network key"
      case .ssid: "SSID"
      }
    }
  }

  /// A value and where it starts in the payload.
  struct Attribute {
    let name: Name
    let value: [UInt8]
    let offset: Int

    /// The value, which must have `count` bytes.
    func sized(_ count: Int) throws(NDEFError) -> [UInt8] {
      guard value.count == count else {
        throw NDEFError(
          .wrongSize(of: name.description, count: value.count, expected: count),
          in: .payload, at: offset)
      }
      return value
    }

    /// The value as two bytes, high byte first.
    func uint16() throws(NDEFError) -> UInt16 {
      try sized(2).reduce(0) { $0 << 8 | UInt16($1) }
    }
  }

  private var attributes: [Name: Attribute] = [:]
  private let offset: Int

  /// Reads all of `bytes`, which start at `offset` of the payload. The first attribute of each
  /// name counts; names that are not listed above are passed over.
  init(parsing bytes: [UInt8], offset: Int) throws(NDEFError) {
    self.offset = offset
    var reader = ByteReader(bytes, offset: offset)
    while !reader.isAtEnd {
      do throws(ByteReaderError) {
        let type = try reader.uint16()
        let count = try reader.uint16()
        let start = reader.offset
        let value = try reader.bytes(Int(count))
        if let name = Name(rawValue: type), attributes[name] == nil {
          attributes[name] = Attribute(name: name, value: value, offset: start)
        }
      } catch {
        throw NDEFError(
          .shortPayload(of: "Wi-Fi attribute", wanted: error.wanted, available: error.available),
          in: .payload, at: error.offset)
      }
    }
  }

  subscript(name: Name) -> Attribute? { attributes[name] }

  /// The attribute `name`; throws `missingAttribute` without it.
  func required(_ name: Name) throws(NDEFError) -> Attribute {
    guard let attribute = attributes[name] else {
      throw NDEFError(.missingAttribute(name: name.description), in: .payload, at: offset)
    }
    return attribute
  }

  /// Writes attributes; values are far below the 65535 bytes that a length can say.
  struct Writer {
    private var writer = ByteWriter()

    var bytes: [UInt8] { writer.bytes }

    mutating func write(_ name: Name, _ value: [UInt8]) {
      writer.write(name.rawValue)
      writer.write(UInt16(value.count))
      writer.write(value)
    }

    mutating func write(_ name: Name, _ value: UInt16) {
      write(name, [UInt8(value >> 8), UInt8(value & 0xFF)])
    }
  }
}
