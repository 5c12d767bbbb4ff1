import TagMemory

extension Type4State {
  /// The files of the NDEF application, as far as they were read; nil where there is no message's
  /// file, and where the tag did not show it.
  var dump: TagDump? {
    guard let application, let container = application.container, !application.known.isEmpty,
      application.refusal == nil
    else { return nil }
    var files = [
      (FileID.capability, application.bytes), (container.message.file, application.known),
    ]
    files += application.others.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      ($0.key, $0.value)
    }
    let image = MemoryImage(files: files.map { (file: $0.0, bytes: $0.1) }, uid: uid)
    guard var dump = image.map(TagDump.init) else { return nil }
    dump.image.isMirrored = mirror != nil
    (dump.atqa, dump.sak) = (atqa, sak)
    return dump
  }
}

extension Type4JobPlanner {
  /// The message's file as a dump has it, and other files that anybody may write. The container
  /// stays the tag's own.
  func restore(_ restore: Restore) throws(JobFailure) -> JobPlan {
    func refusal(_ cause: Type4Cause, _ remedy: Remedy?) -> JobFailure {
      .type4(cause, remedy)
    }
    let (application, container, access) = try requireApplication()
    // What cannot be read back cannot be said to be there.
    try requireReadable(application, container)
    guard let (dumped, file) = restore.image.type4Message, let message = restore.image.message
    else {
      throw refusal(.dumpOfOther, .useTagOfDump)
    }
    guard !restore.image.isMirrored || restore.force else {
      throw refusal(.dumpMirrored, .permitForce)
    }
    let content = file.dropFirst(dumped.message.lengthByteCount + message.count)
    // Zeros at the end need no room.
    let tail = Array(content.reversed().drop { $0 == 0 }.reversed())
    let room = container.message.capacity
    guard message.count + tail.count <= room else {
      throw refusal(
        .dumpTooLarge(
          byteCount: message.count + tail.count, fileByteCount: container.message.byteCount),
        .useTagOfDump)
    }
    let end = min(room, max(content.count, tail.count) + message.count) - message.count
    let padded = Array((tail + [UInt8](repeating: 0, count: end)).prefix(end))
    var program = try Type4MessagePlanner(
      product: state.product, container: container, access: access, known: application.known,
      message: message, tail: padded, sent: state.sent
    ).plan()
    if program.changesTag {
      try requireRights()
      try requireNoMirror(
        within: container.message.lengthByteCount + message.count + padded.count)
    }
    for (id, bytes) in restore.image.files
    where id != .capability && id != dumped.message.file {
      program.append(try otherFile(id, bytes, container, application, access))
    }
    var plan = self.plan([(.restore, program)], leaving: application.applying(program))
    if restore.image.isMirrored { plan.note(Self.frozen) }
    return plan
  }

  private static let frozen = TagDescription.Finding(
    "dump-mirrored",
    "A part of the message is what the dump's tag filled in at one reading. It stays as it is, and proves nothing."
  )

  private func otherFile(
    _ id: FileID, _ bytes: [UInt8], _ container: CapabilityFile,
    _ application: Type4State.Application, _ access: BinaryAccess
  ) throws(JobFailure) -> TagProgram {
    var program = TagProgram(.restore)
    guard application.others[id] != bytes else {
      program.unchanged = 1
      return program
    }
    guard let control = container.others.first(where: { $0.file == id }),
      control.writeAccess == .free, control.readAccess == .free, control.byteCount >= bytes.count
    else {
      throw JobFailure.type4(.fileNotWritable(id), .useTagOfDump)
    }
    var offset = 0
    while offset < bytes.count {
      let count = min(access.writeLimit(at: offset), bytes.count - offset)
      program.steps.append(
        TagProgram.Step(
          .write(Array(bytes[offset..<offset + count]), .restored),
          at: .file(id: id.rawValue, offset: offset)))
      offset += count
    }
    program.steps += Type4MessagePlanner.checks(bytes, of: id, with: access)
    return program
  }
}
