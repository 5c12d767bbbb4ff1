import PN532

/// Frames are found however the line cuts the bytes, and a frame that was found is found again when
/// it is sent.
enum FramesTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    var parser = FrameParser()
    let events = parser.feed(bytes)
    var piecemeal = FrameParser()
    try require(bytes.compactMap { piecemeal.feed($0) } == events, "cuts change what is found")
    for case .frame(let frame) in events {
      for extended in [false, true] {
        var other = FrameParser()
        try require(other.feed(frame.serialize(extended: extended)) == [.frame(frame)], "\(frame)")
      }
    }
    // A sound frame is found behind anything, once the parser is through with what it took for one.
    let tail =
      [UInt8](repeating: 0, count: 300) + Frame.answer([0x03, 0x32, 0x01, 0x06, 0x07]).serialize()
    try require(
      parser.feed(tail).last == .frame(.answer([0x03, 0x32, 0x01, 0x06, 0x07])),
      "never in step again"
    )
    if let targets = try? TypeATarget.list(parsing: bytes) {
      for target in targets { _ = target.serialize() }
    }
    _ = try? FeliCaTarget.list(parsing: bytes)
    if let answer = try? ExchangeAnswer(parsing: bytes) {
      try require((try? ExchangeAnswer(parsing: answer.serialize())) == answer, "\(answer)")
    }
    if let status = try? GeneralStatus(parsing: bytes) {
      try require((try? GeneralStatus(parsing: status.serialize())) == status, "\(status)")
    }
    _ = try? FirmwareVersion(parsing: bytes)
  }
}
