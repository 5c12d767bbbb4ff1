import Readers
import TagMemory

/// What has to be known of an NTAG 424 DNA before it gets keys: versions first, which no key is
/// needed for, then which keys it has.
extension Type4Surveyor {
  mutating func surveyProofs(_ job: Personalisation) throws(ReaderError) {
    guard state.product.isNTAG424, let application = state.application,
      let container = application.container, let access = application.access
    else { return }
    var found = NTAG424State(uid: state.uid)
    guard try session.enterApplication() == nil else { return }
    for number in KeyRing.keyNumbers {
      guard
        case .bytes(let bytes) = try session.secured(.getKeyVersion(number), header: 1, .plain),
        let version = bytes.first
      else { return }
      found.versions.append(version)
    }
    if case .bytes(let bytes) = try session.secured(.getFileSettings(2), header: 1, .plain) {
      state.messageSettings = DESFireFileSettings(bytes)
      found.settings = state.messageSettings.flatMap { NTAG424FileSettings($0) }
    }
    // Without a session: within one it would have to be asked under it.
    if state.product == .ntag424TagTamper { found.isLoopWatched = try isLoopWatched() }
    if found.uid.isRandom {
      guard let uid = try trueUID(job) else { return }
      found.uid = uid
    }
    for number in KeyRing.keyNumbers {
      found.keys.append(try held(number, found, job))
    }
    let count = container.message.byteCount
    if case .bytes(let file) = try session.readAsStranger(
      count, of: container.message.file, with: access)
    {
      found.file = file
    }
    if session.usesLRP { found.settings?.mirror?.usesLRP = true }
    state.proofs = found
  }

  /// Which of the two keys the tag has as key `number`. The version says which is likely; a trial
  /// proves it, of a delivered tag, too: a key that was changed may have kept its version 00.
  private func held(_ number: UInt8, _ found: NTAG424State, _ job: Personalisation)
    throws(ReaderError) -> NTAG424State.Held
  {
    let version = found.versions[Int(number)]
    let order: [NTAG424State.Held] =
      version == job.before.version && version != job.keys.version
      ? [.before, .wanted] : [.wanted, .before]
    for candidate in order {
      let ring = candidate == .wanted ? job.keys : job.before
      if try session.authenticate(ring.key(number, of: found.uid), number: number) == nil {
        return candidate
      }
    }
    return .unknown
  }

  /// What a TagTamper says of its loop to whoever has no key.
  mutating func surveyTamperLoop() throws(ReaderError) {
    guard state.product == .ntag424TagTamper, try session.enterApplication() == nil,
      case .bytes(let bytes) = try session.secured(.getTagTamperStatus, header: 0, .plain)
    else { return }
    state.tamper = TamperState(bytes)
  }

  /// Returns whether a TagTamper looks at its loop, asked without a key. One that tells only who
  /// has a key, or nobody, was told to look.
  private func isLoopWatched() throws(ReaderError) -> Bool? {
    switch try session.secured(.getTagTamperStatus, header: 0, .plain) {
    case .bytes(let bytes): TamperState(bytes)?.isWatched
    case .refused(let status): status.value == 0x91AE || status.value == 0x919D ? true : nil
    }
  }

  /// The UID of a tag that shows a random one: a key that all tags have opens it.
  private func trueUID(_ job: Personalisation) throws(ReaderError) -> UID? {
    for ring in [job.keys, job.before] {
      for number in KeyRing.keyNumbers where ring.isShared(number) {
        guard try session.authenticate(ring.key(number, of: state.uid), number: number) == nil,
          case .bytes(let bytes) = try session.secured(.getCardUID, header: 0, .full),
          bytes.count == 7
        else { continue }
        return UID(bytes)
      }
    }
    return nil
  }
}
