import TagMemory

/// Plans the NDEF application of a DESFire EV1 or later, in AN11004's order: the application, its
/// container's file, the container, the message's file. What is there already is left as it is, so
/// that a format cut short goes on where it stopped.
struct DESFireFormatPlanner {
  let state: Type4State
  let format: Type4Format

  /// A card that is formatted, as the next part of the job finds it.
  struct Result {
    var program: TagProgram
    var container: CapabilityFile
    var access: BinaryAccess
    /// The application's key by then.
    var key: DESFireKey
  }

  private let place = Place.application(DESFireFormat.firstNumber)

  func plan() throws(JobFailure) -> Result {
    guard state.product.isDESFireEV1OrLater else {
      throw refusal(.cannotFormat(state.product), .useNDEFCard)
    }
    return state.application == nil ? try onBlankCard() : try onApplication()
  }

  private func refusal(_ cause: Type4Cause, _ remedy: Remedy?) -> JobFailure {
    .type4(cause, remedy)
  }

  private func onBlankCard() throws(JobFailure) -> Result {
    guard let master = state.desFire?.masterKey else { throw refusal(.masterKeyUnknown, .giveKey) }
    let free = state.desFire?.freeMemory
    guard let size = DESFireFormat.messageFileByteCount(state.version, free: free) else {
      let least = DESFireFormat.overhead + 3 * DESFireFormat.pieceByteCount
      throw refusal(.notEnoughMemory(free: free ?? 0, needed: least), .useAnotherTag)
    }
    if let count = format.messageBytes?.count, count > size - 2 {
      throw JobFailure.tooLong(count, capacity: size - 2, on: state.product)
    }
    // Applications of others stay where they are.
    let taken = Set(state.desFire?.applications ?? [])
    let number = (DESFireFormat.firstNumber...0xFFFFFF).first { !taken.contains($0) } ?? 1
    let create = DESFireCommand.createApplication(
      number, settings: DESFireFormat.settings, kind: .aes, isoFile: DESFireFormat.isoFile,
      name: NDEFApplication.current.name)
    let delivered = DESFireKey.delivered(.aes)
    var steps = [
      TagProgram.Step(
        .authenticate(.desFire(number: 0, key: master)), at: .application(DESFireFormat.card)),
      TagProgram.Step(
        .perform(.init("create the NDEF application", [create.bytes]), .creation),
        at: .application(DESFireFormat.card)),
      TagProgram.Step(.authenticate(.desFire(number: 0, key: delivered)), at: place),
    ]
    steps += files([:], size: size, container: nil)
    return result(steps, makesFile: true, size: size, key: delivered)
  }

  /// What an application that is there already lacks.
  private func onApplication() throws(JobFailure) -> Result {
    guard let application = state.application, let found = state.desFire?.application else {
      throw refusal(.filesUnknown, .useAnotherTag)
    }
    let (containerFile, messageFile) = (
      found.files[DESFireFormat.capabilityFile], found.files[DESFireFormat.messageFile]
    )
    let isWhole = application.container != nil && application.refusal == nil
    let known: Set = [DESFireFormat.capabilityFile, DESFireFormat.messageFile]
    if !isWhole, let other = found.files.keys.filter({ !known.contains($0) }).min() {
      throw refusal(.foreignFile(other), .useAnotherTag)
    }
    // A whole one is left as it is, whoever made it; to give it a key takes the one that it has.
    guard !isWhole || format.newKey == nil || found.key != nil else {
      throw refusal(.applicationKeyUnknown, .giveKey)
    }
    if isWhole, let container = application.container, let access = application.access {
      var program = TagProgram(.format)
      program.unchanged = 1
      program.showing = Showing(.oldMessage)
      return Result(
        program: program, container: container, access: access,
        key: found.key ?? .delivered(found.settings?.kind ?? .aes))
    }
    guard let key = found.key else { throw refusal(.applicationKeyUnknown, .giveKey) }
    guard containerFile.map({ $0.byteCount >= CapabilityFile.leastByteCount }) ?? true else {
      throw refusal(.foreignFile(DESFireFormat.capabilityFile), .useAnotherTag)
    }
    guard
      let size = messageFile?.byteCount
        ?? DESFireFormat.messageFileByteCount(state.version, free: state.desFire?.freeMemory)
    else {
      throw refusal(
        .notEnoughMemory(
          free: state.desFire?.freeMemory ?? 0, needed: DESFireFormat.pieceByteCount),
        .useAnotherTag)
    }
    let steps =
      [TagProgram.Step(.authenticate(.desFire(number: 0, key: key)), at: place)]
      + files(found.files, size: size, container: application.bytes)
    return result(steps, makesFile: messageFile == nil, size: size, key: key)
  }

