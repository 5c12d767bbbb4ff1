import TagMemory

/// Bytes in the place of keys and passwords that a trace has masked.
///
/// What the program sends now is remembered, so that a tag that is written and read again in this
/// run shows what it was given, and proves the key that it was given.
struct StandIns: Hashable {
  /// Keys that a person has given for the tag, and those that the host has said it proves, the last
  /// first.
  private(set) var keys: [[UInt8]]
  /// With a card that encrypts.
  var session = Session.none
  /// What was sent now in the place of masked bytes, by the number of the exchange.
  private var sent: [Int: [UInt8]] = [:]
  /// Pages and blocks that were written now with masked bytes.
  private var written: [UInt8: [UInt8]] = [:]
  /// What stood in for something, in words, each once.
  private(set) var uses: [String] = []

  init(keys: [[UInt8]] = []) { self.keys = keys }

  /// Takes a key for the tag's.
  mutating func learn(key: [UInt8]) {
    keys.removeAll { $0 == key }
    keys.insert(key, at: 0)
  }

  /// Takes note of `command`, which is the exchange of number `index`.
  mutating func learn(_ command: [UInt8], for exchange: RecordedExchange, _ index: Int) {
    guard exchange.plainCommand == nil, exchange.command.count == command.count else { return }
    sent[index] = command
    use("a key or a password that was sent is taken for the one of the trace")
    guard let frame = TagFrame.bytes(in: command), frame.count > 2,
      [0xA0, 0xA2].contains(frame[0])
    else { return }
    written[frame[1]] = Array(frame.dropFirst(2))
  }

  /// Returns whether `command` has the secrets that were sent as the exchange of number `index`;
  /// nil: none were.
  func isSame(_ command: [UInt8], as index: Int) -> Bool? { sent[index].map { $0 == command } }

  /// `answer` to `command` with something for each masked byte; nil where nothing can stand in.
  mutating func filled(_ answer: [UInt8?], to command: [UInt8]) -> [UInt8]? {
    guard answer.contains(where: { $0 == nil }) else { return answer.compactMap(\.self) }
    let frame = TagFrame.bytes(in: command) ?? []
    guard let known = data(for: frame, Array(answer.dropFirst())) else { return nil }
    return answer.enumerated().map { index, byte in
      // Behind the status.
      byte ?? (known.indices.contains(index - 1) ? known[index - 1] : 0)
    }
  }

  /// What a tag might have sent, of which `shown` is known; zeros follow.
  private mutating func data(for frame: [UInt8], _ shown: [UInt8?]) -> [UInt8]? {
    switch (frame.first, frame.count) {
    case (0x1B, 5):
      // PACK stands in the page behind the password.
      let password = Array(frame.dropFirst())
      let page = written.keys.sorted().first { written[$0] == password && $0 < 0xFF }
      if let known = page.flatMap({ written[$0 + 1] }) { return known }
      use("00 00 stands in for the password's acknowledge (PACK)")
      return []
    case (0x30, 2):
      // Key A is never read, key B only where the access bits say so (MF1S50YYX_V1, table 7).
      guard shown.count == 16, let c1 = shown[7], let c2c3 = shown[8], c1 & 0x80 == 0,
        c2c3 & 0x88 != 0x88
      else { return [] }
      var trailer = [UInt8](repeating: 0, count: 10) + [UInt8](repeating: 0xFF, count: 6)
      if let known = written[frame[1]], known.count == 16 {
        trailer.replaceSubrange(10..., with: known[10...])
      } else {
        use("FF FF FF FF FF FF stands in for a key B that was read")
      }
      return trailer
    case (0x1A, 2):
      // A challenge: zeros, encrypted, are as good as any.
      return [0xAF]
    case (0xAF, 17): return proof(of: Array(frame.dropFirst()), .ultralightC)
    case (0xAF, 33): return proof(of: Array(frame.dropFirst()), .ultralightAES)
    default: return nil
    }
  }

  /// The tag's proof to a reader that has proved `token`, with whichever key that was: one that was
  /// given, one that this run has written, or the one of delivery.
  private mutating func proof(of token: [UInt8], _ place: Type2Key) -> [UInt8]? {
    let pages = place.pages.map { written[UInt8(truncatingIfNeeded: $0.number)] }
    let stored = pages.compactMap(\.self).flatMap(\.self)
    let now = stored.count == Type2Key.byteCount ? [place.pages(of: stored).flatMap(\.self)] : []
    for key in keys + now + [place.delivered] where key.count == Type2Key.byteCount {
      guard let proof = KeyAuthentication.tagProof(place.cipher, key: key, token: token) else {
        continue
      }
      use("a challenge of zeros stands in for the tag's")
      return [0x00] + proof
    }
    return nil
  }

  mutating func use(_ text: String) {
    if !uses.contains(text) { uses.append(text) }
  }
}
