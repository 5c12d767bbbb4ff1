import TagMemory

/// Plans a triple DES key onto an Ultralight C, or back to the one of delivery (MF0ICU2, 7.5.5 to
/// 7.5.8).
///
/// The key's four pages can be torn one by one, and never show. So nothing is under a key while
/// they are written: AUTH0, which switches protection on, goes off before, and comes on once the
/// tag has proven that it has the new key. A run that is cut short leaves a tag that is open, or
/// opens with the old key or with the new one.
struct KeyChangePlanner {
  let state: Type2State
  /// The tag as this run means it.
  let meaning: Type2State
  let place: TripleDESPages
  let change: PasswordChange
  /// An earlier pass failed: what was written then has to prove itself again.
  let isThorough: Bool

  /// AUTH0 that protects nothing (MF0ICU2, 7.5.8).
  static let off: UInt8 = 0x30
  /// AUTH0 that protects as much as it can: from the capability container on.
  static let first = UInt8(Page.capabilityContainer.address)

  func plan() throws(JobFailure) -> TagProgram {
    guard let auth0 = state.memory[place.auth0], let auth1 = state.memory[place.auth1] else {
      throw JobFailure(.type2(.notRead(.configuration)))
    }
    let secret = change.wanted(on: state.map)
    let secretPages = state.map.secretPages(secret.password, pack: secret.pack)
    let isOn = change != .takeAway
    let (wanted0, wanted1) = (
      isOn ? Self.first : Self.off, isOn && !secret.readToo ? UInt8(1) : 0
    )
    let isRight = state.credential?.password == secret.password
    var program = TagProgram(.protection)
    var held0 = auth0[0]
    if state.memory.protection != nil, !isRight || !isOn {
      held0 = Self.off
      write(Self.off, to: place.auth0, &program)
    }
    if isRight {
      program.unchanged += secretPages.count
    } else {
      program.steps += secretPages.map { .writePage($0.page, $0.bytes, .secret) }
      program.steps.append(.enterPassword(secret.password, pack: []))
    }
    if auth1[0] == wanted1 {
      program.unchanged += 1
    } else {
      write(wanted1, to: place.auth1, &program)
    }
    if held0 == wanted0 {
      program.unchanged += 1
    } else {
      write(wanted0, to: place.auth0, &program)
    }
    let locked = Set(program.writtenPages).filter { state.memory.isLocked($0) == true }
    guard locked.isEmpty else {
      throw JobFailure(.type2(.locked(locked.sorted())), remedy: .useAnotherTag)
    }
    if isOn, program.changesTag || isThorough, let page = state.probePage,
      let bytes = state.memory[page]
    {
      program.steps.append(.checkRefusal(page, bytes))
    }
    return program
  }

  /// The other three bytes of these pages cannot be written.
  private func write(_ value: UInt8, to page: Page, _ program: inout TagProgram) {
    program.steps += [
      .writePage(page, [value, 0, 0, 0], .configuration),
      .checkPages(first: page, [value, nil, nil, nil]),
    ]
  }
}
