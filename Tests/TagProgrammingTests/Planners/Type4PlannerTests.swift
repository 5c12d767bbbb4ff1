import Bytes
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Plans for Type 4 tags: what each state needs for a message")
struct Type4MessagePlannerTests {
  static let message: [UInt8] = [0xD1, 0x01, 0x04, 0x55, 0x04, 0x61, 0x2E, 0x62]

  static func container(
    size: Int = 64, read: Int = 0xF6, write: Int = 0xF6, access: FileControl.Access = .free,
    version: UInt8 = 0x20
  ) -> CapabilityFile {
    CapabilityFile(
      version: version, longestRead: read, longestWrite: write,
      message: FileControl(
        size > 0xFFFE ? .longMessage : .message, .usualMessage, byteCount: size,
        writeAccess: access))
  }

  static func planner(
    _ message: [UInt8] = message, known: [UInt8], in container: CapabilityFile = container(),
    product: Product = .type4, sent: [Place: [UInt8]] = [:]
  ) -> Type4MessagePlanner {
    Type4MessagePlanner(
      product: product, container: container,
      access: BinaryAccess(container, byteCount: message.count + 2, command: 261, answer: 262),
      known: known, message: message, sent: sent)
  }

  /// `offset: bytes purpose` of each write; `offset? count` of each check.
  private func text(_ program: TagProgram) -> [String] {
    program.steps.map { step in
      guard case .file(_, let offset) = step.place else { return "\(step)" }
      if let (_, bytes) = step.written {
        return "\(offset): \(Hex.string(bytes)) \(step.purpose.map { "\($0)" } ?? "")"
      }
      return "\(offset)? \(step.checked?.bytes.count ?? 0)"
    }
  }

  private let off = "(the present message is switched off)"
  private let on = "(the length: the message is on)"
  private let hex = "d101045504612e62"

  @Test("an empty file gets the content, then its length, and both are read back")
  func empty() throws {
    let program = try Self.planner(known: [0, 0]).plan()
    #expect(text(program) == ["2: \(hex) (content)", "0: 0008 \(on)", "0? 10"])
  }

  @Test("a chip that writes a frame whole takes both in one command, where the file is empty")
  func whole() throws {
    let program = try Self.planner(known: [0, 0], product: .ntag424).plan()
    #expect(text(program) == ["0: 0008\(hex) \(on)", "0? 10"])
    let long = try Self.planner(
      [UInt8](repeating: 1, count: 130), known: [0, 0], in: Self.container(size: 256),
      product: .ntag424
    ).plan()
    #expect(long.steps.count(where: \.isWrite) == 2)
  }

