import TagMemory

/// Plans to make a Type 4 tag read-only, by its chip's own command. No reader may set the
/// container's write access itself (Type 4 Tag 1.2, 4.5); where the chip has no command for it, the
/// plan is refused.
struct Type4LockPlanner {
  let state: Type4State
  let application: Type4State.Application
  let container: CapabilityFile
  /// The key of the application that will be there by then; nil for the one that was proven.
  var newKey: DESFireKey?
  /// The write password of an ST25TA was refused in this run.
  var isPasswordRefused = false

  private var message: FileID { container.message.file }
  private var isLockedForReaders: Bool { container.message.writeAccess == .never }

  func plan() throws(JobFailure) -> TagProgram {
    var program = TagProgram(.locks)
    switch state.product {
    case let product where product.isDESFireEV1OrLater: program.steps = try desFire()
    case let product where product.isNTAG424:
      if !isLockedForReaders { program.steps = try ntag424(product) }
    case let product where product.isST25TA:
      if !isLockedForReaders { program.steps = try st25TA(product) }
    case let product:
      guard isLockedForReaders else { throw refusal(.cannotLock(product), .useAnotherTag) }
    }
    if program.steps.isEmpty { program.unchanged = 1 }
    return program
  }

  private func refusal(_ cause: Type4Cause, _ remedy: Remedy) -> JobFailure {
    .type4(cause, remedy)
  }

  /// The container says that nobody may write, then ChangeFileSettings to E000 (AN11004). In this
  /// order a tag that is taken away in between is refused by whoever reads its container, and never
  /// says that it can be written and refuses that.
  private func desFire() throws(JobFailure) -> [TagProgram.Step] {
    guard let found = state.desFire?.application, let files = Files(found, of: container) else {
      throw refusal(.filesUnknown, .useAnotherTag)
    }
    let isOpen = files.messageSettings.rights.isFreeToWrite
    guard isOpen || !isLockedForReaders else { return [] }
    guard let key = newKey ?? found.key else { throw refusal(.applicationKeyUnknown, .giveKey) }
    let place = Place.application(DESFireFormat.firstNumber)
    var steps = [TagProgram.Step(.authenticate(.desFire(number: 0, key: key)), at: place)]
    if !isLockedForReaders {
      let write = DESFireCommand.writeData([0xFF], to: files.container, from: accessOffset)
      steps.append(
        TagProgram.Step(
          .perform(
            .init("write FF, no write access, into the capability container", [write.bytes]),
            .lockUnderKey),
          at: place))
    }
    if isOpen {
      let change = DESFireCommand.changeFileSettings(
        files.message, files.messageSettings.options & 0x03, .readOnly)
      steps.append(
        TagProgram.Step(
          .perform(
            .init("allow writing \(message) with the application's key only", [change.bytes]),
            .lockUnderKey),
          at: place))
    }
    return steps + proof
  }

  /// Where in its file the container has the message's write access.
  private var accessOffset: Int {
    CapabilityFile.headByteCount + 2 + container.message.kind.valueByteCount - 1
  }

  /// The tag refuses to be written, and says so.
  private var proof: [TagProgram.Step] {
    let length = Array(application.known.prefix(container.message.lengthByteCount))
    var bytes = application.bytes
    if accessOffset < bytes.count { bytes[accessOffset] = FileControl.Access.never.rawValue }
    return [
      TagProgram.Step(.checkRefusal(length), at: .file(id: message.rawValue, offset: 0)),
      TagProgram.Step(
        .check(bytes.map { $0 }), at: .file(id: FileID.capability.rawValue, offset: 0)),
    ]
  }

  /// The numbers of an application's two files: by their sizes where the usual ones do not fit.
  private struct Files {
    let container: UInt8
    let message: UInt8
    let messageSettings: DESFireFileSettings

    init?(_ found: DESFireState.Application, of container: CapabilityFile) {
      let size = container.message.byteCount
      let fitting = found.files.filter { $0.value.byteCount == size }
      let usual = found.files[DESFireFormat.messageFile]
      let number = usual?.byteCount == size ? DESFireFormat.messageFile : fitting.first?.key
      guard let number, let settings = found.files[number],
        usual?.byteCount == size || fitting.count == 1
      else { return nil }
      let others = found.files.keys.filter { $0 != number }.sorted()
      guard
        let other = others.contains(DESFireFormat.capabilityFile)
          ? DESFireFormat.capabilityFile : others.first
      else { return nil }
      (message, messageSettings, self.container) = (number, settings, other)
    }
  }

  /// NT4H2421Gx, 8.2.3.4: the right to change a file's settings is that of key 0 as delivered.
  /// Where it is everyone's, nobody may write or change it after this.
  private func ntag424(_ product: Product) throws(JobFailure) -> [TagProgram.Step] {
    guard let settings = state.fileSettings[2] else {
      throw refusal(.cannotLock(product), .useAnotherTag)
    }
    let rights = settings.rights
    guard rights.isFreeToWrite || rights.write != DESFireRights.nobody else { return [] }
    let place = Place.application(DESFireFormat.firstNumber)
    var steps: [TagProgram.Step] = []
    switch rights.change {
    case DESFireRights.everyone: break
    case let number where number < 5:
      guard let key = state.changeKey else {
        throw refusal(.lockNeedsKey(product, number), .giveKey)
      }
      steps.append(
        TagProgram.Step(.authenticate(.desFire(number: number, key: DESFireKey(key))), at: place))
    default: throw refusal(.lockNeedsKey(product, nil), .useAnotherTag)
    }
    let locked = DESFireRights(UInt16(rights.read) << 12 | 0x0FFF)
    let command = DESFireCommand(
      0x5F, [2, settings.options] + locked.bytes + settings.mirror)
    let length = Array(application.known.prefix(container.message.lengthByteCount))
    return steps + [
      TagProgram.Step(
        .perform(.init("forbid writing \(message)", [command.bytes]), .lock), at: place),
      TagProgram.Step(.checkRefusal(length), at: .file(id: message.rawValue, offset: 0)),
    ]
  }

  /// EnablePermanentState for writing, which takes the write password, as delivered zeros
  /// (SRTAG2KL, 5.8.2; M24SR02, 5.8.2). The tag itself then says FF in its container.
  private func st25TA(_ product: Product) throws(JobFailure) -> [TagProgram.Step] {
    guard !isPasswordRefused, container.message.writeAccess == .free else {
      throw refusal(.passwordRefused(product), .useAnotherTag)
    }
    let verify = CommandAPDU(0x00, 0x20, 0x00, 0x02, data: [UInt8](repeating: 0, count: 16))
    let lock = CommandAPDU(0xA2, 0x28, 0x00, 0x02)
    return [
      TagProgram.Step(
        .perform(
          .init(
            "give the delivered write password and lock \(message) for writing",
            [verify.serialize(), lock.serialize()]), .lock),
        at: .file(id: message.rawValue, offset: 0))
    ] + proof
  }
}
