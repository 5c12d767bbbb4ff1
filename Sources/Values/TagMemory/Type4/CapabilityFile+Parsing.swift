extension CapabilityFile {
  /// How many bytes the container says that it has; nil where its first two are missing.
  package static func byteCount(of head: [UInt8]) -> Int? {
    head.count < 2 ? nil : Int(head[0]) << 8 | Int(head[1])
  }

  /// Reads the container, or its first bytes: 15 are enough for a message in a file of up to 7FFFh
  /// bytes. Throws where the message cannot be found by it; what is odd besides is in `faults`.
  package init(parsing bytes: [UInt8]) throws(CapabilityError) {
    guard bytes.count >= Self.leastByteCount, let claimed = Self.byteCount(of: bytes) else {
      throw .tooShort(bytes.count)
    }
    guard Self.leastByteCount...0x7FFF ~= claimed else { throw .lengthReserved(claimed) }
    let word = { (offset: Int) in Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
    guard 1...3 ~= bytes[2] >> 4 else { throw .version(bytes[2]) }
    guard word(3) > 0 else { throw .readsNothing }
    let known = Array(bytes.prefix(claimed))
    let first = try Self.control(in: known, at: Self.headByteCount)
    guard let first, first.control.kind.isMessage else { throw .messageMissing(bytes[7]) }
    guard !FileID.reserved.contains(first.control.file) else {
      throw .fileReserved(first.control.file)
    }
    // An empty message has three bytes.
    guard first.control.byteCount >= first.control.lengthByteCount + 3 else {
      throw .fileSize(first.control.byteCount)
    }
    self.init(
      version: bytes[2], longestRead: word(3), longestWrite: word(5), message: first.control)
    (others, faults) = Self.remainder(of: known, from: first.end, claimed: claimed)
    faults = oddities + faults
  }

  /// What the values themselves break.
  private var oddities: [CapabilityError] {
    var faults: [CapabilityError] = []
    if longestRead < 0x000F { faults.append(.readsFew(longestRead)) }
    if longestWrite < 0x000D { faults.append(.writesFew(longestWrite)) }
    if message.kind == .longMessage, majorVersion < 3 { faults.append(.longFile(version)) }
    // Up to FFFEh in mapping version 2.0; later versions have other TLVs for what is larger (Type 4
    // Tag 1.2, 4.3).
    let most = message.kind == .longMessage ? 0xFFFF_FFFE : majorVersion < 3 ? 0xFFFE : 0x7FFF
    if message.byteCount > most { faults.append(.fileSize(message.byteCount)) }
    switch message.readAccess {
    case .free: break
    default: faults.append(.readAccess(message.readAccess))
    }
    switch message.writeAccess {
    case .free, .never: break
    default: faults.append(.writeAccess(message.writeAccess))
    }
    return faults
  }

  /// The TLV at `offset`, and where it ends; nil where a TLV of another type stands there. Throws
  /// where it is cut short or has a wrong length.
  private static func control(
    in bytes: [UInt8], at offset: Int
  ) throws(CapabilityError) -> (control: FileControl, end: Int)? {
    guard offset + 1 < bytes.count, let kind = FileControl.Kind(rawValue: bytes[offset]) else {
      return nil
    }
    let length = Int(bytes[offset + 1])
    guard length == kind.valueByteCount else { throw .controlLength(bytes[offset], length) }
    let end = offset + 2 + length
    guard end <= bytes.count else { throw .controlCutShort(bytes[offset]) }
    let value = Array(bytes[offset + 2..<end])
    let size = value[2..<value.count - 2].reduce(0) { $0 << 8 | Int($1) }
    let control = FileControl(
      kind, FileID(UInt16(value[0]) << 8 | UInt16(value[1])), byteCount: size,
      readAccess: .init(value[value.count - 2]), writeAccess: .init(value[value.count - 1]))
    return (control, end)
  }

  /// The TLVs behind the first one, as far as the bytes go.
  private static func remainder(
    of bytes: [UInt8], from start: Int, claimed: Int
  ) -> (others: [FileControl], faults: [CapabilityError]) {
    var (others, faults, offset) = ([FileControl](), [CapabilityError](), start)
    while offset < bytes.count {
      // The rest of the container was not read.
      let isKnown = offset + 1 < bytes.count && offset + 2 + Int(bytes[offset + 1]) <= bytes.count
      guard isKnown || bytes.count == claimed else { break }
      do throws(CapabilityError) {
        if let (control, end) = try control(in: bytes, at: offset) {
          if control.kind.isMessage { faults.append(.secondMessage(control.file)) }
          others.append(control)
          offset = end
          continue
        }
        faults.append(.unknownControl(bytes[offset]))
      } catch {
        faults.append(error)
      }
      guard isKnown else { break }
      offset += 2 + Int(bytes[offset + 1])
    }
    return (others.filter { !$0.kind.isMessage }, faults)
  }
}
