import PN532
import Readers
import TagMemory

/// Looks at a tag that speaks ISO-DEP, as far as a job needs.
struct Type4Surveyor {
  let session: Type4Session
  let pass: PassContext
  var state: Type4State

  /// With what an earlier look of the same pass has learnt, or nothing.
  init(session: Type4Session, pass: PassContext, knowing known: Type4State? = nil) {
    (self.session, self.pass) = (session, pass)
    state =
      known
      ?? Type4State(
        uid: session.tag.uid, atqa: session.tag.typeA?.atqa, sak: session.tag.sak,
        product: session.product, version: session.version,
        parameters: ISODEPParameters(session.tag))
    state.sent = session.sent.all
    state.isTypeB = session.tag.technology == .typeB
  }

  /// What is read at first of a message whose length is not known: one frame of most tags holds it,
  /// and most messages.
  private static let firstByteCount = 64

  /// Reads what `job` needs; nil stands for what a decision needs.
  mutating func survey(for job: Job?) throws(ReaderError) {
    if state.application == nil {
      try findApplication()
      guard state.application != nil else { return try identifyStranger(for: job) }
      try identifyST()
      try surveySettings()
      try readContainer(isWhole: job?.wantsEverything ?? false)
      try surveyOtherSettings()
    }
    guard let container = state.application?.container else { return }
    let start = container.message.lengthByteCount
    let wanted = job?.messageByteCount.map { start + $0 }
    let access = access(to: container, byteCount: wanted ?? Self.firstByteCount)
    state.application?.access = access
    session.access = access
    guard container.message.readAccess == .free else { return }
    if state.application?.known.isEmpty ?? true {
      try read(upTo: start, askingFor: wanted ?? Self.firstByteCount)
    }
    guard let length = state.application?.length else { return }
    switch job {
    case .write:
      // An empty file's content is written anyway; nobody else's is lost with it.
      if let wanted, length != .empty || pass.isThorough {
        try read(upTo: wanted)
      }
    case .dump, .restore: try read(upTo: container.message.byteCount)
    default:
      if case .message(let count) = length { try read(upTo: start + count) }
    }
    if job?.wantsEverything ?? false { try readOthers() }
  }

  // MARK: The application

  private mutating func findApplication() throws(ReaderError) {
    state.refusals = []
    guard let refusal = try session.selectApplication(.current) else {
      state.application = Type4State.Application(naming: .current)
      return
    }
    state.refusals = [refusal]
    // What the tag does not do now it may well have.
    guard !refusal.saysNothing else { return }
    // A DESFire and an NTAG 424 DNA have the name of mapping 1.0 for themselves, without files: the
    // application is there where its container is.
    var other = try session.selectApplication(.first)
    if other == nil { other = try session.open(.capability) }
    guard let other else {
      state.application = Type4State.Application(naming: .first)
      return
    }
    state.refusals.append(other)
    // The name that the card has for itself is not the one that an application is to be created by.
    session.naming = .current
    session.forgetSelection()
  }

  private mutating func readContainer(isWhole: Bool) throws(ReaderError) {
    var (bytes, most) = ([UInt8](), CapabilityFile.leastByteCount)
    reading: while bytes.count < Self.end(of: bytes, isWhole: isWhole) {
      let wanted = min(most, Self.end(of: bytes, isWhole: isWhole) - bytes.count)
      let part = try session.read(
        wanted, from: bytes.count, of: .capability, with: Self.least)
      switch part {
      case .bytes(let part):
        bytes += part
        // A tag that gives fewer gives no more at a time: its MLe is too small.
        most = min(most, part.count)
      case .refused(let status):
        if bytes.isEmpty {
          state.application?.refusal = status
          return
        }
        break reading
      }
    }
    state.application?.bytes = bytes
    do throws(CapabilityError) {
      state.application?.container = try CapabilityFile(parsing: bytes)
    } catch {
      state.application?.fault = error
    }
  }

  /// Returns how many bytes of a container that begins with `bytes` are to be read.
  private static func end(of bytes: [UInt8], isWhole: Bool) -> Int {
    let least = CapabilityFile.leastByteCount
    guard bytes.count >= least else { return least }
    let claimed = CapabilityFile.byteCount(of: bytes) ?? 0
    let isLong = bytes[CapabilityFile.headByteCount] == FileControl.Kind.longMessage.rawValue
    // A large file's TLV ends two bytes behind the first fifteen.
    return min(isWhole ? claimed : isLong ? 17 : 0, longestContainer)
  }

