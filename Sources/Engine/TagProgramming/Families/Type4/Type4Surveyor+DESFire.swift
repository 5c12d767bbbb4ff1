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
    found.files = try surveyFiles()
    return found
  }

  /// The settings of the files of the application that is selected.
  private func surveyFiles() throws(ReaderError) -> [UInt8: DESFireFileSettings] {
    var files: [UInt8: DESFireFileSettings] = [:]
    guard case .bytes(let numbers) = try session.native(.getFileIDs) else { return files }
    for number in numbers.prefix(32) {
      if case .bytes(let bytes) = try session.native(.getFileSettings(number)) {
        files[number] = DESFireFileSettings(bytes)
      }
    }
    return files
  }

  /// The first of `keys` that the card takes; nil where it takes none.
  private func prove(_ keys: [DESFireKey]) throws(ReaderError) -> DESFireKey? {
    for key in keys where try session.authenticate(key, number: 0) { return key }
    return nil
  }

  /// Who may do what with the message's file of an NTAG 424 DNA or a DESFire, and what the tag
  /// fills in there: it may refuse what its container allows, and show other bytes than were
  /// written. Asked while the application is just selected, that is one command.
  mutating func surveySettings() throws(ReaderError) {
    guard state.product.isNTAG424 || state.product.isDESFireEV1OrLater,
      try session.enterApplication() == nil,
      case .bytes(let bytes) = try session.native(.getFileSettings(2))
    else { return }
    state.messageSettings = DESFireFileSettings(bytes)
  }

  /// The message of a DESFire that others have formatted may be in a file of another number.
  mutating func surveyOtherSettings() throws(ReaderError) {
    guard state.product.isDESFireEV1OrLater, let container = state.application?.container,
      state.messageSettings?.byteCount != container.message.byteCount
    else { return }
    session.forgetSelection()
    guard try session.enterApplication() == nil else { return }
    state.messageSettings =
      DESFireState.Files(try surveyFiles(), of: container)?.messageSettings
    session.forgetSelection()
  }

  /// Proves the key of an NTAG 424 DNA that may change who writes its message: one of `keys`, or
  /// the one that it is delivered with. A dry run tries only the delivered key of version 00, as
  /// tags count the wrong ones, and takes a given one for right.
  mutating func surveyChangeKey(keys: [[UInt8]]) throws(ReaderError) {
    guard state.product.isNTAG424, let number = state.messageSettings?.rights.change, number < 5,
      case .bytes(let version) = try session.secured(.getKeyVersion(number), header: 1, .plain)
    else { return }
    let given = keys.compactMap(AESKey.init)
    let isDelivered = version.first == 0
    if pass.options.dryRun, !isDelivered {
      (state.changeKey, state.isChangeKeyUntried) = (given.first, true)
      return
    }
    let candidates: [AESKey] =
      pass.options.dryRun ? [.delivered] : isDelivered ? [.delivered] + given : given + [.delivered]
    for key in candidates where try session.authenticate(key, number: number) == nil {
      state.changeKey = key
      break
    }
    // What comes next is done without a session.
    session.forgetSelection()
  }
}
