import Bytes

/// A message is the list of its records.
extension Message: Codable {
  /// Reads a list of records; fails for an empty one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let records = try container.decode([Record].self)
    do throws(NDEFError) {
      try self.init(records)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the list of its records.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(records)
  }
}

/// A record is an object: `tnf`, `type`, `payload`, and `id` where it has one, as `read --json`
/// prints them. `id` and `payload` are bytes as hexadecimal digits.
///
///     {"tnf": 1, "type": "U", "payload": "046578616d706c652e636f6d"}
extension Record: Codable {
  private enum CodingKeys: String, CodingKey {
    case tnf, type, id, payload
  }

  /// Reads a record; fails where its fields break the rules of its format.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let tnf = try container.decode(UInt8.self, forKey: .tnf)
    guard let format = TypeNameFormat(rawValue: tnf) else {
      throw DecodingError.dataCorruptedError(
        forKey: .tnf, in: container, debugDescription: "\(tnf) is no format of types (0 to 7)")
    }
    func bytes(_ key: CodingKeys) throws -> [UInt8]? {
      guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
      do throws(HexError) {
        return try Hex.bytes(text)
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "\(error)")
      }
    }
    let type = try container.decodeIfPresent(String.self, forKey: .type) ?? ""
    do {
      try self.init(format, type: type.utf8, id: bytes(.id), payload: bytes(.payload) ?? [])
    } catch let error as NDEFError {
      throw DecodingError.dataCorruptedError(
        forKey: .tnf, in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the record.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(typeNameFormat.rawValue, forKey: .tnf)
    try container.encode(typeName, forKey: .type)
    try container.encodeIfPresent(id.map { Hex.string($0) }, forKey: .id)
    try container.encode(Hex.string(payload), forKey: .payload)
  }
}
