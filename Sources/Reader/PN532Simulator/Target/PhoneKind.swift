/// How a telephone reads a Type 4 tag: what was seen in public logs of phones in front of chips
/// that play one.
package enum PhoneKind: String, Hashable, Sendable, CaseIterable {
  /// One selection; the length twice, then the message from offset 0 on.
  case iPhone = "iphone"
  /// An app's tag session: the names of other applications first, the NDEF application twice.
  case iPhoneApp = "iphone-app"
  /// A look without a word, then the message from offset 2 on, then whether the tag is still there.
  case android
  /// It looks for FeliCa first, and takes a chip that answers both for an empty FeliCa tag; then it
  /// reads as an Android telephone does.
  case samsung
  /// Commands that are none, other chips' commands, wrong lengths; then as an iPhone.
  case odd
  /// Puts a message of its own in place of the tag's.
  case writer

  /// One selection after another.
  func contacts(_ written: [UInt8]) -> [PhoneContact] {
    let detect: [PhoneStep] = [.application, .container, .readContainer, .file, .length]
    switch self {
    case .iPhone: return [PhoneContact(detect + [.file, .message(from: 0)])]
    case .iPhoneApp:
      let names: [PhoneStep] = [
        .send([0x90, 0x60, 0, 0, 0]),
        .send(
          [0x00, 0xA4, 0x04, 0x00, 0x10, 0xA0, 0, 0, 3, 0x96, 0x56, 0x43, 0x41, 0xFF]
            + [0, 0, 0, 0, 0, 0, 0, 0]),
      ]
      return [
        PhoneContact(names + [.application], keepsField: true),
        PhoneContact([.application] + detect + [.file, .message(from: 0)]),
      ]
    case .android, .samsung:
      return [
        PhoneContact([], keepsField: true),
        PhoneContact(
          detect + [.message(from: 2), .send([]), .length], asksSpeed: true, isDoubted: true),
      ]
    case .odd:
      let odd: [[UInt8]] = [
        [0x60], [], [0x90, 0x60, 0, 0, 0], [0x00, 0xA4, 0x04, 0x00],
        [0x00, 0xB0, 0x00, 0x00, 0x02],
        [0x00, 0xCA, 0x01, 0x00, 0x00], [0x00, 0xA4, 0x04, 0x00, 0x20, 0x01],
        [UInt8](repeating: 0xFF, count: 200),
      ]
      return [PhoneContact(odd.map { .send($0) } + detect + [.message(from: 0)])]
    case .writer: return [PhoneContact(detect + [.update(written)])]
    }
  }
}

/// What a telephone does between a selection and letting go of the card.
struct PhoneContact {
  var steps: [PhoneStep]
  /// It lets go with DESELECT, and its field stays on for the next selection.
  var keepsField = false
  /// It asks for another speed first (PPS).
  var asksSpeed = false
  /// It takes the first answer for damaged, R(NAK), and wants it again.
  var isDoubted = false

  init(
    _ steps: [PhoneStep], keepsField: Bool = false, asksSpeed: Bool = false,
    isDoubted: Bool = false
  ) {
    (self.steps, self.keepsField) = (steps, keepsField)
    (self.asksSpeed, self.isDoubted) = (asksSpeed, isDoubted)
  }
}

enum PhoneStep: Hashable {
  /// Whatever comes back.
  case send([UInt8])
  case application, container, readContainer, file, length
  case message(from: Int)
  /// The length as 0, the message, its length.
  case update([UInt8])
}
