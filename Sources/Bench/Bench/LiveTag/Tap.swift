import NDEF
import PN532
import Readers

/// What one telephone, or another reader, did with the board that plays a tag, from coming to
/// going: one selection, or several with little between them.
package struct Tap: Hashable, Sendable {
  /// Who that may have been, by its commands alone; other readers may send the same.
  package enum Reader: String, Hashable, Sendable, CaseIterable {
    /// It reads the message from offset 0 on, with its length.
    case iPhone = "iphone"
    /// It asks for other applications first, as an app's session does on an iPhone.
    case iPhoneApp = "iphone-app"
    /// It reads the message from offset 2 on.
    case android
    case unknown
  }

  /// What became of what it wrote.
  package enum Written: Hashable, Sendable {
    case nothing
    /// The tag holds this message from now on.
    case taken([UInt8])
    /// It is no message, or not a whole one: the tag holds what it held. A clause says why.
    case refused(String)
  }

  /// Counted from 1.
  package var number = 0
  /// The tag held this message; a tag that proves itself showed it in reading `reading`.
  package var message: [UInt8]
  /// Is true if `message` has stand-ins, which nobody has been shown.
  package var holdsStandIns: Bool
  package var reader = Reader.unknown
  package var selectionCount = 0
  /// Every command, in their order.
  package var commands: [[UInt8]] = []
  /// Bytes of the message that were read in one selection, at most.
  package var readCount = 0
  /// Is true if the message was read to its end in one selection.
  package var isWhole = false
  /// From the first selection to the moment at which it let go last.
  package var duration = Duration.zero
  package var written = Written.nothing
  /// The numbers of all readings, of a tag that proves itself.
  package var counters: [Int] = []
  /// The number of the reading that is in `message`; nil where there was none.
  package var reading: Int?
  /// How the chip said that it had gone.
  package var ending: StatusCode?
  /// Is true if the capability container is selected, not the message.
  private var isInContainer = false

  package init(message: [UInt8], holdsStandIns: Bool = false) {
    (self.message, self.holdsStandIns) = (message, holdsStandIns)
  }
}

extension Tap {
  /// Another selection begins.
  mutating func select() {
    selectionCount += 1
    isInContainer = false
  }

  /// Takes note of a command, and of what it tells of who sends it.
  mutating func hear(_ command: [UInt8]) {
    commands.append(command)
    if command.starts(with: Self.appleName) { reader = .iPhoneApp }
    if command.starts(with: [0x00, 0xA4]) {
      isInContainer = command.dropFirst(5).starts(with: [0xE1, 0x03])
    }
    guard reader == .unknown, !isInContainer, command.starts(with: [0x00, 0xB0, 0x00]),
      command.count == 5
    else { return }
    // Behind the length.
    switch (command[3], command[4]) {
    case (0, 2): break
    case (0, _): reader = .iPhone
    case (2, _): reader = .android
    default: break
    }
  }

  /// `A000000396564341FF…`: asked for by iPhones in a tag session.
  private static let appleName: [UInt8] = [
    0x00, 0xA4, 0x04, 0x00, 0x10, 0xA0, 0x00, 0x00, 0x03, 0x96, 0x56, 0x43, 0x41, 0xFF,
  ]
}
