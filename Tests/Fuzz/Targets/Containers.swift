import TagMemory

/// What a Type 4 tag's capability file and a FeliCa tag's attribute block and memory configuration
/// say is judged whatever they hold; what can be read is written the same, and what follows from it
/// stays within it.
enum ContainersTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    var input = Input(bytes)
    switch input.byte() % 3 {
    case 0: try capabilityFile(&input)
    case 1: try attributeBlock(&input)
    default: try memoryConfiguration(&input)
    }
  }
}

private func capabilityFile(_ input: inout Input) throws {
  let (count, offset) = (Int(input.byte()) << 8 | Int(input.byte()), Int(input.byte()) << 8)
  let bytes = input.all
  _ = CapabilityFile.byteCount(of: bytes)
  guard let file = try? CapabilityFile(parsing: bytes) else { return }
  _ = (file.status, file.faults.map { "\($0)" })
  let written = file.serialize()
  guard let again = try? CapabilityFile(parsing: written) else {
    throw Broken("a container cannot be read again")
  }
  // Its length may have been odd.
  try require(again.serialize() == written, "a container is another when read again")
  try require(
    again.message == file.message && again.others == file.others, "files are others when read again"
  )
  for control in [file.message] + file.others {
    try require(control.capacity < max(1, control.byteCount), "more room than bytes")
  }
  // The length in front of a message, whatever it is.
  let field = Array(bytes.suffix(file.message.lengthByteCount))
  if case .message(let length)? = MessageLength(field, in: file.message) {
    try require(length <= file.message.capacity, "a message longer than its file")
    try require(MessageLength.bytes(length, in: file.message) == field, "another length")
  }
  // Every command takes at least a byte, and no more than the reader carries.
  let access = BinaryAccess(file, byteCount: count + 1, command: 261, answer: 262)
  for access in [access, access.limited(to: count % 60)] {
    for start in [0, offset, 0x7FFF, 0x8000 + offset] where access.reaches(start) {
      let (read, write) = (access.readLimit(at: start), access.writeLimit(at: start))
      try require(read > 0 && write > 0, "a command without bytes")
      let update = access.update([UInt8](repeating: 0, count: write), from: start).serialize()
      try require(update.count <= 261, "a command of \(update.count) bytes")
      let asked = access.read(read, from: start).serialize()
      try require(asked.count <= 261, "a command of \(asked.count) bytes")
      _ = access.content(of: bytes, from: start)
    }
  }
}

private func attributeBlock(_ input: inout Input) throws {
  let (hasConfiguration, answers) = (input.byte() & 1 == 1, input.byte() & 1 == 1)
  var block0 = input.bytes(AttributeBlock.byteCount)
  let configuration = input.bytes(AttributeBlock.byteCount)
  func judge() throws {
    let ndef = Type3NDEF(
      block0: block0,
      configuration: hasConfiguration
        ? MemoryConfiguration(parsing: configuration, of: .liteS) : nil,
      answersNDEF: answers)
    _ = ndef.faults.map { "\($0)" }
    guard let length = ndef.messageLength else { return }
    try require(length <= ndef.capacity ?? -1, "a message longer than the tag")
  }
  try judge()
  guard let fields = AttributeBlock(fields: block0) else { return }
  // With the checksum that belongs to it.
  block0 = fields.serialize()
  try judge()
  guard let block = try? AttributeBlock(parsing: block0) else { return }
  try require(block == fields && block.serialize() == block0, "another block when written")
  for other in [block.beingWritten, block.holding(block.capacity), block.readOnly] {
    try require((try? AttributeBlock(parsing: other.serialize())) == other, "another block")
  }
}

private func memoryConfiguration(_ input: inout Input) throws {
  let (held, wanted) = (input.bytes(16), input.bytes(16))
  guard let found = MemoryConfiguration(parsing: held, of: .liteS),
    let next = MemoryConfiguration(parsing: wanted, of: .liteS)
  else { return }
  try require(found.serialize() == held, "another configuration when written")
  let merged = found.merged(with: next)
  try require(merged.merged(with: next) == merged, "a second write changes what the first left")
  try require(found.canBecome(merged), "it cannot become what it becomes")
  for block in MemoryConfiguration.userBlocks {
    try require(found.isWritable(block) || !merged.isWritable(block), "a right came back")
    if found.needsKeyToRead(block) {
      try require(merged.needsKeyToRead(block), "a right came back")
    }
  }
  try require(found.messageBlockCount <= 13, "more blocks than there are")
  let locked = found.locking(MemoryConfiguration.userBlocks).frozen
  try require(locked.isLocked && locked.isFrozen, "a lock that does not lock")
  if let answering = found.declaringNDEF {
    try require(answering.declaresNDEF && found.canBecome(answering), "it cannot answer to NDEF")
  }
}
