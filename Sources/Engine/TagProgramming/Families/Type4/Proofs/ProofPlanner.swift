import TagMemory

/// Plans an NTAG 424 DNA's message, keys and mirrors, in an order that no interruption makes a loss
/// of: the message with stand-ins, keys 4 to 1, the file's settings, key 0, then a reading as a
/// telephone's, which must prove the tag.
///
/// Until key 0 changes the old one is still there to finish with; each key's version, and a trial,
/// tell a later run which keys are done (`Type4Surveyor.surveyProofs`).
struct ProofPlanner {
  let state: Type4State
  let application: Type4State.Application
  let container: CapabilityFile
  let access: BinaryAccess
  let job: Personalisation

  typealias Part = (kind: TagProgram.Phase.Kind, program: TagProgram)

  private let place = Place.application(DESFireFormat.firstNumber)
  private var file: Place { .file(id: container.message.file.rawValue, offset: 0) }

  func refusal(_ cause: Type4Cause, _ remedy: Remedy?) -> JobFailure {
    .type4(cause, remedy)
  }

  /// The tag as it was surveyed, once it is sure that it can be done.
  func surveyed() throws(JobFailure) -> (NTAG424State, NTAG424FileSettings) {
    guard state.product.isNTAG424 else {
      throw refusal(.noProofs(state.product), .useAnotherTag)
    }
    guard let found = state.proofs, found.keys.count == 5 else {
      throw refusal(state.uid.isRandom ? .uidHidden : .filesUnknown, .useAnotherTag)
    }
    let unknown = KeyRing.keyNumbers.filter { found.keys[Int($0)] == .unknown }
    guard unknown.isEmpty else { throw refusal(.keysUnknown(unknown), .giveHeldKeys) }
    guard let settings = found.settings else { throw refusal(.filesUnknown, .useAnotherTag) }
    return (found, settings)
  }

  // MARK: Keys and mirrors

  /// The whole job. `lock`: nobody may ever change message, mirrors and rights again.
  func personalise(_ message: [UInt8], lock: Bool) throws(JobFailure) -> [Part] {
    let goal = try goal(message)
    let (found, held) = try surveyed()
    try requireMode(of: goal, found)
    let stored = MessageLength.bytes(message.count, in: container.message) + message
    let proof = SUNExpectation(goal.mirror!, keys: job.keys, uid: found.uid, stored: stored)
    let final = NTAG424FileSettings(
      .plain, lock ? .closed : .readOnly, mirror: goal.mirror)
    let isSet = held == goal || held == final
    let isProven = isSet && proof.fits(found.file)
    var parts: [Part] = []
    let (write, opens) = try messageProgram(message, found, held, isDone: isProven)
    parts.append((.message, write))

    var change = TagProgram()
    let pending = KeyRing.keyNumbers.reversed().filter { found.keys[Int($0)] != .wanted }
    change.unchanged = 5 - pending.count
    let settles = !isSet || opens
    let switches = try switchSteps(found)
    if !pending.isEmpty || settles || !isProven || !switches.isEmpty {
      change.steps =
        switches
        + (try keySteps(pending, settling: settles ? goal : nil, found, held, opens: opens))
      change.steps.append(TagProgram.Step(.prove(proof), at: file))
    } else {
      change.unchanged += 1
    }
    parts.append((.protection, change))
    if lock { parts.append((.locks, try lockProgram(final, held, found, proof))) }
    if job.randomUID, !state.uid.isRandom {
      var random = TagProgram()
      random.steps = [
        authentication(0, job.keys.key(0, of: found.uid)),
        command("show a random UID", .useRandomUID, .lock),
      ]
      parts.append((.locks, random))
    }
    return parts
  }

  /// What the message asks of the tag, and what it is: LRP and a loop that is watched are for ever,
  /// and nothing that a template decides by itself.
  private func requireMode(
    of goal: NTAG424FileSettings, _ found: NTAG424State
  ) throws(JobFailure) {
    let isForLRP = goal.mirror?.usesLRP ?? false
    guard job.usesLRP || !(state.usesLRP || isForLRP) else { throw refusal(.usesLRP, .allowLRP) }
    // The place for UID and counter, made for AES, is too short.
    if job.usesLRP, goal.mirror?.picc != nil, !isForLRP {
      throw refusal(.template(.standInLost(.picc)), nil)
    }
    guard goal.mirror?.tamper != nil || job.watchesTamperLoop else { return }
    guard state.product == .ntag424TagTamper else {
      throw refusal(.noTamperLoop(state.product), .useAnotherTag)
    }
    if found.isLoopWatched != true, !job.watchesTamperLoop {
      throw refusal(.loopUnwatched, .watchLoop)
    }
  }

