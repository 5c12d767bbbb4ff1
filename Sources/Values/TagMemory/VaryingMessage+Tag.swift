import NDEF

/// What a tag shows of a message that it fills in by itself.
extension VaryingMessage {
  /// Makes the message as readers are shown it, of a tag that is `uid`; nil: of any.
  ///
  /// `mirror`: the place of an NTAG 21x in `message`. `provesItself`: its stand-ins are filled in
  /// by an NTAG 424 DNA. The UIDs of both begin with 04h, their maker's number (ISO/IEC 7816-6).
  package init(
    _ message: [UInt8], mirror: MessageMirror? = nil, provesItself: Bool = false, uid: UID?
  ) {
    var (bytes, places) = (message, [Place]())
    func fill(_ range: Range<Int>, with uid: UID?) {
      let maker = Array("04".utf8)
      let known =
        uid.flatMap { $0.bytes.count == 7 ? Array($0.hex.uppercased().utf8) : nil } ?? maker
      bytes.replaceSubrange(range.prefix(known.count), with: known)
      places += Self.digits(in: range.dropFirst(known.count))
    }
    if let mirror, mirror.range.upperBound <= message.count {
      bytes = mirror.stored(message)
      if mirror.content != .counter {
        fill(mirror.range.prefix(14), with: uid)
      }
      if mirror.content == .uidAndCounter {
        bytes[mirror.range.lowerBound + 14] = UInt8(ascii: "x")
      }
      if let counter = mirror.counterRange { places += Self.digits(in: counter) }
    }
    if provesItself {
      for (mirror, text, _) in SDMTemplate.allStandIns {
        let found = message.ranges(of: Array(text.utf8))
        guard let first = found.first, let last = found.last else { continue }
        switch mirror {
        case .uid: fill(first, with: uid)
        case .tt:
          let letters = [TamperState.Loop.closed, .open, .unwatched].map(\.rawValue)
          places += first.map { Place(offset: $0, choices: letters) }
        // What is encrypted takes the place of the text, too.
        case .enc:
          let start = first.lowerBound - 16 * found.count
          places += Self.digits(in: max(0, start)..<last.upperBound)
        case .counter, .picc, .mac: places += Self.digits(in: first)
        }
      }
      // The state of a loop may be among what is encrypted.
      var seen: Set<Int> = []
      places = places.sorted { $0.choices.count > $1.choices.count }
        .filter { seen.insert($0.offset).inserted }
    }
    self.init(bytes, places)
  }
}