  @Test(
    "another message is switched off first; a chip that writes a frame whole does so with the new content"
  )
  func replaces() throws {
    let old: [UInt8] = [0, 3, 0xD0, 0, 0, 0, 0, 0, 0, 0]
    #expect(
      text(try Self.planner(known: old).plan()) == [
        "0: 0000 \(off)", "2: \(hex) (content)", "0: 0008 \(on)", "0? 10",
      ])
    #expect(
      text(try Self.planner(known: old, product: .ntag424).plan()) == [
        "0: 0000\(hex) \(off)", "0: 0008 \(on)", "0? 10",
      ])
  }

  @Test("what is there already is not written: all of it, its head, or all but the length")
  func differences() throws {
    let wanted = [0, 8] + Self.message
    let same = try Self.planner(known: wanted + [9, 9]).plan()
    #expect(same.steps.isEmpty && same.unchanged == 1)
    #expect(
      text(try Self.planner(known: [0, 0] + Self.message).plan()) == ["0: 0008 \(on)", "0? 10"])
    var tail = wanted
    tail[9] = 0x63
    #expect(
      text(try Self.planner(known: tail).plan()) == [
        "0: 0000 \(off)", "9: 62 (content)", "0: 0008 \(on)", "0? 10",
      ])
    // An old length over content that is the new one still goes by 0.
    #expect(
      text(try Self.planner(known: [0, 5] + Self.message).plan()) == [
        "0: 0000 \(off)", "0: 0008 \(on)", "0? 10",
      ])
  }

  @Test(
    "a length that no message has is switched off, too",
    arguments: [[0, 1], [0, 2], [0xFF, 0xFF]] as [[UInt8]])
  func reservedLength(field: [UInt8]) throws {
    let steps = text(try Self.planner(known: field).plan())
    #expect(steps.first == "0: 0000 \(off)" && steps.count == 4)
  }

  @Test("each command carries no more than MLc and MLe allow")
  func pieces() throws {
    let small = Self.container(size: 256, read: 15, write: 13)
    let message = (0..<40).map { UInt8($0) }
    let program = try Self.planner(message, known: [0, 0], in: small).plan()
    #expect(program.steps.compactMap { $0.written?.bytes.count } == [13, 13, 13, 1, 2])
    #expect(program.steps.compactMap { $0.checked?.bytes.count } == [15, 15, 12])
  }

  @Test("a large file has a length of four bytes, and offsets beyond 7FFFh in mapping version 3.0")
  func large() throws {
    let container = Self.container(size: 0x10000, version: 0x30)
    let message = [UInt8](repeating: 7, count: 0x9000)
    let program = try Self.planner(message, known: [0, 0, 0, 0], in: container).plan()
    let on = program.steps.last(where: \.isWrite)?.written
    #expect(on?.bytes == [0, 0, 0x90, 0])
    let end = program.steps.compactMap { step -> Int? in
      guard case .file(_, let offset) = step.place, let bytes = step.written?.bytes else {
        return nil
      }
      return offset + bytes.count
    }.max()
    #expect(end == 0x9004)
  }

  @Test("refuses what does not fit, or cannot be reached, with 65, and writes nothing")
  func tooLong() {
    let message = [UInt8](repeating: 7, count: 63)
    #expect(failure { try Self.planner(message, known: [0, 0]).plan() }?.kind == .badInput)
    let far = Self.container(size: 0xFFFE)
    let long = [UInt8](repeating: 7, count: 0x9000)
    #expect(failure { try Self.planner(long, known: [0, 0], in: far).plan() }?.kind == .badInput)
  }

  @Test(
    "refuses a tag that nobody may write, or only its maker's friends, unless it holds the message")
  func readOnly() throws {
    for access in [FileControl.Access.never, .proprietary(0x80), .reserved(1)] {
      let container = Self.container(access: access)
      #expect(failure { try Self.planner(known: [0, 0], in: container).plan() }?.kind == .refused)
      let same = try Self.planner(known: [0, 8] + Self.message, in: container).plan()
      #expect(same.steps.isEmpty)
    }
  }

  @Test("knows the writes of its own run that went wrong")
  func repairs() throws {
    let place = Place.file(id: 0xE104, offset: 2)
    let program = try Self.planner(known: [0, 0, 1, 2, 3], sent: [place: Self.message]).plan()
    #expect(program.repairs == [place])
  }

  @Test("after any step a reader finds the old message, an empty file or the new one")
  func everyStep() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let size = 256
      let old = (0..<Int.random(in: 3...200, using: &generator)).map { _ in
        UInt8.random(in: 0...3, using: &generator)
      }
      var file = [0, UInt8(old.count)] + old
      file += [UInt8](repeating: 0, count: size - file.count)
      var new = Array(old.prefix(.random(in: 0...old.count, using: &generator)))
      while new.count < 3 || Bool.random(using: &generator), new.count < 200 {
        new.append(.random(in: 0...3, using: &generator))
      }
      let read = Int.random(in: 2...size, using: &generator)
      let container = Self.container(
        size: size, read: 15, write: .random(in: 1...255, using: &generator))
      let product: Product = Bool.random(using: &generator) ? .type4 : .ntag424
      let program = try Self.planner(
        Array(new), known: Array(file.prefix(read)), in: container, product: product
      ).plan()
      for step in program.steps {
        guard let (place, bytes) = step.written, case .file(_, let offset) = place else { continue }
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        let shown = Array(file[2..<2 + Int(file[1])])
        #expect(shown == old || shown.isEmpty || shown == Array(new))
      }
      #expect(Array(file[2..<2 + Int(file[1])]) == Array(new))
    }
  }
}

