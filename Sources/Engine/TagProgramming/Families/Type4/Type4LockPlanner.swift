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
    case let product where product.isNTAG424: program.steps = try ntag424(product)
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

  /// ChangeFileSettings to E000, then the container says that nobody may write (AN11004). In this
  /// order a tag never says that it is locked while its files are open.
  private func desFire() throws(JobFailure) -> [TagProgram.Step] {
    guard let found = state.desFire?.application,
      let files = DESFireState.Files(found.files, of: container)
    else { throw refusal(.filesUnknown, .useAnotherTag) }
    try requireReadable(files.messageSettings.rights)
    let (freely, underKey) = try settings(of: files)
    var steps = underKey
    if !isLockedForReaders { steps.append(try barring(files)) }
    if !steps.isEmpty {
      guard let key = newKey ?? found.key else { throw refusal(.applicationKeyUnknown, .giveKey) }
      steps.insert(
        TagProgram.Step(.authenticate(.desFire(number: 0, key: key)), at: Self.place), at: 0)
    }
    return (freely + steps).isEmpty ? [] : freely + steps + proof
  }

  /// The new settings of both files, as far as they are open: those that anybody may give, which go
  /// out without a session, and those that the application's key gives.
  private func settings(of files: DESFireState.Files) throws(JobFailure) -> (
    freely: [TagProgram.Step], underKey: [TagProgram.Step]
  ) {
    var (freely, underKey) = ([TagProgram.Step](), [TagProgram.Step]())
    let both = [
      (files.message, message, files.messageSettings),
      (files.container, FileID.capability, files.containerSettings),
    ]
    for (number, file, settings) in both {
      let locked = settings.rights.locked(underKey: true)
      guard locked != settings.rights else { continue }
      let change = DESFireCommand.changeFileSettings(number, settings.options & 0x03, locked)
      let step = TagProgram.Step(
        .perform(
          .init("allow writing \(file) with the application's key only", [change.bytes]),
          .lockUnderKey),
        at: Self.place)
      switch settings.rights.change {
      case DESFireRights.everyone: freely.append(step)
      case 0: underKey.append(step)
      case let key: throw needsKey(key)
      }
    }
    return (freely, underKey)
  }

  /// The container says that nobody may write the message: its own file takes that from the
  /// application's key, in plain.
  private func barring(_ files: DESFireState.Files) throws(JobFailure) -> TagProgram.Step {
    let rights = files.containerSettings.rights.locked(underKey: true)
    guard [rights.write, rights.readAndWrite].contains(0) else { throw needsKey(rights.write) }
    guard files.containerSettings.options & 0x03 == 0 else {
      throw refusal(.filesUnknown, .useAnotherTag)
    }
    let write = DESFireCommand.writeData([0xFF], to: files.container, from: accessOffset)
    return TagProgram.Step(
      .perform(
        .init("write FF, no write access, into the capability container", [write.bytes]),
        .lockUnderKey),
      at: Self.place)
  }

  private static let place = Place.application(DESFireFormat.firstNumber)

  private func needsKey(_ number: UInt8) -> JobFailure {
    refusal(
      .lockNeedsKey(state.product, number < DESFireRights.everyone ? number : nil), .useAnotherTag)
  }

  /// What nobody reads without a key is not locked: nobody ever would.
  private func requireReadable(_ rights: DESFireRights) throws(JobFailure) {
    guard rights.isFreeToRead else {
      throw refusal(.unreadable(application.refusal ?? StatusWord(0x69, 0x82)), .useAnotherTag)
    }
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

  /// NT4H2421Gx, 8.2.3.4: the right to change a file's settings is that of key 0 as delivered.
  /// Nobody may write or change it after this, and everyone reads, whatever the container says.
  private func ntag424(_ product: Product) throws(JobFailure) -> [TagProgram.Step] {
    guard let settings = state.messageSettings else {
      throw refusal(.cannotLock(product), .useAnotherTag)
    }
    try requireReadable(settings.rights)
    guard settings.rights != .closed else { return [] }
    var steps: [TagProgram.Step] = []
    switch settings.rights.change {
    case DESFireRights.everyone: break
    case let number where number < 5:
      guard let key = state.changeKey else {
        throw refusal(.lockNeedsKey(product, number), .giveKey)
      }
      steps.append(
        TagProgram.Step(
          .authenticate(.desFire(number: number, key: DESFireKey(key))), at: Self.place))
    default: throw refusal(.lockNeedsKey(product, nil), .useAnotherTag)
    }
    let command = DESFireCommand(
      0x5F, [2, settings.options] + DESFireRights.closed.bytes + settings.mirror)
    let length = Array(application.known.prefix(container.message.lengthByteCount))
    return steps + [
      TagProgram.Step(
        .perform(.init("forbid writing \(message)", [command.bytes]), .lock), at: Self.place),
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
