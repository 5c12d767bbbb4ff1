import PN532
import Readers

/// What opening a reader shows: `readers --check`.
package struct Checkup: Hashable, Sendable {
  /// Which chip answers, and its firmware; nil when none does.
  package private(set) var firmware: FirmwareVersion?
  /// The fastest speed that board and port both follow to; nil for readers without a serial line.
  package private(set) var speed: LinkSpeed?
  /// The speed at which it was found, where an earlier program had left it there; it is back at the
  /// usual one.
  package private(set) var strayedTo: LinkSpeed?
  /// Why it cannot be used.
  package private(set) var obstacle: Obstacle?

  /// Opens `reader`, lets its chip test itself, and closes it. What is known to be barred is not
  /// tried. `memory` as in `LibNFCLink`.
  package init(_ reader: ReaderDescription, memory: AdapterMemory? = nil) {
    guard reader.obstacle == nil else {
      obstacle = reader.obstacle
      return
    }
    do throws(OpeningFailure) {
      let link = try LibNFCLink(
        trying: OpeningFailure.of { () throws(ReaderError) in
          try ConnectionString(reader.connection)
        }, memory: memory, isProving: true)
      defer { link.close() }
      (firmware, speed, strayedTo) = (link.firmware, link.speed, link.strayedTo)
      obstacle = try OpeningFailure.of { () throws(ReaderError) in try Self.selfTest(link) }
    } catch {
      obstacle = Self.obstacle(error, of: reader)
    }
  }

  /// Lets the chip send a long text back and check its ROM and RAM (UM0701-02, 7.2.1, tests 0 to
  /// 2).
  private static func selfTest(_ link: LibNFCLink) throws(ReaderError) -> Obstacle? {
    // An ACR122 passes 255 bytes on, its own header included.
    let text = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    guard
      try link.transceive(Command.lineTest(text).bytes, timeout: .milliseconds(500)) == [0] + text
    else { return .halfDead("it does not echo its test data correctly") }
    for (test, name) in [(1, "ROM"), (2, "RAM")] as [(UInt8, String)] {
      let answer = try link.transceive(
        Command(.diagnose, [test]).bytes, timeout: .milliseconds(1000))
      guard answer == [0] else { return .halfDead("its \(name) test fails") }
    }
    return nil
  }

  private static func obstacle(_ failure: OpeningFailure, of reader: ReaderDescription) -> Obstacle
  {
    if let obstacle = failure.obstacle { return obstacle }
    let error = failure.error
    if case .busy(_, let holder) = error { return .held(by: holder ?? "another process") }
    if reader.connection.hasPrefix("pn532_uart:"),
      let port = try? TerminalPort(locking: reader.device, reader: reader.connection),
      let found = BoardProbe.obstacle(on: port, home: .baud115200)
    {
      return found
    }
    switch error {
    case .boardSilent: return reader.attachment == .usb ? .takesNothing : .silent
    case .cannotOpen(_, let reason): return .other(reason)
    default: return .other(error.description)
    }
  }
}
