extension WiFiCredential {
  /// How a network lets a device in: one bit, or several where it takes any of them
  /// (Wi-Fi Simple Configuration TS 2.0, 12, authentication type flags).
  package struct Authentication: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let open = Authentication(rawValue: 0x0001)
    package static let wpaPersonal = Authentication(rawValue: 0x0002)
    /// WEP with a shared key.
    package static let shared = Authentication(rawValue: 0x0004)
    package static let wpaEnterprise = Authentication(rawValue: 0x0008)
    package static let wpa2Enterprise = Authentication(rawValue: 0x0010)
    package static let wpa2Personal = Authentication(rawValue: 0x0020)

    static let names: [(Authentication, String)] = [
      (.open, "open"), (.wpaPersonal, "WPA-Personal"), (.shared, "WEP shared key"),
      (.wpaEnterprise, "WPA-Enterprise"), (.wpa2Enterprise, "WPA2-Enterprise"),
      (.wpa2Personal, "WPA2-Personal"),
    ]

    package var description: String {
      flagNames(rawValue, in: Self.names.map { ($0.rawValue, $1) })
    }

    /// Returns whether `key` can be the key of such a network. IEEE 802.11 gives WPA-Personal 8 to
    /// 63 printable characters, or 64 hexadecimal digits; at most 64 bytes fit the attribute.
    func accepts(_ key: [UInt8]) -> Bool {
      if self == .open { return key.isEmpty }
      if self.isSubset(of: [.wpaPersonal, .wpa2Personal]), !isEmpty {
        return key.count == 64
          ? key.allSatisfy(ASCII.isHexDigit)
          : (8...63).contains(key.count) && key.allSatisfy { (0x20...0x7E).contains($0) }
      }
      return key.count <= 64
    }
  }

  /// How a network's traffic is encrypted: one bit, or several where it takes any of them
  /// (Wi-Fi Simple Configuration TS 2.0, 12, encryption type flags).
  package struct Encryption: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let unencrypted = Encryption(rawValue: 0x0001)
    package static let wep = Encryption(rawValue: 0x0002)
    package static let tkip = Encryption(rawValue: 0x0004)
    package static let aes = Encryption(rawValue: 0x0008)

    static let names: [(Encryption, String)] = [
      (.unencrypted, "not encrypted"), (.wep, "WEP"), (.tkip, "TKIP"), (.aes, "AES"),
    ]

    package var description: String {
      flagNames(rawValue, in: Self.names.map { ($0.rawValue, $1) })
    }
  }
}

/// The names of the bits that are set, with the rest in hexadecimal.
private func flagNames(_ flags: UInt16, in names: [(UInt16, String)]) -> String {
  var parts = names.filter { flags & $0.0 != 0 }.map(\.1)
  let rest = names.reduce(flags) { $0 & ~$1.0 }
  if rest != 0 || flags == 0 { parts.append("0x" + String(rest, radix: 16)) }
  return parts.joined(separator: "/")
}
