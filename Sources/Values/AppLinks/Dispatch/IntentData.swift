import NDEF

/// The data that Android asks filters for: the first record of a message maps to it
/// (android.nfc.NdefRecord, `toUri` and `toMimeType`).
package enum IntentData: Hashable, Sendable {
  case uri(AndroidURI)
  /// In lower case, without parameters.
  case mime(String)
  /// No app can filter for it.
  case none

  package init(_ record: Record) {
    switch record.typeNameFormat {
    case .wellKnown where record.type == Array("T".utf8): self = .mime("text/plain")
    case .media:
      let essence = record.typeName.lowercased().prefix { $0 != ";" }
      self = .mime(String(essence.filter { $0 != " " }))
    case .external: self = .uri(AndroidURI("vnd.android.nfc://ext/" + record.typeName))
    default: self = Self.uri(in: record).map(IntentData.uri) ?? .none
    }
  }

  private static func uri(in record: Record, isInside: Bool = false) -> AndroidURI? {
    switch record.typeNameFormat {
    case .absoluteURI: return AndroidURI(record.typeName)
    case .wellKnown where record.type == Array("U".utf8):
      guard record.payload.count >= 2, URIPrefix.text(of: record.payload[0]) != nil else {
        return nil
      }
      return URIRecord.salvage(record).map { AndroidURI($0) }
    case .wellKnown where record.type == Array("Sp".utf8) && !isInside:
      let inner = try? Message(parsing: record.payload)
      return inner?.records.lazy.compactMap { uri(in: $0, isInside: true) }.first
    default: return nil
    }
  }
}

extension Record {
  /// The app that an Android application record names, as its bytes are; nil for other records.
  var namedAndroidPackage: String? {
    guard typeNameFormat == .external, type == Array("android.com:pkg".utf8) else { return nil }
    return String(decoding: payload, as: UTF8.self)
  }
}

extension [Record] {
  /// Is true if Android asks about Bluetooth: the first record is for pairing.
  var asksForBluetooth: Bool {
    let pairing = [
      "application/vnd.bluetooth.ep.oob", "application/vnd.bluetooth.le.oob", "nokia.com:bt",
    ]
    guard let first else { return false }
    if [.media, .external].contains(first.typeNameFormat) {
      return pairing.contains(first.typeName.lowercased())
    }
    return first.typeNameFormat == .wellKnown && first.typeName == "Hs"
      && dropFirst().contains { pairing.contains($0.typeName.lowercased()) }
  }

  /// Is true if Android asks to join a Wi-Fi: any record is a token with a name and a key, or with
  /// a name alone for a network without a key (com.android.nfc, NfcWifiProtectedSetup).
  var asksForWiFi: Bool {
    contains { record in
      guard record.typeName == "application/vnd.wfa.wsc",
        let credential = Self.attribute(0x100E, in: record.payload),
        Self.attribute(0x1045, in: credential) != nil
      else { return false }
      let key = Self.attribute(0x1027, in: credential) ?? []
      let authentication = Self.attribute(0x1003, in: credential)
      return key.isEmpty
        ? !Self.authenticationWithKey.contains(authentication ?? []) : key.count <= 64
    }
  }

  /// WPA and WPA2, personal and enterprise, and both personal ones.
  private static let authenticationWithKey: Set<[UInt8]> = [
    [0, 0x02], [0, 0x08], [0, 0x10], [0, 0x20], [0, 0x22],
  ]

  /// The first attribute `wanted` of a run of Wi-Fi attributes: type, length, value.
  private static func attribute(_ wanted: Int, in bytes: [UInt8]) -> [UInt8]? {
    var rest = bytes[...]
    while rest.count >= 4 {
      let head = rest.prefix(4).map { Int($0) }
      let (type, count) = (head[0] << 8 | head[1], head[2] << 8 | head[3])
      rest = rest.dropFirst(4)
      guard rest.count >= count else { return nil }
      if type == wanted { return [UInt8](rest.prefix(count)) }
      rest = rest.dropFirst(count)
    }
    return nil
  }
}
