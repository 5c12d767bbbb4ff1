import Bytes

/// A network to join: media type `application/vnd.wfa.wsc` (Wi-Fi Simple Configuration TS 2.0, 12).
///
/// The payload is attributes of type (2 bytes), length (2 bytes) and value, high byte first:
///
///     100E          credential, which holds
///       1026          network index, 1 byte
///       1045          SSID, 1 to 32 bytes
///       1003          authentication, 2 bytes
///       100F          encryption, 2 bytes
///       1027          network key, 0 to 64 bytes
///       1020          MAC address, 6 bytes; FF×6 for any
public struct WiFiCredential: Hashable, Sendable {
  /// 1 to 32 bytes; by convention UTF-8.
  package let ssid: [UInt8]
  package let authentication: Authentication
  package let encryption: Encryption
  /// The passphrase, or the key in 64 hexadecimal digits; empty for an open network.
  package let networkKey: [UInt8]
  /// 6 bytes: of the access point, or FF×6 for any.
  package let macAddress: [UInt8]
  /// 1 by convention.
  package let networkIndex: UInt8
  package let id: [UInt8]?

  static let type = "application/vnd.wfa.wsc"
  static let anyAddress = [UInt8](repeating: 0xFF, count: 6)

  /// A network to be written: WPA2-Personal with AES where there is a passphrase, else open.
  /// Throws unless the SSID has 1 to 32 bytes of UTF-8, and the passphrase 8 to 63 printable
  /// US-ASCII characters or 64 hexadecimal digits.
  public init(ssid: String, passphrase: String?, id: [UInt8]? = nil) throws(NDEFError) {
    try self.init(
      ssid: Array(ssid.utf8), authentication: passphrase == nil ? .open : .wpa2Personal,
      encryption: passphrase == nil ? .unencrypted : .aes,
      networkKey: Array((passphrase ?? "").utf8),
      id: id)
  }

  /// A network to be written. Throws for an SSID that is not 1 to 32 bytes, a network key that
  /// does not suit the authentication, and a MAC address that is not 6 bytes.
  package init(
    ssid: [UInt8], authentication: Authentication, encryption: Encryption, networkKey: [UInt8],
    macAddress: [UInt8]? = nil, networkIndex: UInt8 = 1, id: [UInt8]? = nil
  ) throws(NDEFError) {
    let macAddress = macAddress ?? Self.anyAddress
    guard (1...32).contains(ssid.count) else {
      throw NDEFError(.ssidLength(ssid.count), in: .argument)
    }
    guard authentication.accepts(networkKey) else {
      throw NDEFError(.networkKey(length: networkKey.count), in: .argument)
    }
    guard macAddress.count == 6 else {
      throw NDEFError(
        .wrongSize(of: "MAC address", count: macAddress.count, expected: 6), in: .argument)
    }
    self.ssid = ssid
    self.authentication = authentication
    self.encryption = encryption
    self.networkKey = networkKey
    self.macAddress = macAddress
    self.networkIndex = networkIndex
    self.id = id
    try Record.checkLengths(type: Self.type.utf8.count, id: id, payload: 0)
  }

  /// Reads the first credential of a record; other attributes are passed over. Throws when
  /// `record` is of another type, an attribute ends outside its surroundings or has a wrong size,
  /// or SSID, authentication or encryption is missing.
  public init(parsing record: Record) throws(NDEFError) {
    guard let media = try? MIMERecord(parsing: record), media.essence == Self.type else {
      throw NDEFError(.otherType(expected: "a Wi-Fi credential"), in: .type)
    }
    let outer = try WSCAttributes(parsing: record.payload, offset: 0)
    guard let credential = outer[.credential] else {
      throw NDEFError(
        .missingAttribute(name: WSCAttributes.Name.credential.description), in: .payload)
    }
    let inner = try WSCAttributes(parsing: credential.value, offset: credential.offset)
    let ssid = try inner.required(.ssid)
    guard (1...32).contains(ssid.value.count) else {
      throw NDEFError(.ssidLength(ssid.value.count), in: .payload, at: ssid.offset)
    }
    self.ssid = ssid.value
    authentication = try Authentication(rawValue: inner.required(.authentication).uint16())
    encryption = try Encryption(rawValue: inner.required(.encryption).uint16())
    networkKey = inner[.networkKey]?.value ?? []
    macAddress = try inner[.macAddress]?.sized(6) ?? Self.anyAddress
    networkIndex = try inner[.networkIndex]?.sized(1)[0] ?? 1
    id = record.id
  }

  /// The record: one credential with all six attributes.
  public var record: Record {
    var inner = WSCAttributes.Writer()
    inner.write(.networkIndex, [networkIndex])
    inner.write(.ssid, ssid)
    inner.write(.authentication, authentication.rawValue)
    inner.write(.encryption, encryption.rawValue)
    inner.write(.networkKey, networkKey)
    inner.write(.macAddress, macAddress)
    var outer = WSCAttributes.Writer()
    outer.write(.credential, inner.bytes)
    return Record(checked: .media, type: Self.type.utf8, id: id, payload: outer.bytes)
  }

  /// The SSID as text, bytes that are not UTF-8 as U+FFFD.
  public var networkName: String { String(decoding: ssid, as: UTF8.self) }
}

extension WiFiCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The network without its key.
  public var description: String {
    "Wi-Fi \(Escaped.quote(networkName)), \(authentication), \(encryption)"
  }

  public var debugDescription: String { description }

  /// Shows no field: the key must not reach a log by way of `dump`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