@Suite("Plans for Type 4 tags: locks and formats")
struct Type4ProductPlannerTests {
  private func state(_ product: Product, _ version: String? = nil) -> Type4State {
    Type4State(
      uid: UID([4, 1, 2, 3, 4, 5, 6]), atqa: 0x0344, sak: 0x20, product: product,
      version: version.flatMap { DESFireVersion((try? Hex.bytes($0)) ?? []) },
      parameters: ISODEPParameters(ats: []))
  }

  private func application(_ container: CapabilityFile) -> Type4State.Application {
    var application = Type4State.Application(naming: .current)
    application.container = container
    application.bytes = container.serialize()
    application.access = BinaryAccess(container, byteCount: 10, command: 261, answer: 262)
    application.known = [0, 3, 0xD0, 0, 0]
    return application
  }

  private func lock(_ state: Type4State, _ access: FileControl.Access = .free) throws -> TagProgram
  {
    let container = Type4MessagePlannerTests.container(access: access)
    return try Type4LockPlanner(
      state: state, application: application(container), container: container
    ).plan()
  }

  @Test(
    "a tag that says it is locked needs nothing; another one without a command for it is refused")
  func withoutCommand() throws {
    #expect(try lock(state(.type4), .never).steps.isEmpty)
    #expect(failure { try lock(state(.type4)) }?.cause == .type4(.cannotLock(.type4)))
  }

