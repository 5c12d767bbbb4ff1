import TagMemory

/// Plans a password onto an NTAG21x or Ultralight EV1, or off it (NTAG213/215/216, 8.8; MF0ULX1, 8.8).
///
/// At every moment either nothing asks for a password, or the old or the new one, whole, is the tag's: protection is off
/// while PWD changes, and AUTH0, which switches it on, comes last, once the tag has accepted the new password.
struct Type2ProtectionPlanner {
  let state: Type2State
  let change: PasswordChange
  /// An earlier pass failed: what was written then has to prove itself again.
  let isThorough: Bool

  func plan() throws(ProgramFailure) -> TagProgram {
    let place = try Self.configurationPages(of: state.product, state.map)
    guard var current = state.memory.configuration else {
      throw ProgramFailure(.internalError, "The configuration was not read.")
    }
    let wanted = configuration(from: current)
    let secret = change.wanted
    let isRight =
      state.credential?.password == secret.password && state.credential?.pack == secret.pack
    guard !current.isLocked || (isRight && current == wanted) else {
      throw ProgramFailure(
        .refused,
        "The tag's configuration is frozen (CFGLCK): what the password protects never changes.",
        tagHolds: "unchanged.", next: "use another tag.")
    }
    var program = TagProgram()
    func write(_ page: Page, _ bytes: [UInt8]) {
      program.steps += [
        .writePage(page, bytes, .configuration), .checkPages(first: page, bytes),
      ]
    }
    if isOn(current), !isRight || !isOn(wanted) {
      current.auth0 = Self.off
      write(place.cfg0, current.cfg0)
    }
    if isRight {
      program.unchanged += 2
    } else {
      program.steps += [
        .writePage(place.password, secret.password, .secret),
        .writePage(place.passwordAcknowledge, secret.pack + [0, 0], .secret),
        .enterPassword(secret.password, pack: secret.pack),
      ]
    }
    if current.cfg1 == wanted.cfg1 {
      program.unchanged += 1
    } else {
      write(place.cfg1, wanted.cfg1)
    }
    if current.cfg0 == wanted.cfg0 {
      program.unchanged += 1
    } else {
      write(place.cfg0, wanted.cfg0)
    }
    if isOn(wanted), program.changesTag || isThorough, let page = state.probePage,
      let bytes = state.memory[page]
    {
      program.steps.append(.checkRefusal(page, bytes))
    }
    return program
  }

  /// AUTH0 that protects nothing.
  private static let off: UInt8 = 0xFF

  private func isOn(_ configuration: Configuration) -> Bool {
    configuration.protection(pageCount: state.map.pageCount) != nil
  }

  private func configuration(from present: Configuration) -> Configuration {
    var wanted = present
    switch change {
    case .set(let protection):
      // With the lock bytes and the capability container: nobody else shall make the tag read-only for good.
      wanted.auth0 = Page.staticLocks.number
      wanted.protectsReading = protection.readToo
    case .takeAway:
      // Frozen where it protects nothing it may stay as it is.
      guard isOn(present) || !present.isLocked else { return present }
      wanted.auth0 = Self.off
      wanted.protectsReading = false
    }
    return wanted
  }

  /// Where a chip has its password; throws for one that has none.
  static func configurationPages(of product: Product, _ map: Type2Map) throws(ProgramFailure)
    -> ConfigurationPages
  {
    let reason: String
    if case .messagesOnly(let sentence) = product.support {
      reason = "The password of this \(product.displayName) cannot be set here. \(sentence)"
    } else if let pages = map.configuration, product.features.contains(.password) {
      return pages
    } else if product.features.contains(.tripleDES) {
      reason =
        "This \(product.displayName) has no password but a triple DES key, which is not set here."
    } else {
      reason = "This \(product.displayName) has no password."
    }
    throw ProgramFailure(
      .badInput, reason, tagHolds: "unchanged.",
      next: "use an NTAG21x or an Ultralight EV1, which have one.")
  }
}
