import Readers
import TagMemory

/// A tag that speaks ISO-DEP, on a reader: which application and file are selected, and how files
/// are read and written.
final class Type4Session: TagSession {
  /// What the tag is, as far as it was asked.
  var product = Product.type4
  var version: DESFireVersion?
  /// By which name the tag knows its NDEF application.
  var naming = NDEFApplication.current
  /// How the message's file is read and written; nil before the capability container was read.
  var access: BinaryAccess?
  /// Files are read and written as `access` says; like this where the job itself creates the files
  /// of a card.
  var fileAccess: BinaryAccess {
    access
      ?? BinaryAccess(
        DESFireFormat.container(byteCount: DESFireFormat.pieceByteCount),
        byteCount: CapabilityFile.leastByteCount, command: reader.limit.command,
        answer: reader.limit.answer)
  }
  /// The password of an ST25TA was refused: it is not tried again, as the tag counts.
  var isPasswordRefused = false

  /// What the tag forgets when it is selected again.
  private var selected: Selection?
  private(set) var desFire: DESFireSession?
  /// This session with an NTAG 424 DNA is open; the tag forgets it when it is selected again.
  var secure: EV2Session?
  /// An NTAG 424 DNA that no longer takes AES.
  var usesLRP = false
  var isInApplication: Bool { selected?.naming == naming }
  /// The tag waits for the rest of a native command, and refuses every other one for that.
  private var isInMiddle = false

  private struct Selection: Equatable {
    let naming: NDEFApplication
    var file: FileID?
  }

  /// An answer, or the status with which the tag refused.
  enum Answer {
    case bytes([UInt8])
    case refused(StatusWord)
  }

  override func selectAgain() throws(ReaderError) {
    forgetSelection()
    isInMiddle = false
    try super.selectAgain()
  }

  func forgetSelection() { (selected, desFire, secure) = (nil, nil, nil) }

  /// Sends one APDU; 6Cxx is followed. What a native command left in its middle is ended before:
  /// the tag refuses every other command meanwhile, with 6985 or 91CA (NT4H2421Gx, tables 23, 86,
  /// 89 and 92).
  func transmit(_ apdu: CommandAPDU) throws(ReaderError) -> ResponseAPDU {
    try wake()
    let isContinuation = apdu.instructionClass == 0x90 && apdu.instruction == 0xAF
    if !isContinuation { try endCommand() }
    let response: ResponseAPDU
    do throws(ReaderError) {
      response = try reader.transmit(apdu, following: true)
    } catch .wrongAnswerLength(_, received: 1) {
      // A card with commands of its own, such as a MIFARE Plus, ends each with one byte: it knows
      // no APDU.
      response = ResponseAPDU(data: [], status: Self.noAPDUs)
    }
    isInMiddle = response.status == Self.anotherFrame
    return response
  }

  private static let anotherFrame = StatusWord(0x91, 0xAF)
  /// The card does not know the class of the command (ISO/IEC 7816-4, 5.6).
  private static let noAPDUs = StatusWord(0x6E, 0x00)
  /// More parts than any answer has: the applications of a DESFire, the parts of GetVersion.
  private static let mostParts = 64

  /// Brings a command to its end that was given up: an answer is fetched. An authentication gets a
  /// half without a byte, which is refused for its length and counts as no wrong key.
  private func endCommand() throws(ReaderError) {
    for _ in 0..<Self.mostParts where isInMiddle {
      let part = try reader.transmit(DESFireCommand.anotherFrame.apdu, following: true)
      isInMiddle = part.status == Self.anotherFrame
    }
    if isInMiddle { try selectAgain() }
  }

  /// Sends a native command and takes its whole answer, however many parts it comes in.
  func ask(_ command: DESFireCommand) throws(ReaderError) -> ResponseAPDU {
    var response = try transmit(command.apdu)
    for _ in 0..<Self.mostParts where response.status == Self.anotherFrame {
      let part = try transmit(DESFireCommand.anotherFrame.apdu)
      response = ResponseAPDU(data: response.data + part.data, status: part.status)
    }
    return response
  }

  // MARK: Files

  /// Selects the NDEF application under the name `naming`; the status where the tag refuses.
  func selectApplication(_ naming: NDEFApplication) throws(ReaderError) -> StatusWord? {
    try wake()
    if selected?.naming == naming, selected?.file == nil { return nil }
    forgetSelection()
    var status = try transmit(.selectNDEFApplication(naming)).status
    // Somebody else has left a command in its middle: it ends with the selection, if not before.
    if status == Self.outOfTurn { status = try transmit(.selectNDEFApplication(naming)).status }
    if status == Self.outOfTurn {
      try selectAgain()
      status = try transmit(.selectNDEFApplication(naming)).status
    }
    guard status.isSuccess else { return status }
    selected = Selection(naming: naming)
    self.naming = naming
    return nil
  }

  /// Conditions of use not satisfied: a command of several parts is in its middle (NT4H2421Gx,
  /// table 86).
  static let outOfTurn = StatusWord(0x69, 0x85)

  /// Selects a file of the NDEF application, and that first where it has to be; the status where
  /// the tag refuses.
  func open(_ file: FileID) throws(ReaderError) -> StatusWord? {
    try wake()
    if selected == Selection(naming: naming, file: file) { return nil }
    if selected?.naming != naming, let refusal = try selectApplication(naming) { return refusal }
    selected?.file = nil
    let status = try transmit(.select(file, in: naming)).status
    guard status.isSuccess else { return status }
    selected?.file = file
    return nil
  }

