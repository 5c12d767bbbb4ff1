/// A key to try in a sector, and as which of the two.
package struct KeyCandidate: Hashable, Sendable {
  package let type: KeyType
  package let key: Key

  package init(_ type: KeyType, _ key: Key) {
    self.type = type
    self.key = key
  }

  /// What to try in a sector whose keys are not known, likeliest first: the public keys of blank
  /// and NDEF-formatted cards, then `keys` of the operator's as A and as B, then what other tools
  /// leave.
  ///
  /// Each failure drops the card, so `expected` ones (that opened the sector before, say) go first.
  package static func surveyOrder(
    keys: [Key] = [], expecting expected: [KeyCandidate] = []
  ) -> [KeyCandidate] {
    let known: [KeyCandidate] = [
      KeyCandidate(.a, .factory), KeyCandidate(.a, .nfc), KeyCandidate(.a, .mad),
      KeyCandidate(.b, .factory),
    ]
    let own = keys.map { KeyCandidate(.a, $0) } + keys.map { KeyCandidate(.b, $0) }
    // libfreefare gives every sector that it formats the NFC key as key B.
    let rare: [KeyCandidate] = [
      KeyCandidate(.b, .nfc), KeyCandidate(.a, .zeros), KeyCandidate(.a, .sampleB),
      KeyCandidate(.b, .sampleB),
    ]
    var seen: Set<KeyCandidate> = []
    return (expected + known + own + rare).filter { seen.insert($0).inserted }
  }
}

extension KeyCandidate: CustomStringConvertible {
  package var description: String { "\(type) with \(key)" }
}

extension UID {
  /// The four bytes that an authentication command carries: the last four (UM0701-02, 7.3.8; on a
  /// 7-byte UID bytes 3 to 6).
  package var authenticationBytes: [UInt8] { bytes.suffix(4) }
}