  /// Until the container is read: short commands and the least lengths.
  private static let least = BinaryAccess(
    CapabilityFile(
      longestRead: CapabilityFile.leastByteCount, longestWrite: 13,
      message: FileControl(.message, .usualMessage, byteCount: 5)),
    byteCount: 1, command: ExchangeLimit.pn532.command, answer: ExchangeLimit.pn532.answer)

  /// More control TLVs than any tag has.
  private static let longestContainer = 0x200

  /// How the message is read and written; after a failed pass in commands that one frame of the tag
  /// holds.
  private func access(to container: CapabilityFile, byteCount: Int) -> BinaryAccess {
    let access = BinaryAccess(
      container, byteCount: byteCount, command: session.reader.limit.command,
      answer: session.reader.limit.answer)
    return pass.isThorough ? access.limited(to: state.parameters.updateByteCount) : access
  }

  /// Reads the message's file until its first `count` bytes are known, and never beyond the size
  /// that the container gives it: a tag may refuse that. `first`: what is asked for while fewer are
  /// known, as far as one command goes.
  private mutating func read(upTo count: Int, askingFor first: Int = 0) throws(ReaderError) {
    guard let application = state.application, let container = application.container,
      let access = application.access
    else { return }
    var known = application.known
    let size = container.message.byteCount
    while known.count < min(count, size) {
      guard access.readLimit(at: known.count) > 0 else { break }
      let part = try session.read(
        min(max(count, first), size) - known.count, from: known.count,
        of: container.message.file, with: access)
      guard case .bytes(let bytes) = part else {
        if case .refused(let status) = part { state.application?.refusal = status }
        break
      }
      known += bytes
    }
    state.application?.known = known
  }

  private mutating func readOthers() throws(ReaderError) {
    guard let application = state.application, let access = application.access else { return }
    for control in application.container?.others ?? [] where control.readAccess == .free {
      let count = min(control.byteCount, BinaryAccess.lastShortOffset + 1)
      guard count > 0, !FileID.reserved.contains(control.file),
        case .bytes(let bytes) = try session.read(0..<count, of: control.file, with: access)
      else { continue }
      state.application?.others[control.file] = bytes
    }
  }

  /// Finds out by its system file which of ST's chips it is, where its UID does not tell: the
  /// product code ends it (ST25TA02K, 3.1.3; Proxmark3, `cmdhfst25ta.c`).
  private mutating func identifyST() throws(ReaderError) {
    guard state.product == .type4, state.uid.bytes.first == 0x02 else { return }
    guard
      case .bytes(let bytes) = try session.read(
        Self.systemFileByteCount, from: 0, of: Self.systemFile, with: Self.least),
      case .bytes(let rest) = try session.read(
        Self.systemFileByteCount - bytes.count, from: bytes.count, of: Self.systemFile,
        with: Self.least),
      let code = rest.last, let product = Product.ofST(code: code)
    else { return }
    state.product = product
    session.product = product
  }

  private static let systemFile = FileID(0xE101)
  private static let systemFileByteCount = 18

  // MARK: Cards without one

  /// Applications that other cards have, by their names (EMV Contactless A, 3.3.2; ICAO Doc
  /// 9303-10, 3.6; eMRTD and others).
  private static let strangers: [(name: [UInt8], words: String)] = [
    (Array("2PAY.SYS.DDF01".utf8), "a payment card"),
    ([0xA0, 0x00, 0x00, 0x02, 0x47, 0x10, 0x01], "a passport or an identity card"),
    ([0xA0, 0x00, 0x00, 0x06, 0x47, 0x2F, 0x00, 0x01], "a security key (FIDO)"),
  ]

  /// The first historical bytes of a MIFARE Plus (AN10833, 5.1).
  private static let plus: [UInt8] = [0xC1, 0x05, 0x2F, 0x2F]

  /// Asks a card that is no DESFire which of the well-known applications it has.
  private mutating func identifyStranger(for job: Job?) throws(ReaderError) {
    guard state.version == nil else { return }
    if state.parameters.historicalBytes.starts(with: Self.plus) {
      state.stranger = "a MIFARE Plus in security level 3"
      return
    }
    for (name, words) in Self.strangers {
      let status = try session.transmit(
        CommandAPDU(0x00, 0xA4, 0x04, 0x00, data: name, expectedLength: 0x100)
      ).status
      guard status.isSuccess || status.sw1 == 0x61 else { continue }
      state.stranger = words
      return
    }
  }
}

extension Job {
  /// Bytes of the message that the job puts on a tag; nil where there is none.
  fileprivate var messageByteCount: Int? {
    switch self {
    case .write(let message, let options): options.bytes(of: message).count
    default: nil
    }
  }

  /// Is true if it needs all that can be read.
  fileprivate var wantsEverything: Bool {
    switch self {
    case .info, .dump, .restore: true
    default: false
    }
  }
}