  /// What can never be undone and comes before keys and settings, which follow from it: each under
  /// key 0 as it is by now.
  private func switchSteps(_ found: NTAG424State) throws(JobFailure) -> [TagProgram.Step] {
    guard let master = found.key(0, job) else { throw refusal(.keysUnknown([0]), .giveHeldKeys) }
    var steps: [TagProgram.Step] = []
    if job.watchesTamperLoop, found.isLoopWatched != true {
      steps += [
        authentication(0, master),
        command("watch the tamper loop from now on", .watchTamperLoop, .lock),
      ]
    }
    if job.usesLRP, !state.usesLRP {
      steps += [
        authentication(0, master), command("use LRP in place of AES", .useLRP, .lock),
      ]
    }
    return steps
  }

  func goal(_ message: [UInt8]) throws(JobFailure) -> NTAG424FileSettings {
    do throws(SDMTemplateError) {
      var mirror = try SDMSettings(
        message: message, codeInput: job.codeInput, keys: job.keys,
        fileByteCount: container.message.byteCount)
      // A message without {picc} is the same for both.
      if mirror?.picc == nil, job.usesLRP { mirror?.usesLRP = true }
      guard let mirror else { throw .nothingMirrored }
      return NTAG424FileSettings(.plain, .readOnly, mirror: mirror)
    } catch {
      throw refusal(.template(error), nil)
    }
  }

  /// The message; `opens`: the file's settings go back to the delivered ones first.
  private func messageProgram(
    _ message: [UInt8], _ found: NTAG424State, _ held: NTAG424FileSettings, isDone: Bool
  ) throws(JobFailure) -> (TagProgram, opens: Bool) {
    if isDone {
      var program = TagProgram()
      program.unchanged = 1
      program.showing = Showing(.newMessage)
      return (program, false)
    }
    // A file that nobody reads without a key cannot be read back.
    let isOpen = held.mirror == nil && held.rights.isFreeToWrite && held.rights.isFreeToRead
    // Of a file that mirrors nobody knows what it holds.
    let known = held.mirror == nil ? found.file : []
    var program = try Type4MessagePlanner(
      product: state.product, container: container, access: access, known: known,
      message: message, sent: held.mirror == nil ? state.sent : [:]
    ).plan()
    guard !isOpen, program.changesTag else { return (program, false) }
    let steps = try opening(found, held)
    program.steps = steps + program.steps
    program.showing = program.showing?.moved(by: steps.count)
    return (program, true)
  }

  /// The settings of delivery, so that the message can be written.
  func opening(_ found: NTAG424State, _ held: NTAG424FileSettings) throws(JobFailure)
    -> [TagProgram.Step]
  {
    try authentication(changing: held, found)
      + [
        command(
          "give \(container.message.file) the settings of delivery",
          .changeFileSettings(2, to: .deliveredMessage), .configuration)
      ]
  }

  /// Who may change `held` proves to be that.
  func authentication(changing held: NTAG424FileSettings, _ found: NTAG424State)
    throws(JobFailure) -> [TagProgram.Step]
  {
    switch held.rights.change {
    case DESFireRights.everyone: return []
    case 0...4:
      guard let key = found.key(held.rights.change, job) else {
        throw refusal(.keysUnknown([held.rights.change]), .giveHeldKeys)
      }
      return [authentication(held.rights.change, key)]
    default: throw refusal(.lockNeedsKey(state.product, nil), .useAnotherTag)
    }
  }

  private func lockProgram(
    _ final: NTAG424FileSettings, _ held: NTAG424FileSettings, _ found: NTAG424State,
    _ proof: SUNExpectation
  ) throws(JobFailure) -> TagProgram {
    var program = TagProgram()
    guard held != final else {
      program.unchanged = 1
      return program
    }
    program.steps = [
      authentication(0, job.keys.key(0, of: found.uid)),
      command(
        "let nobody write \(container.message.file) or change that",
        .changeFileSettings(2, to: final), .lock),
      TagProgram.Step(.prove(proof), at: file),
      TagProgram.Step(
        .checkRefusal(Array(proof.stored.prefix(container.message.lengthByteCount))), at: file),
    ]
    return program
  }

  // MARK: Steps

  func authentication(_ number: UInt8, _ key: AESKey) -> TagProgram.Step {
    TagProgram.Step(
      .authenticate(.desFire(number: number, key: DESFireKey(key))), at: place)
  }

  func command(_ name: String, _ command: DESFireCommand, _ purpose: TagProgram.Purpose)
    -> TagProgram.Step
  {
    TagProgram.Step(.perform(.init(name, [command.bytes]), purpose), at: place)
  }
}

extension DESFireKey {
  /// Makes an AES key one that a step proves.
  init(_ key: AESKey) { self = DESFireKey(.aes, key.bytes) ?? .delivered(.aes) }
}
