/// Why an NTAG 424 DNA would refuse to mirror so, with 919E (NT4H2421Gx, 9.3 and 10.7.1).
public enum SDMError: Error, Hashable, Sendable {
  /// Neither UID nor counter is mirrored, and nothing is proven.
  case nothingMirrored
  /// This key is none of 0 to 4, nor E or F where those are allowed.
  case noSuchKey(UInt8)
  /// UID or counter as plain text and encrypted, or mirrored though nobody may see them.
  case plainAndEncrypted
  /// This mirror has no place.
  case noPlace(SDMMirror)
  /// Encrypted file data needs UID, counter and a code.
  case encryptedAlone
  /// Encrypted file data is a multiple of 32 bytes, and not 0.
  case encryptedLength(Int)
  /// The code's input begins behind the code, or behind the encrypted data.
  case codeInputTooLate
  /// Encrypted file data stands behind the code.
  case codeBeforeEncrypted
  /// A limit goes with a counter, and is 1 to FFFFFEh.
  case limit(Int)
  /// Two mirrors overlap.
  case overlap(SDMMirror, SDMMirror)
  /// The state of the tamper loop stands where encrypted data only makes room.
  case tamperInRoom
  /// Who may ask for the counter is named, and there is none.
  case noCounter
  /// A mirror ends behind the file, or begins in the length of the message.
  case outsideFile(SDMMirror)
}

/// A mirror is what a tag puts into its message.
public enum SDMMirror: String, Hashable, Sendable, CaseIterable {
  /// The UID as plain text, 14 digits.
  case uid
  /// The counter of readings as plain text, 6 digits.
  case counter
  /// UID and counter, encrypted.
  case picc
  /// A part of the file, encrypted.
  case enc
  /// The code that proves the tag.
  case mac
  /// The state of a TagTamper's loop.
  case tt
}

extension SDMSettings {
  /// The bytes of the file that the tag replaces as it is read, by what it puts there.
  package var mirrors: [SDMMirror: Range<Int>] {
    var ranges: [SDMMirror: Range<Int>] = [:]
    func add(_ mirror: SDMMirror, _ start: Int?, _ count: Int) {
      if let start { ranges[mirror] = start..<start + count }
    }
    add(.uid, uid, Self.uidByteCount)
    add(.counter, counter, Self.counterByteCount)
    add(.picc, picc, Self.piccByteCount(usesLRP: usesLRP))
    add(.tt, tamper, Self.tamperByteCount)
    add(.mac, code, Self.codeByteCount)
    ranges[.enc] = encrypted
    return ranges
  }

  /// Checks every rule that the tag checks, for a file of `fileByteCount` bytes.
  package func check(fileByteCount: Int) throws(SDMError) {
    for key in [metaRead, fileRead, counterRetrieval] where key > 4 {
      guard key == Self.everyone || key == Self.nobody else { throw .noSuchKey(key) }
    }
    guard fileRead != Self.everyone else { throw .noSuchKey(fileRead) }
    // NT4H2421Tx, table 71.
    guard mirrorsCounter || counterRetrieval == Self.nobody else { throw .noCounter }
    try checkWhatIsMirrored()
    try checkCode()
    if let limit {
      guard mirrorsCounter, 1...0xFF_FFFE ~= limit else { throw .limit(limit) }
    }
    try checkPlaces(fileByteCount)
  }

  private func checkWhatIsMirrored() throws(SDMError) {
    switch metaRead {
    case Self.nobody:
      guard !mirrorsUID, !mirrorsCounter, uid == nil, counter == nil, picc == nil else {
        throw .plainAndEncrypted
      }
      guard fileRead != Self.nobody else { throw .nothingMirrored }
    case Self.everyone:
      guard mirrorsUID || mirrorsCounter else { throw .nothingMirrored }
      guard picc == nil else { throw .plainAndEncrypted }
      guard !mirrorsUID || uid != nil else { throw .noPlace(.uid) }
    default:
      guard mirrorsUID || mirrorsCounter else { throw .nothingMirrored }
      guard uid == nil, counter == nil else { throw .plainAndEncrypted }
      guard picc != nil else { throw .noPlace(.picc) }
    }
    guard let encrypted else { return }
    guard mirrorsUID, mirrorsCounter, fileRead != Self.nobody else { throw .encryptedAlone }
    guard encrypted.count >= 32, encrypted.count.isMultiple(of: 32) else {
      throw .encryptedLength(encrypted.count)
    }
  }

  private func checkCode() throws(SDMError) {
    guard fileRead != Self.nobody else {
      guard code == nil, codeInput == nil else { throw .noSuchKey(fileRead) }
      return
    }
    guard let code, let codeInput else { throw .noPlace(.mac) }
    guard codeInput <= code else { throw .codeInputTooLate }
    guard let encrypted else { return }
    guard codeInput <= encrypted.lowerBound else { throw .codeInputTooLate }
    guard encrypted.upperBound <= code else { throw .codeBeforeEncrypted }
  }

  private func checkPlaces(_ fileByteCount: Int) throws(SDMError) {
    let sorted = mirrors.sorted { $0.value.lowerBound < $1.value.lowerBound }
    for (mirror, range) in sorted {
      guard range.lowerBound >= 2, range.upperBound <= fileByteCount else {
        throw .outsideFile(mirror)
      }
    }
    // What a TagTamper says may be a part of what is encrypted.
    let others = isTamperEncrypted ? sorted.filter { $0.key != .tt } : sorted
    if let encrypted, let tamper, !isTamperEncrypted,
      encrypted.overlaps(tamper..<tamper + Self.tamperByteCount)
    {
      throw .tamperInRoom
    }
    for (one, other) in zip(others, others.dropFirst())
    where one.value.upperBound > other.value.lowerBound {
      throw .overlap(one.key, other.key)
    }
  }

  /// Is true if the state of the tamper loop is encrypted with the file data around it.
  package var isTamperEncrypted: Bool {
    guard let encrypted, let tamper else { return false }
    return tamper >= encrypted.lowerBound
      && tamper + Self.tamperByteCount <= encrypted.lowerBound + encrypted.count / 2
  }
}
