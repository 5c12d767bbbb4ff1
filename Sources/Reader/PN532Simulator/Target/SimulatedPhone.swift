import PN532

/// A telephone in front of a board that plays a tag: which commands it sends, what it makes of the
/// answers, and when it is taken away.
///
/// Blocks of ISO-DEP are counted and not spelled out, as the chip's host never sees them.
package final class SimulatedPhone {
  package let kind: PhoneKind
  /// It is taken away before this frame, in either direction, RATS being the first; nil: it stays
  /// until it has read.
  package let leavesAt: Int?
  /// What the chip reports of its going.
  package let leaving: StatusCode
  /// The message that it has read, once whole.
  package private(set) var message: [UInt8]?
  /// Every command and its answer.
  package private(set) var exchanges: [(command: [UInt8], answer: [UInt8])] = []
  /// How often it has selected the card.
  package private(set) var selectionCount = 0
  /// Frames in both directions so far.
  package private(set) var frameCount = 0
  /// The longest time that an answer took.
  package private(set) var slowest = Duration.zero
  /// It took the card for an empty FeliCa tag.
  package private(set) var sawFeliCa = false
  package private(set) var hasLeft = false
  private(set) var hasField = false

  private var contacts: [PhoneContact]
  private var steps: [PhoneStep] = []
  private var pending: [UInt8]?
  private var asked = ContinuousClock.now
  private var containerFile: [UInt8] = []
  private var length = 0
  private var read: [UInt8] = []

  package init(
    _ kind: PhoneKind, leavesAt: Int? = nil, leaving: StatusCode = .released,
    writes: [UInt8] = [0xD0, 0x00, 0x00]
  ) {
    (self.kind, self.leavesAt, self.leaving) = (kind, leavesAt, leaving)
    contacts = kind.contacts(writes)
  }

  /// Selects the card; nil where it does not take it for one, or has gone.
  func select(_ face: TargetFace) -> [UInt8]? {
    guard !hasLeft, let contact = contacts.first else { return nil }
    hasField = true
    if kind == .samsung, face.answersFeliCa {
      sawFeliCa = true
      return leave()
    }
    guard face.sak & 0x20 != 0 else { return leave() }
    contacts.removeFirst()
    selectionCount += 1
    steps = contact.steps
    (pending, read) = (nil, [])
    keepsField = contact.keepsField
    isDoubted = contact.isDoubted
    // RATS and ATS; PPS and its answer.
    guard spend(1) else { return leave() }
    _ = spend(contact.asksSpeed ? 3 : 1)
    return [0xE0, 0x80]
  }

  private var keepsField = false
  private var isDoubted = false

  private func leave() -> [UInt8]? {
    (hasLeft, hasField) = (true, false)
    return nil
  }

  /// Counts frames; false once it was taken away.
  private func spend(_ count: Int) -> Bool {
    for _ in 0..<count {
      if frameCount == leavesAt { _ = leave() }
      guard !hasLeft else { return false }
      frameCount += 1
    }
    return true
  }

  func next() -> InitiatorAct {
    guard !hasLeft else { return .left(leaving) }
    guard let command = nextCommand() else {
      // DESELECT and its answer; then the field goes, unless it selects the card again.
      if spend(2), !keepsField || contacts.isEmpty { _ = leave() }
      return .left(keepsField && !hasLeft ? .released : leaving)
    }
    pending = command
    asked = .now
    // What does not fit a frame of the card's comes in several, each acknowledged.
    let pieces = ProtocolBlock.pieces(of: command, frame: 64, hasCID: false, hasNAD: false).count
    return spend(2 * pieces - 1) ? .command(command) : .left(leaving)
  }

  func take(_ answer: [UInt8]) -> StatusCode {
    guard !hasLeft, let command = pending else { return hasLeft ? leaving : .depState }
    slowest = max(slowest, asked.duration(to: .now))
    let pieces = ProtocolBlock.pieces(of: answer, frame: 256, hasCID: false, hasNAD: false).count
    guard spend(2 * pieces - 1 + (isDoubted ? 2 : 0)) else { return leaving }
    (pending, isDoubted) = (nil, false)
    exchanges.append((command, answer))
    hear(answer)
    return .ok
  }

  func lose() { _ = leave() }

  /// The command of the step that is next; nil at the end.
  private func nextCommand() -> [UInt8]? {
    guard let step = steps.first else { return nil }
    switch step {
    case .send(let bytes): return bytes
    case .application: return [0x00, 0xA4, 0x04, 0x00, 0x07] + Self.application + [0x01, 0x00]
    case .container: return [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x03]
    case .readContainer: return [0x00, 0xB0, 0x00, 0x00, 0x0F]
    case .file: return [0x00, 0xA4, 0x00, 0x0C, 0x02] + containerFile[9..<11]
    case .length: return [0x00, 0xB0, 0x00, 0x00, 0x02]
    case .message(let start):
      let (place, end) = (start + read.count, length + 2)
      guard length > 0, place < end else { return nil }
      let most = start == 0 ? min(longestRead, length) : longestRead
      return Self.command(0xB0, place) + [UInt8(min(most, end - place))]
    case .update(let message):
      steps.replaceSubrange(0..<1, with: writing(message))
      return nextCommand()
    }
  }

  private static let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01]
  private var longestRead: Int { min(255, Int(containerFile[3]) << 8 | Int(containerFile[4])) }
  private var longestWrite: Int { min(255, Int(containerFile[5]) << 8 | Int(containerFile[6])) }

  private static func command(_ instruction: UInt8, _ offset: Int) -> [UInt8] {
    [0x00, instruction, UInt8(offset >> 8 & 0x7F), UInt8(offset & 0xFF)]
  }

  private func writing(_ message: [UInt8]) -> [PhoneStep] {
    let pieces = stride(from: 0, to: message.count, by: max(1, longestWrite)).map { start in
      (2 + start, Array(message[start..<min(start + longestWrite, message.count)]))
    }
    let count = [UInt8(message.count >> 8 & 0xFF), UInt8(message.count & 0xFF)]
    return ([(0, [0, 0])] + pieces + [(0, count)]).map { offset, bytes in
      .send(Self.command(0xD6, offset) + [UInt8(bytes.count)] + bytes)
    }
  }

  private func hear(_ answer: [UInt8]) {
    let step = steps[0]
    if case .send(let command) = step {
      steps.removeFirst()
      // A refused write is not gone on with.
      if command.starts(with: [0x00, 0xD6]), answer != [0x90, 0x00] { steps = [] }
      return
    }
    guard answer.suffix(2) == [0x90, 0x00] else {
      steps = []
      // The name of mapping version 1.
      if step == .application, kind == .android || kind == .samsung {
        steps = [.send([0x00, 0xA4, 0x04, 0x00, 0x07] + Self.application + [0x00])]
      }
      return
    }
    let data = Array(answer.dropLast(2))
    switch step {
    case .readContainer where data.count < 15: steps = []
    case .readContainer: containerFile = data
    case .length where data.count < 2: steps = []
    case .length: length = Int(data[0]) << 8 | Int(data[1])
    case .message(let start):
      read += data
      guard !data.isEmpty, start + read.count < length + 2 else { break }
      return
    default: break
    }
    guard !steps.isEmpty else { return }
    steps.removeFirst()
    if case .message(let start) = step {
      let found = Array(read.dropFirst(start == 0 ? 2 : 0))
      if found.count >= length { message = Array(found.prefix(length)) }
    }
  }
}
