import TagMemory

/// The password of a dump, and what it protects (NTAG213/215/216, 8.8).
extension Type2RestorePlanner {
  /// The password, or the key of an Ultralight AES, that a dump holds for a chip of `map`; nil
  /// where it holds none: zeros are what tags and programs show.
  static func password(in job: Restore, for map: Type2Map) -> [UInt8]? {
    guard let place = map.configuration, job.image.layout.rowCount == map.pageCount else {
      return nil
    }
    if let key = map.key {
      return key.key(in: key.pages.compactMap { job.image.row(Int($0.number)) })
    }
    guard let page = place.password, let bytes = job.image.row(Int(page.number)),
      bytes.contains(where: { $0 != 0 })
    else { return nil }
    return bytes
  }

  /// The dump's password with its acknowledge; nil unless both are known.
  var secret: Protection? {
    guard let place = state.map.configuration,
      let password = Self.password(in: job, for: state.map)
    else { return nil }
    guard let page = place.passwordAcknowledge else { return Protection(key: password) }
    guard let pack = job.image.row(Int(page.number)) else { return nil }
    return Protection(password: password, pack: Array(pack.prefix(2)))
  }

  /// CFG0 and CFG1 as the dump has them.
  var wanted: Configuration? { job.image.configuration(on: state.map) }

  /// Is true if the dump switches protection on with a password that it does not hold: that would
  /// shut the tag.
  var hidesPassword: Bool {
    guard let wanted, secret == nil else { return false }
    return wanted.protection(pageCount: state.map.pageCount) != nil
      && state.memory.configuration.map { $0.bytes != wanted.bytes } ?? true
  }

  /// The steps to the dump's password and configuration, after all the others.
  func protection() throws(JobFailure) -> TagProgram {
    guard let place = state.map.configuration, let wanted, !hidesPassword,
      let current = state.memory.configuration, let meant = meaning.memory.configuration
    else { return TagProgram() }
    let isRight =
      secret == nil
      || (state.credential?.password == secret?.password && state.credential?.pack == secret?.pack)
    guard !current.isLocked || current.bytes == wanted.bytes || !meant.isLocked else {
      throw JobFailure(
        .type2(.configurationFrozen(isOfDump: true)),
        remedy: .leaveOutConfiguration(leavesPage3: false))
    }
    return ConfigurationChange(
      map: state.map, place: place, current: unmirrored ?? current,
      meant: unmirrored ?? meant, wanted: wanted, secret: isRight ? nil : secret
    ).program
  }
}