  @Test("an ST25TA gives its delivered write password and locks for good, once")
  func st25TA() throws {
    let program = try lock(state(.st25TA02K))
    guard case .perform(let command, .lock)? = program.steps.first?.action else {
      Issue.record("no lock")
      return
    }
    #expect(
      command.frames.map { Hex.string($0) } == [
        "0020000210" + String(repeating: "00", count: 16), "a2280002",
      ])
    #expect(program.steps[0].isIrreversible && program.steps.count == 3)
    let container = Type4MessagePlannerTests.container()
    let refused = Type4LockPlanner(
      state: state(.st25TA02K), application: application(container), container: container,
      isPasswordRefused: true)
    #expect(failure { try refused.plan() }?.cause == .type4(.passwordRefused(.st25TA02K)))
  }

  @Test("an NTAG 424 DNA is locked only where everybody may change who writes")
  func ntag424() throws {
    var delivered = state(.ntag424)
    delivered.fileSettings[2] = DESFireFileSettings(try Hex.bytes("0000E0EE000100"))
    #expect(failure { try lock(delivered) }?.cause == .type4(.lockNeedsKey(.ntag424, 0)))
    var free = state(.ntag424)
    free.fileSettings[2] = DESFireFileSettings(try Hex.bytes("0000EEEE000100"))
    let program = try lock(free)
    guard case .perform(let command, .lock)? = program.steps.first?.action else {
      Issue.record("no lock")
      return
    }
    #expect(command.frames == [[0x5F, 2, 0, 0xFF, 0xEF]])
    free.fileSettings[2] = DESFireFileSettings(try Hex.bytes("0000EFEE000100"))
    #expect(
      failure { try lock(free) }?.cause == .type4(.lockNeedsKey(.ntag424, nil)))
  }

  /// A DESFire whose NDEF application is as it is formatted here.
  private func formatted(_ rights: DESFireRights = .free, key: DESFireKey?) -> Type4State {
    var state = state(.desFireEV1, "04010101001605")
    var found = DESFireState.Application()
    found.settings = DESFireKeySettings([0x0F, 0xA1])
    found.key = key
    found.files = [
      1: DESFireFileSettings([0, 0] + DESFireRights.readOnly.bytes + [15, 0, 0])!,
      2: DESFireFileSettings([0, 0] + rights.bytes + [64, 0, 0])!,
    ]
    state.desFire = DESFireState()
    state.desFire?.application = found
    return state
  }

  @Test(
    "a DESFire lets nobody but its key write, then says so in its container; that needs the key")
  func desFire() throws {
    let key = DESFireKey.delivered(.aes)
    let program = try lock(formatted(key: key))
    let commands = program.steps.compactMap { step -> String? in
      guard case .perform(let command, .lockUnderKey) = step.action else { return nil }
      return command.frames.map { Hex.string($0) }.joined()
    }
    #expect(commands == ["5f020000e0", "3d010e0000010000ff"])
    // Whoever has the key can take it back.
    #expect(program.irreversibleSteps.isEmpty)
    #expect(
      failure { try lock(formatted(key: nil)) }?.cause == .type4(.applicationKeyUnknown))
    #expect(try lock(formatted(.readOnly, key: nil), .never).steps.isEmpty)
    // Cut short between the two.
    let rest = try lock(formatted(.readOnly, key: key))
    #expect(rest.steps.count { $0.purpose == .lockUnderKey } == 1)
  }

  // MARK: Formatting

  private func blank(free: Int? = 2272, applications: [UInt32] = []) -> Type4State {
    var state = state(.desFireEV1, "04010101001605")
    state.desFire = DESFireState()
    state.desFire?.masterKey = .delivered(.tripleDES)
    state.desFire?.freeMemory = free
    state.desFire?.applications = applications
    return state
  }

  private func frames(_ program: TagProgram) -> [String] {
    program.steps.compactMap { step in
      switch step.action {
      case .authenticate(.desFire(let number, let key)): "\(step.place) \(number) \(key)"
      case .perform(let command, .secret): command.name
      case .perform(let command, _): command.frames.map { Hex.string($0) }.joined()
      case .write(let bytes, _): "\(step.place): \(Hex.string(bytes))"
      default: nil
      }
    }
  }

  @Test("a blank card gets application and files in AN11004's order")
  func formatsBlank() throws {
    let made = try DESFireFormatPlanner(state: blank(), format: Type4Format()).plan()
    #expect(
      frames(made.program) == [
        "application 000000 0 the DES key of delivery",
        "ca0100000fa110e1d2760000850101",
        "application 000001 0 the AES key of delivery",
        "cd0103e10000e00f0000",
        "3d010000000f0000000f20003a00340406e10408000000",
        "cd0204e100e0ee000800",
      ])
    #expect(made.container.message.byteCount == 0x800)
  }

  @Test("applications of others stay, and a number that is taken is not used")
  func foreignApplications() throws {
    let made = try DESFireFormatPlanner(
      state: blank(applications: [1, 2]), format: Type4Format()
    ).plan()
    #expect(frames(made.program)[1].hasPrefix("ca030000"))
  }

  @Test(
    "too little memory is said before anything is written; less than usual gives a smaller file")
  func memory() throws {
    #expect(
      failure { try DESFireFormatPlanner(state: blank(free: 100), format: Type4Format()).plan() }?
        .cause == .type4(.notEnoughMemory(free: 100, needed: 288)))
    let made = try DESFireFormatPlanner(state: blank(free: 1000), format: Type4Format()).plan()
    #expect(made.container.message.byteCount == 768)
    var state = blank()
    state.desFire?.masterKey = nil
    #expect(
      failure { try DESFireFormatPlanner(state: state, format: Type4Format()).plan() }?.cause
        == .type4(.masterKeyUnknown))
    #expect(
      failure {
        try DESFireFormatPlanner(state: self.state(.ntag424), format: Type4Format()).plan()
      }?.cause == .type4(.cannotFormat(.ntag424)))
  }

  @Test("a format that was cut short goes on where it stopped")
  func resumes() throws {
    var state = formatted(key: .delivered(.aes))
    state.application = Type4State.Application(naming: .current)
    state.application?.refusal = StatusWord(0x6A, 0x82)
    state.desFire?.freeMemory = 2100
    state.desFire?.application?.files = [:]
    let all = try DESFireFormatPlanner(state: state, format: Type4Format()).plan()
    #expect(frames(all.program).count == 4)
    state.desFire?.application?.files[1] = DESFireFileSettings([0, 0, 0, 0xE0, 15, 0, 0])
    let later = try DESFireFormatPlanner(state: state, format: Type4Format()).plan()
    #expect(frames(later.program).count == 3)
    state.desFire?.application?.files[2] = DESFireFileSettings([0, 0, 0xE0, 0xEE, 0, 4, 0])
    let container = try DESFireFormatPlanner(state: state, format: Type4Format()).plan()
    #expect(frames(container.program).last == "3d010000000f0000000f20003a00340406e10404000000")
    state.desFire?.application?.files[7] = DESFireFileSettings([0, 0, 0xE0, 0xEE, 0, 4, 0])
    #expect(
      failure { try DESFireFormatPlanner(state: state, format: Type4Format()).plan() }?.cause
        == .type4(.foreignFile(7)))
  }

  @Test("nothing is said of a key that nobody gave, and no lock is tried with it")
  func unknownKey() throws {
    var state = formatted(key: nil)
    state.application = application(Type4MessagePlannerTests.container())
    var format = Type4Format()
    func codes() throws -> [String] {
      try Type4JobPlanner(state: state, job: .formatType4(format)).format(format)
        .after.findings.map(\.code)
    }
    #expect(try !codes().contains("application-key"))
    format.lock = true
    #expect(failure { try codes() }?.cause == .type4(.applicationKeyUnknown))
    format.lock = false
    state.desFire?.application?.key = .delivered(.aes)
    #expect(try codes().contains("application-key"))
  }

  @Test("one job formats, writes, gives the key and locks; again it does nothing")
  func wholeJob() throws {
    var format = Type4Format()
    format.newKey = (1...16).map { UInt8($0) }
    format.encoding = [0xD0, 0, 0]
    format.lock = true
    let plan = try Type4JobPlanner(state: blank(), job: .formatType4(format)).format(format)
    let program = try #require(plan.program)
    #expect(program.phases.map(\.kind) == [.format, .message, .protection, .locks])
    #expect(program.steps.count(where: { $0.purpose == .secret }) == 1)
    #expect(plan.after.status == .readOnly && plan.after.findings.isEmpty)
    #expect(
      !"\(program)".contains("0102030405")
        && !program.steps.map { "\($0)" }.joined().contains("0102030405"))
    format.newKey = nil
    let zeros = try Type4JobPlanner(state: blank(), job: .formatType4(format)).format(format)
    #expect(zeros.after.findings.map(\.code) == ["application-key"])
  }

  @Test(
    "a blank DESFire, a payment card and a damaged container are refused by name",
    arguments: [0, 1, 2])
  func refusals(number: Int) throws {
    var state = state(number == 0 ? .desFireEV2 : .type4)
    let cause: Type4Cause
    switch number {
    case 0: cause = .notFormatted(.desFireEV2)
    case 1:
      state.stranger = "a payment card"
      cause = .noApplication(.type4, stranger: "a payment card")
    default:
      state.application = Type4State.Application(naming: .current)
      state.application?.fault = .version(0x90)
      cause = .container(.version(0x90))
    }
    let planner = Type4JobPlanner(state: state, job: .lock(force: true))
    #expect(failure { try planner.lock(force: true) }?.cause == .type4(cause))
  }
}

/// What `body` is refused with; nil where it is not.
private func failure<Value>(_ body: () throws -> Value) -> JobFailure? {
  do { _ = try body() } catch { return error as? JobFailure }
  return nil
}
