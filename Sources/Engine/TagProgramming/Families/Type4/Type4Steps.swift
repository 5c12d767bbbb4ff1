import Readers
import TagMemory

/// The steps of a Type 4 tag: how each is carried out, and in which commands.
enum Type4Steps {
  /// Nil when all is as wanted.
  static func perform(_ step: TagProgram.Step, in session: Type4Session) throws(ReaderError)
    -> Execution.Trouble?
  {
    switch (step.place, step.action) {
    case (.file(let id, let offset), .write(let bytes, _)):
      let access = session.fileAccess
      return try session.update(bytes, from: offset, of: FileID(id), with: access)
        .map(Execution.Trouble.answered)
    case (.file(let id, let offset), .check(let expected)):
      let access = session.fileAccess
      let range = offset..<offset + expected.count
      switch try session.read(range, of: FileID(id), with: access) {
      case .refused(let status): return .answered(status)
      case .bytes(let found): return step.trouble(finding: found, for: expected)
      }
    case (.file(let id, let offset), .checkRefusal(let bytes)):
      let access = session.fileAccess
      try session.selectAgain()
      let status = try session.update(bytes, from: offset, of: FileID(id), with: access)
      return status == nil ? .unprotected : nil
    case (.file(let id, _), .prove(let expected)):
      let answer = try session.readAsStranger(
        expected.stored.count, of: FileID(id), with: session.fileAccess)
      switch answer {
      case .refused(let status): return .answered(status)
      case .bytes(let found): return expected.fits(found) ? nil : .differs(found: found)
      }
    case (.file(let id, _), .perform(let command, _)):
      if let refusal = try session.open(FileID(id)) { return .answered(refusal) }
      return try perform(command, in: session)
    case (.application(let application), .authenticate(.desFire(let number, let key))):
      return try open(application, with: key, number: number, in: session)
    case (.application(let number), .perform(let command, _)):
      return try perform(command, natively: number, in: session)
    default: return step.isOfAnotherFamily()
    }
  }

  /// APDUs, one after the other.
  private static func perform(_ command: TagProgram.FamilyCommand, in session: Type4Session)
    throws(ReaderError) -> Execution.Trouble?
  {
    for frame in command.frames {
      guard let apdu = try? CommandAPDU(parsing: frame) else {
        preconditionFailure("the planner made an invalid APDU: \(command.name)")
      }
      let status = try session.transmit(apdu).status
      if apdu.instruction == 0x20, !status.isSuccess { session.isPasswordRefused = true }
      guard status.isSuccess else { return .answered(status) }
    }
    return nil
  }

  /// Native commands, one after the other, in the session that was opened before.
  private static func perform(
    _ command: TagProgram.FamilyCommand, natively number: UInt32, in session: Type4Session
  ) throws(ReaderError) -> Execution.Trouble? {
    if session.product.isNTAG424 { return try perform(command, securedIn: session) }
    // Without a session nothing says that the application is still selected.
    if number != DESFireFormat.card, session.desFire == nil,
      let status = try session.selectApplication(session.naming)
    {
      return .answered(status)
    }
    for frame in command.frames {
      guard let instruction = frame.first else { continue }
      let native = DESFireCommand(instruction, Array(frame[1...]))
      if let status = try perform(native, in: session) { return .answered(status) }
    }
    return nil
  }

  /// Commands of an NTAG 424 DNA: behind what they are about all is encrypted, where a key was
  /// proven.
  private static func perform(
    _ command: TagProgram.FamilyCommand, securedIn session: Type4Session
  ) throws(ReaderError) -> Execution.Trouble? {
    for frame in command.frames {
      let native = DESFireCommand(frame[0], Array(frame[1...]))
      if case .refused(let status) = try session.secured(native, header: 1, .full) {
        return .answered(status)
      }
    }
    return nil
  }

  /// The status where the tag refuses.
  private static func perform(_ command: DESFireCommand, in session: Type4Session)
    throws(ReaderError) -> StatusWord?
  {
    switch command.instruction {
    case DESFireCommand.changeKeyInstruction:
      let (key, version) = DESFireCommand.changedKey(in: command)
      return try session.changeKey(to: key, version: version)
    default:
      // New settings are encrypted wherever a key has to be proven for them.
      let header = command.instruction == 0x5F && session.desFire != nil ? 1 : nil
      if case .refused(let status) = try session.native(command, enciphered: header) {
        return status
      }
      return nil
    }
  }

  /// Selects an application and proves a key of it.
  private static func open(
    _ number: UInt32, with key: DESFireKey, number keyNumber: UInt8, in session: Type4Session
  ) throws(ReaderError) -> Execution.Trouble? {
    if session.product.isNTAG424 {
      guard let aes = AESKey(key.bytes) else { return .keyRefused }
      switch try session.authenticate(aes, number: keyNumber) {
      case nil: return nil
      case Type4Session.wrongKey: return .keyRefused
      case let status?: return .answered(status)
      }
    }
    // The NDEF application goes by its name, whatever its number is on this card.
    if number == DESFireFormat.card {
      if let status = try session.select(application: number) { return .answered(status) }
    } else if try session.selectApplication(session.naming) != nil,
      let status = try session.select(application: number)
    {
      return .answered(status)
    }
    return try session.authenticate(key, number: keyNumber) ? nil : .keyRefused
  }

  // MARK: What a step costs

  /// The commands of `step`, and the answers expected; secrets and data that are read as zeros.
  static func commands(of step: TagProgram.Step, in session: Type4Session) -> [PlannedExchange] {
    switch (step.place, step.action) {
    case (.file(_, let offset), .write(let bytes, _)):
      let access = session.fileAccess
      return [exchange(access.update(bytes, from: offset))]
    case (.file(_, let offset), .check(let bytes)):
      let access = session.fileAccess
      return [exchange(access.read(bytes.count, from: offset), answerCount: bytes.count)]
    case (.file(let id, let offset), .checkRefusal(let bytes)):
      let access = session.fileAccess
      return [
        .selection, exchange(.selectNDEFApplication(session.naming)),
        exchange(.select(FileID(id), in: session.naming)),
        exchange(access.update(bytes, from: offset)),
      ]
    case (.file(let id, _), .prove(let expected)):
      let count = expected.stored.count
      return [
        .selection, exchange(.selectNDEFApplication(session.naming)),
        exchange(.select(FileID(id), in: session.naming)),
        exchange(session.fileAccess.read(count, from: 0), answerCount: count),
      ]
    case (.application, .authenticate) where session.product.isNTAG424:
      let none = [UInt8](repeating: 0, count: 16)
      return [
        exchange(DESFireCommand(0x71, [0, 0]).apdu, answerCount: 16),
        exchange(DESFireCommand(0xAF, none + none).apdu, answerCount: 32),
      ]
    case (.application(let number), .authenticate):
      let none = [UInt8](repeating: 0, count: 16)
      return [
        exchange(DESFireCommand.select(number).apdu),
        exchange(DESFireCommand(0xAA, [0]).apdu, answerCount: none.count),
        exchange(DESFireCommand(0xAF, none + none).apdu, answerCount: none.count),
      ]
    case (.application, .perform(let command, _)):
      return command.frames.map { frame in
        exchange(DESFireCommand(frame[0], Array(frame[1...])).apdu)
      }
    case (.file, .perform(let command, _)):
      return command.frames.compactMap { try? CommandAPDU(parsing: $0) }.map { exchange($0) }
    default: return []
    }
  }

  private static func exchange(_ apdu: CommandAPDU, answerCount: Int = 0) -> PlannedExchange {
    PlannedExchange(.apdu(apdu), answerCount: answerCount + 2)
  }
}
