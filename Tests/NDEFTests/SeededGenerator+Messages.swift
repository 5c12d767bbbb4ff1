import SeededNumbers

@testable import NDEF

extension SeededGenerator {
  mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
    let count = Int.random(in: count, using: &self)
    var bytes: [UInt8] = []
    while bytes.count < count {
      let word = next()
      for shift in 0..<min(8, count - bytes.count) {
        bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift))))
      }
    }
    return bytes
  }

  mutating func text(_ count: ClosedRange<Int>) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "Z", "0", "/", "%", " ", "\u{E9}", "\u{4F60}", "\u{1F642}", "\u{FEFF}",
    ]
    var view = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: count, using: &self) {
      view.append(scalars.randomElement(using: &self) ?? "a")
    }
    return String(view)
  }
}

extension SeededGenerator {
  mutating func message() throws -> Message {
    try Message((0...Int.random(in: 0...4, using: &self)).map { _ in try record() })
  }

  mutating func record() throws -> Record {
    let id: [[UInt8]?] = [nil, nil, [], bytes(1...255)]
    let chosen = id.randomElement(using: &self) ?? nil
    switch Int.random(in: 0...9, using: &self) {
    case 0:
      return try URIRecord(
        (URIPrefix.table.randomElement(using: &self) ?? "") + text(1...40), id: chosen
      ).record
    case 1:
      return try TextRecord(
        text(0...40), language: "en", encoding: Bool.random(using: &self) ? .utf8 : .utf16,
        id: chosen
      ).record
    case 2: return try MIMERecord(type: "a/b", payload: bytes(0...300), id: chosen).record
    case 3:
      return try ExternalRecord(domain: "a.b", name: "c", payload: bytes(0...20), id: chosen).record
    case 4: return try AndroidApplicationRecord("com.example.app", id: chosen).record
    case 5: return try AbsoluteURIRecord("a:b", payload: bytes(0...20), id: chosen).record
    case 6: return try WiFiCredential(ssid: "bench", passphrase: "secret12", id: chosen).record
    case 7:
      return try SmartPosterRecord(
        uri: URIRecord("https://" + text(0...20)),
        titles: [TextRecord(text(0...9), language: "de")],
        action: .allCases.randomElement(using: &self),
        size: .random(in: 0...UInt32.max, using: &self), id: chosen
      ).record
    case 8: return .empty
    default: return try Record(.unknown, id: chosen, payload: bytes(250...260))
    }
  }

  /// `bytes` with some of them changed, dropped, doubled or cut off.
  mutating func mutation(of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...3, using: &self) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &self)
      switch Int.random(in: 0...5, using: &self) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &self)
      case 1: bytes[index] = .random(in: 0...255, using: &self)
      case 2: bytes[index] = 0xFF
      case 3: bytes.remove(at: index)
      case 4: bytes.insert(.random(in: 0...255, using: &self), at: index)
      default: bytes.removeSubrange(index...)
      }
    }
    return bytes
  }
}
