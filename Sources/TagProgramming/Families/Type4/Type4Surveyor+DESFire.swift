import Readers
import TagMemory

/// What only a DESFire, and NTAG 424 DNA, tell in commands of their own.
extension Type4Surveyor {
  /// Applications, free memory, files and keys of a DESFire. `keys` are the operator's, as bytes;
  /// `new` is the one that the application may have already. A wrong key costs nothing: these cards
  /// do not count.
  mutating func surveyDESFire(keys: [[UInt8]], new: [UInt8]?) throws(ReaderError) {
    guard state.product.isDESFireEV1OrLater else { return }
    var found = DESFireState()
    if let naming = state.application?.naming {
      session.forgetSelection()
      guard try session.selectApplication(naming) == nil else { return }
      found.application = try surveyApplication(keys: keys, new: new)
    } else {
      guard try session.select(application: DESFireFormat.card) == nil else { return }
      found.masterKey = try prove(
        keys.flatMap(DESFireKey.candidates) + [.delivered(.tripleDES), .delivered(.aes)])
      if case .bytes(let bytes) = try session.native(.getApplicationIDs) {
        found.applications = stride(from: 0, to: bytes.count / 3 * 3, by: 3).map { start in
          bytes[start..<start + 3].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
      }
    }
    if case .bytes(let bytes) = try session.native(.freeMemory),
      bytes.count >= 3
    {
      found.freeMemory = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
    }
    // What comes next selects by name, and without a session.
    session.forgetSelection()
    state.desFire = found
  }

  private func surveyApplication(keys: [[UInt8]], new: [UInt8]?) throws(ReaderError)
    -> DESFireState.Application
  {
    var found = DESFireState.Application()
    if case .bytes(let bytes) = try session.native(.getKeySettings) {
      found.settings = DESFireKeySettings(bytes)
    }
    let given = ([new].compactMap(\.self) + keys).flatMap(DESFireKey.candidates)
    let kinds = found.settings?.kind.map { [$0] } ?? DESFireKey.Kind.allCases
    let delivered = kinds.map(DESFireKey.delivered)
    found.key = try prove((given + delivered).filter { kinds.contains($0.kind) })
    guard case .bytes(let numbers) = try session.native(.getFileIDs) else { return found }
    for number in numbers.prefix(32) {
      if case .bytes(let bytes) = try session.native(.getFileSettings(number)) {
        found.files[number] = DESFireFileSettings(bytes)
      }
    }
    return found
  }

  /// The first of `keys` that the card takes; nil where it takes none.
  private func prove(_ keys: [DESFireKey]) throws(ReaderError) -> DESFireKey? {
    for key in keys where try session.authenticate(key, number: 0) { return key }
    return nil
  }

  /// Who may do what with the message's file of an NTAG 424 DNA.
  mutating func surveyNTAG424() throws(ReaderError) {
    guard state.product.isNTAG424, let naming = state.application?.naming else { return }
    session.forgetSelection()
    guard try session.selectApplication(naming) == nil,
      case .bytes(let bytes) = try session.native(.getFileSettings(2))
    else { return }
    state.fileSettings[2] = DESFireFileSettings(bytes)
  }
}