  private func files(
    _ files: [UInt8: DESFireFileSettings], size: Int, container held: [UInt8]?
  ) -> [TagProgram.Step] {
    let wanted = DESFireFormat.container(byteCount: size).serialize()
    var steps: [TagProgram.Step] = []
    func perform(_ name: String, _ command: DESFireCommand) {
      steps.append(TagProgram.Step(.perform(.init(name, [command.bytes]), .creation), at: place))
    }
    if files[DESFireFormat.capabilityFile] == nil {
      perform(
        "create \(FileID.capability) of \(wanted.count) bytes",
        .createDataFile(
          DESFireFormat.capabilityFile, isoFile: .capability, rights: .readOnly,
          byteCount: wanted.count))
    }
    if held.map({ !$0.starts(with: wanted) }) ?? true {
      perform(
        "write the capability container",
        .writeData(wanted, to: DESFireFormat.capabilityFile, from: 0))
    }
    if files[DESFireFormat.messageFile] == nil {
      perform(
        "create \(FileID.usualMessage) of \(size) bytes",
        .createDataFile(
          DESFireFormat.messageFile, isoFile: .usualMessage, rights: .free, byteCount: size))
    }
    steps.append(
      TagProgram.Step(
        .check(wanted.map { $0 }), at: .file(id: FileID.capability.rawValue, offset: 0)))
    return steps
  }

  private func result(
    _ steps: [TagProgram.Step], makesFile: Bool, size: Int, key: DESFireKey
  ) -> Result {
    let container = DESFireFormat.container(byteCount: size)
    var program = TagProgram(.format)
    program.steps = steps
    program.showing = Showing(.notNDEF)
    // Whatever of it comes last completes the application: until then the container names a file
    // that is not there, or is none.
    if let last = steps.lastIndex(where: \.isWrite) {
      program.showing?.change(to: makesFile ? .emptyMessage : .oldMessage, after: last)
    }
    let count = 2 + (format.messageBytes?.count ?? 0)
    return Result(
      program: program, container: container,
      access: BinaryAccess(container, byteCount: count, command: 261, answer: 262), key: key)
  }

  // MARK: The application's key

  /// Gives the application the operator's key, and proves it; no steps where it has it. `held` is
  /// the one it has by then.
  func keyChange(from held: DESFireKey) throws(JobFailure) -> (TagProgram, DESFireKey) {
    guard let bytes = format.newKey else { return (TagProgram(.protection), held) }
    guard let new = DESFireKey(held.kind, bytes) else { throw refusal(.keyOfOtherKind, nil) }
    guard new != held else {
      var program = TagProgram(.protection)
      program.unchanged = 1
      return (program, held)
    }
    var program = TagProgram(.protection)
    let name = held.isDelivered ? "give the application its key" : "replace the application's key"
    let change = DESFireCommand.plannedChangeKey(to: new, version: DESFireFormat.keyVersion)
    program.steps = [
      TagProgram.Step(.authenticate(.desFire(number: 0, key: held)), at: place),
      TagProgram.Step(.perform(.init(name, [change]), .secret), at: place),
      TagProgram.Step(.authenticate(.desFire(number: 0, key: new)), at: place),
    ]
    return (program, new)
  }
}