  /// At most `count` bytes of `file` from `offset` on, in one command. Fewer where the tag gives
  /// fewer.
  func read(_ count: Int, from offset: Int, of file: FileID, with access: BinaryAccess)
    throws(ReaderError) -> Answer
  {
    if let refusal = try open(file) { return .refused(refusal) }
    var most = min(count, access.readLimit(at: offset))
    while true {
      let response = try transmit(access.read(most, from: offset))
      // 6282: the file ended before Le bytes.
      if response.status.isSuccess || response.status == StatusWord(0x62, 0x82) {
        let content = access.content(of: response.data, from: offset)
        guard let content, !content.isEmpty, content.count <= most else {
          throw .wrongAnswerLength(expected: most, received: response.data.count)
        }
        return .bytes(content)
      }
      // A tag that refuses the length gets shorter ones: what every tag must give, then a bare
      // length field, then a byte.
      let shorter = most > Self.surelyReadable ? Self.surelyReadable : most > 2 ? 2 : 1
      guard response.status == StatusWord(0x67, 0x00), most > shorter else {
        return .refused(response.status)
      }
      most = shorter
    }
  }

  /// The least MLe that a tag may have.
  private static let surelyReadable = 15

  /// All of `range` of `file`, in as many commands as it takes.
  func read(_ range: Range<Int>, of file: FileID, with access: BinaryAccess) throws(ReaderError)
    -> Answer
  {
    var bytes: [UInt8] = []
    while bytes.count < range.count {
      let offset = range.lowerBound + bytes.count
      switch try read(range.count - bytes.count, from: offset, of: file, with: access) {
      case .refused(let status): return .refused(status)
      case .bytes(let part): bytes += part
      }
    }
    return .bytes(bytes)
  }

  /// Writes `bytes` to `file` in one command; the status where the tag refuses.
  func update(_ bytes: [UInt8], from offset: Int, of file: FileID, with access: BinaryAccess)
    throws(ReaderError) -> StatusWord?
  {
    if let refusal = try open(file) { return refusal }
    let status = try transmit(access.update(bytes, from: offset)).status
    return status.isSuccess ? nil : status
  }

  // MARK: Native commands

  /// Sends a native command as it is, within a session wrapped; the data of its answer, or the
  /// status where the tag refuses.
  func native(_ command: DESFireCommand, enciphered header: Int? = nil) throws(ReaderError)
    -> Answer
  {
    try wake()
    guard var session = desFire else { return Self.answer(try ask(command)) }
    let wrapped = header.map { session.enciphered(command, header: $0) } ?? session.plain(command)
    let response = try ask(wrapped)
    guard response.status.sw1 == 0x91, response.status.sw2 == 0 else {
      // An error ends the session.
      desFire = nil
      return .refused(response.status)
    }
    guard let data = session.opened(response.data, status: 0) else {
      desFire = nil
      throw .wrongAnswerLength(expected: response.data.count, received: response.data.count)
    }
    desFire = session
    return .bytes(data)
  }

  private static func answer(_ response: ResponseAPDU) -> Answer {
    response.status.sw1 == 0x91 && response.status.sw2 == 0
      ? .bytes(response.data) : .refused(response.status)
  }

  /// GetVersion, to its end: the first part of three names the chip.
  func askVersion() throws(ReaderError) -> DESFireVersion? {
    var response = try ask(.getVersion)
    // Somebody else's command was in its middle, and is over now (NT4H2421Gx, table 23).
    if response.status == StatusWord(0x91, 0xCA) { response = try ask(.getVersion) }
    guard response.status.sw1 == 0x91 else { return nil }
    return DESFireVersion(response.data)
  }

  /// Selects an application by its number, 0 for the card itself. What was selected by name is no
  /// more.
  func select(application: UInt32) throws(ReaderError) -> StatusWord? {
    forgetSelection()
    if case .refused(let status) = try native(.select(application)) { return status }
    return nil
  }

  /// Proves `key`; false when the tag does not take it. What is selected stays so.
  func authenticate(_ key: DESFireKey, number: UInt8) throws(ReaderError) -> Bool {
    desFire = nil
    reader.willProve(key.bytes)
    var ways: [DESFireAuthentication.Way?] = [nil]
    // Where the card does not know the first generation's way any more, it may know the later one.
    if key.kind == .tripleDES { ways.append(.tripleDES) }
    for way in ways {
      let challenge = (0..<DESFireAuthentication.challengeByteCount(key)).map { _ in
        UInt8.random(in: 0...255)
      }
      var authentication = DESFireAuthentication(
        key, number: number, challenge: challenge, way: way)
      let first = try transmit(authentication.start.apdu)
      guard first.status == Self.anotherFrame,
        let answer = authentication.answer(to: first.data)
      else { continue }
      let last = try transmit(answer.apdu)
      guard last.status.sw1 == 0x91, last.status.sw2 == 0 else { continue }
      guard let session = authentication.session(from: last.data) else { continue }
      desFire = session
      return true
    }
    return false
  }

  /// ChangeKey for the key that was proven; it ends the session.
  func changeKey(to new: DESFireKey, version: UInt8) throws(ReaderError) -> StatusWord? {
    guard var session = desFire else { return StatusWord(0x91, 0xAE) }
    let command = session.changeKey(to: new, version: version)
    desFire = nil
    let status = try transmit(command.apdu).status
    return status.sw1 == 0x91 && status.sw2 == 0 ? nil : status
  }
}

extension StatusWord {
  /// 9000.
  var isSuccess: Bool { value == 0x9000 }
}
