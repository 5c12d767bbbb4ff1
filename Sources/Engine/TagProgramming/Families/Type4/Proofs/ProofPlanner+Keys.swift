import TagMemory

/// The steps that give an NTAG 424 DNA its keys, and the file its settings between them.
extension ProofPlanner {
  func keySteps(
    _ pending: [UInt8], settling goal: NTAG424FileSettings?, _ found: NTAG424State,
    _ held: NTAG424FileSettings, opens: Bool
  ) throws(JobFailure) -> [TagProgram.Step] {
    guard let master = found.key(0, job) else { throw refusal(.keysUnknown([0]), .giveHeldKeys) }
    // As the steps before leave it.
    let settings = opens ? NTAG424FileSettings.deliveredMessage : held
    var steps: [TagProgram.Step] = []
    var isOpen = false
    func open() {
      if !isOpen { steps.append(authentication(0, master)) }
      isOpen = true
    }
    for number in pending where number != 0 {
      open()
      steps.append(change(number, found))
    }
    if let goal {
      if settings.rights.change == 0 {
        open()
      } else {
        // Another key's right, which it is asked for once more as it is by now.
        steps += try authentication(changing: settings, found.with(job, changed: pending))
        isOpen = false
      }
      steps.append(
        command("let the message prove the tag", .changeFileSettings(2, to: goal), .configuration))
    }
    if pending.contains(0) {
      if !isOpen || settings.rights.change != 0 { steps.append(authentication(0, master)) }
      steps.append(change(0, found))
    }
    return steps + pending.map { authentication($0, job.keys.key($0, of: found.uid)) }
  }

  private func change(_ number: UInt8, _ found: NTAG424State) -> TagProgram.Step {
    command(
      "give the tag its key \(number)",
      .changeKey(
        number, from: found.key(number, job) ?? .delivered,
        to: job.keys.key(number, of: found.uid), version: job.keys.version), .secret)
  }
}

extension NTAG424State {
  /// Returns the state once the keys `changed`, but for key 0, are the wanted ones.
  func with(_ job: Personalisation, changed: [UInt8]) -> NTAG424State {
    var result = self
    for number in changed where number != 0 { result.keys[Int(number)] = .wanted }
    return result
  }
}
