import TagMemory

/// The steps from one password, or key of an Ultralight AES, and configuration to others.
///
/// At every moment either nothing asks for a password, or the old or the new one, whole, is the
/// tag's: protection is off while it changes, where the configuration is not frozen, and AUTH0,
/// which switches it on, comes last, once the tag has accepted the new password. Wrong passwords
/// are not counted while it changes. What freezes the configuration (CFGLCK) follows when
/// everything else stands.
struct ConfigurationChange {
  let map: Type2Map
  let place: ConfigurationPages
  /// CFG0 and CFG1 as the tag shows them.
  let current: Configuration
  /// As this run means them.
  let meant: Configuration
  let wanted: Configuration
  /// The password to write; nil where it stays.
  let secret: Protection?

  var program: TagProgram {
    var program = TagProgram(.protection)
    func write(_ page: Page, _ bytes: [UInt8], _ purpose: TagProgram.Purpose = .configuration) {
      program.steps += [.writePage(page, bytes, purpose), .checkPages(first: page, bytes)]
    }
    var cfg0 = current.cfg0
    // A frozen configuration stays on while the password changes: a page each, in one write.
    if current.demandsMACs
      || (isOn(current) && !meant.isLocked && (secret != nil || !isOn(wanted)))
    {
      // Once the key is proven, nothing plain is taken where the tag demands CMACs.
      var open = current.demandsMACs ? wanted : meant
      open.auth0 = current.offAUTH0
      cfg0 = open.cfg0
      write(place.cfg0, cfg0)
    }
    var cfg1 = current.cfg1
    if secret != nil, current.style != .ultralightAES, current.attemptLimit != 0, !meant.isLocked {
      // A password that is proven while nothing is counted costs no try.
      var uncounted = meant
      uncounted.attemptLimit = 0
      cfg1 = uncounted.cfg1
      write(place.cfg1, cfg1)
    }
    if let secret {
      program.steps += map.secretPages(secret.password, pack: secret.pack).map {
        .writePage($0.page, $0.bytes, .secret)
      }
      program.steps.append(.enterPassword(secret.password, pack: secret.pack))
    } else {
      program.unchanged += map.key?.pages.count ?? 2
    }
    var open = wanted
    if !meant.isLocked { open.isLocked = false }
    if cfg1 == open.cfg1 || cfg1 == wanted.cfg1 {
      program.unchanged += 1
    } else {
      write(place.cfg1, open.cfg1)
    }
    if cfg0 == wanted.cfg0 {
      program.unchanged += 1
    } else {
      write(place.cfg0, wanted.cfg0)
    }
    if open.isLocked != wanted.isLocked, cfg1 != wanted.cfg1 {
      write(place.cfg1, wanted.cfg1, .raw(isIrreversible: true))
    }
    return program
  }

  private func isOn(_ configuration: Configuration) -> Bool {
    configuration.protection(pageCount: map.pageCount) != nil
  }
}

extension Configuration {
  /// AUTH0 that protects nothing, as the chip is delivered with.
  var offAUTH0: UInt8 { Configuration(factory: style).auth0 }
}
