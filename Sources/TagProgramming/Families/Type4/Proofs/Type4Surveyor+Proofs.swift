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
      state.fileSettings[2] = DESFireFileSettings(bytes)
      found.settings = state.fileSettings[2].flatMap { NTAG424FileSettings($0) }
    }
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
    state.proofs = found
  }

  /// Which of the two keys the tag has as key `number`. The version says which is likely; a trial
  /// proves it. A delivered tag's keys 1 to 4 are taken for what they are delivered as: ChangeKey
  /// refuses what was changed from another.
  private func held(_ number: UInt8, _ found: NTAG424State, _ job: Personalisation)
    throws(ReaderError) -> NTAG424State.Held
  {
    let version = found.versions[Int(number)]
    let isDelivered = version == 0 && job.before == .delivered && job.keys.version != 0
    if isDelivered, number != 0, !pass.isThorough { return .before }
    let order: [NTAG424State.Held] =
      version == job.before.version && version != job.keys.version
      ? [.before, .wanted] : [.wanted, .before]
    for candidate in order {
      let ring = candidate == .wanted ? job.keys : job.before
      let status = try session.authenticate(ring.key(number, of: found.uid), number: number)
      if status == nil { return candidate }
      if status?.value == 0x919D { state(isLRP: true) }
    }
    return .unknown
  }

  private func state(isLRP: Bool) { session.usesLRP = session.usesLRP || isLRP }

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
