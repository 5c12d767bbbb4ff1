/// A Type 4 tag that a program plays, mapping version 2.0: commands in, answers out (Type 4 Tag
/// 1.2, 4 and 5.4). Without a device and without time.
///
/// What the file holds stays the same from one `activate` to the next, unless the reader writes.
package struct Type4Responder: Hashable, Sendable {
  /// MLe and MLc: command and answer fit one frame of the chip either way.
  package static let longestPart = 0xF6
  /// The longest message: the file has at most 7FFFh bytes with its length field.
  package static let longestMessage = 0x7FFF - 2

  /// How far a reader has got.
  private enum Selection: Hashable, Sendable { case nothing, application, container, message }

  /// The capability container.
  package let container: CapabilityFile
  private var selection = Selection.nothing
  /// The message's file: its length, then the message.
  private var file: [UInt8]
  /// Which bytes of the message were read since the last `activate`.
  private var isRead: [Bool]
  /// Those that the last answer gives out: whether it has arrived is not known yet.
  private var given = 0..<0
  private var draft = Draft()

  /// What a reader has done to the file since the last `activate`. It writes a message while the
  /// length is 0, and the length last (Type 4 Tag 1.2, 5.4.6), or everything in one command.
  private struct Draft: Hashable, Sendable {
    var isBegun = false
    /// Which bytes of the file were written while the length was 0, or in the command that set it;
    /// nil: the length has not been 0, or what was written under it was changed afterwards.
    var isWritten: [Bool]?
    /// Is true if the length was set last, and every byte of the message was there by then.
    var isFinished = false
  }

  /// Plays a tag that holds `message`; nil where that is longer than a file can be. A file that
  /// readers may write has 2048 bytes at least.
  package init?(message: [UInt8], isWritable: Bool = false) {
    guard message.count <= Self.longestMessage else { return nil }
    let size = max(message.count + 2, isWritable ? 2048 : 256)
    container = CapabilityFile(
      longestRead: Self.longestPart, longestWrite: Self.longestPart,
      message: FileControl(
        .message, .usualMessage, byteCount: size, writeAccess: isWritable ? .free : .never))
    (file, isRead) = ([], [])
    hold(message)
  }

  /// Puts `message`, which fits the file, in place of what is there.
  private mutating func hold(_ message: [UInt8]) {
    let control = container.message
    file = MessageLength.bytes(message.count, in: control) + message
    file += [UInt8](repeating: 0, count: control.byteCount - file.count)
    isRead = [Bool](repeating: false, count: message.count)
    (given, draft) = (0..<0, Draft())
  }

  /// A reader selects the tag: whatever another has selected is forgotten.
  package mutating func activate() {
    selection = .nothing
    isRead = [Bool](repeating: false, count: isRead.count)
    (given, draft) = (0..<0, Draft())
  }

  /// The last answer has arrived: what it gave out counts as read.
  package mutating func noteArrival() {
    for place in given { isRead[place] = true }
    given = 0..<0
  }

  /// Is true if every byte of the message was read since the last `activate`.
  package var wasReadWhole: Bool { !isRead.isEmpty && isRead.allSatisfy(\.self) }

  /// How many bytes of the message were read since then.
  package var readCount: Int { isRead.count(where: \.self) }

  /// What a reader has left in the file since then.
  package enum Writing: Hashable, Sendable {
    case nothing
    /// It has begun to write, and not every byte of a message came before its length.
    case unfinished
    case message([UInt8])
  }

  /// What was written since the last `activate`.
  package var writing: Writing {
    guard draft.isBegun else { return .nothing }
    guard draft.isFinished, case .message(let count)? = MessageLength(file, in: container.message)
    else { return .unfinished }
    return .message(Array(file[2..<2 + count]))
  }

  /// Returns whether `command` would be answered with bytes of the message's file.
  package func givesOut(_ command: [UInt8]) -> Bool {
    guard selection == .message, let apdu = try? CommandAPDU(parsing: command) else { return false }
    return apdu.instructionClass == 0x00 && apdu.instruction == 0xB0
  }

  /// Puts `message`, as long as the one before it, in its place: a tag that proves itself shows
  /// another at each reading. For the time before the first byte is given out.
  package mutating func show(_ message: [UInt8]) {
    precondition(message.count == isRead.count, "a message of another length")
    hold(message)
  }

  /// The answer to `command`: data and status; nothing to an empty block, with which telephones ask
  /// whether the tag is still there. `noteArrival` says that it has reached the reader.
  package mutating func answer(_ command: [UInt8]) -> [UInt8] {
    given = 0..<0
    guard !command.isEmpty else { return [] }
    guard let apdu = try? CommandAPDU(parsing: command) else { return Status.wrongLength }
    guard apdu.instructionClass == 0x00 else { return Status.unknownClass }
    switch apdu.instruction {
    case 0xA4: return select(apdu)
    case 0xB0: return read(apdu)
    case 0xD6: return update(apdu)
    default: return Status.unknownInstruction
    }
  }

  /// SELECT, the application by its name or a file by its identifier (5.4.2, 5.4.3). The name of
  /// mapping version 1.0 is another application, which is not there.
  private mutating func select(_ apdu: CommandAPDU) -> [UInt8] {
    guard apdu.parameters.p2 == 0x00 || apdu.parameters.p2 == 0x0C else {
      return Status.wrongParameters
    }
    switch apdu.parameters.p1 {
    case 0x04:
      guard apdu.data == NDEFApplication.current.name else { return Status.notFound }
      selection = .application
    case 0x00:
      guard apdu.data.count == 2 else {
        return apdu.data.isEmpty ? Status.notFound : Status.wrongLength
      }
      guard selection != .nothing else { return Status.notFound }
      switch apdu.data {
      case FileID.capability.bytes: selection = .container
      case FileID.usualMessage.bytes: selection = .message
      default: return Status.notFound
      }
    default: return Status.wrongParameters
    }
    return Status.good
  }

  /// READ BINARY. Whoever asks for more than MLe, or beyond the end, gets what there is.
  private mutating func read(_ apdu: CommandAPDU) -> [UInt8] {
    guard let bytes = selected else { return Status.noFile }
    let start = apdu.offset
    guard start < bytes.count else { return Status.wrongOffset }
    guard apdu.data.isEmpty, let wanted = apdu.expectedLength else { return Status.wrongLength }
    let end = min(start + min(wanted, Self.longestPart), bytes.count)
    // What a reader has begun to write is no longer the message.
    if selection == .message, !draft.isBegun {
      // Behind the two bytes of the length.
      let (first, last) = (max(start - 2, 0), min(end - 2, isRead.count))
      if first < last { given = first..<last }
    }
    return bytes[start..<end] + Status.good
  }

  /// UPDATE BINARY.
  private mutating func update(_ apdu: CommandAPDU) -> [UInt8] {
    guard selected != nil else { return Status.noFile }
    guard selection == .message, container.message.writeAccess == .free else {
      return Status.notAllowed
    }
    guard (1...Self.longestPart).contains(apdu.data.count) else { return Status.wrongLength }
    let start = apdu.offset
    guard start + apdu.data.count <= file.count else { return Status.wrongOffset }
    let place = start..<start + apdu.data.count
    let wasEmpty = length == 0
    file.replaceSubrange(place, with: apdu.data)
    note(place, wasEmpty: wasEmpty)
    return Status.good
  }

  /// What the file says of its message's length.
  private var length: Int { Int(file[0]) << 8 | Int(file[1]) }

  /// A reader has written `place`; `wasEmpty`: the length was 0 before.
  private mutating func note(_ place: Range<Int>, wasEmpty: Bool) {
    draft.isBegun = true
    let whole = 2..<2 + length
    let isComplete = place.lowerBound == 0 && place.upperBound >= whole.upperBound
    if length == 0 && !wasEmpty || draft.isWritten == nil && (wasEmpty || isComplete) {
      draft.isWritten = [Bool](repeating: false, count: file.count)
    }
    // Under a length that stands, or with one that stood, there is no telling old from new.
    if length > 0, !wasEmpty, !isComplete, place.upperBound > 2 { draft.isWritten = nil }
    if draft.isWritten != nil { for index in place { draft.isWritten?[index] = true } }
    draft.isFinished =
      length > 0 && place.lowerBound < 2 && whole.upperBound <= file.count
      && draft.isWritten?[whole].allSatisfy(\.self) ?? false
  }

  /// The bytes of the selected file.
  private var selected: [UInt8]? {
    switch selection {
    case .nothing, .application: nil
    case .container: container.serialize()
    case .message: file
    }
  }

  /// SW1 and SW2 (ISO/IEC 7816-4, 5.6).
  private enum Status {
    static let good: [UInt8] = [0x90, 0x00]
    static let wrongLength: [UInt8] = [0x67, 0x00]
    static let notAllowed: [UInt8] = [0x69, 0x82]
    static let noFile: [UInt8] = [0x69, 0x86]
    static let notFound: [UInt8] = [0x6A, 0x82]
    static let wrongParameters: [UInt8] = [0x6A, 0x86]
    static let wrongOffset: [UInt8] = [0x6B, 0x00]
    static let unknownInstruction: [UInt8] = [0x6D, 0x00]
    static let unknownClass: [UInt8] = [0x6E, 0x00]
  }
}

extension CommandAPDU {
  /// P1 and P2 of READ and UPDATE BINARY.
  fileprivate var offset: Int { Int(parameters.p1) << 8 | Int(parameters.p2) }
}
