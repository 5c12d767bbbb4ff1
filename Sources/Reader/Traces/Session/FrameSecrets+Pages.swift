import PN532
import TagMemory

extension FrameSecrets {
  /// Pages that hold a password or a key on some chip.
  private static let pages: Set<UInt8> = Set(
    (UInt8.min...UInt8.max).filter { number in
      Product.all.contains { $0.type2?.hides(Page(number)) == true }
    })

  /// The exchange without secrets, of a log that shows all bytes: a page that holds a password or a
  /// key on some chip counts as one that does, since nothing else tells.
  package static func maskedThoroughly(
    _ exchange: RecordedExchange, isClassic: Bool
  ) -> RecordedExchange {
    var masked = masked(exchange, isClassic: isClassic)
    guard let frame = TagFrame.shown(in: exchange.command), frame.count == 6,
      frame[0] == 0xA2, let page = frame[1], pages.contains(page)
    else { return masked }
    let start = exchange.command.count - 4
    for index in start..<exchange.command.count { masked.command[index] = nil }
    return masked
  }
}
