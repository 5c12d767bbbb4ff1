import TagMemory

/// Cards that prove a key and encrypt with keys of the moment: this run has a session of its own,
/// under the key that the host proves and with zeros for the card's challenge. What the trace shows
/// of answers is sealed for it.
extension StandIns {
  /// What the host and the card share in this run.
  enum Session: Hashable {
    case none
    case ntag424(EV2Session)
    /// `parts` of an answer were sent.
    case desFire(DESFireSession, parts: [UInt8])
  }

  /// The answer `recorded`, status byte and status word with it, to `command` as this session has
  /// it; `uid`: the tag's, seven bytes, where it is known. Throws why there is none: a clause.
  mutating func answer(
    _ recorded: [UInt8?], _ sealing: Sealing, to command: [UInt8], uid: [UInt8]?
  ) throws(Missing) -> [UInt8]? {
    guard let apdu = TagFrame.bytes(in: command).flatMap({ try? CommandAPDU(parsing: $0) }) else {
      return nil
    }
    let data = Array(recorded.dropFirst().dropLast(2))
    switch sealing {
    case .none: return nil
    case .begins(let proof):
      let mode: [UInt8] = proof.usesLRP ? [0x01] : []
      return [0x00] + mode + [UInt8](repeating: 0, count: data.count - mode.count) + [0x91, 0xAF]
    case .proves(let proof):
      guard let answer = prove(proof, apdu.data), answer.count == data.count else {
        throw Missing(
          reason: "a key is proven there that is not known here: name the tag's with key=HEX")
      }
      use("a session under the key that the command has stands in for the one of the trace")
      return [0x00] + answer + [0x91, 0x00]
    case .within(let cover):
      guard let answer = try sealed(data, cover, apdu, uid) else { return nil }
      return [0x00] + answer + recorded.suffix(2).map { $0 ?? 0 }
    }
  }

  /// Why nothing can stand in.
  struct Missing: Error {
    /// A clause.
    let reason: String
  }

  private mutating func prove(_ proof: Sealing.Proof, _ token: [UInt8]) -> [UInt8]? {
    var running: EV2Session?
    if case .ntag424(let session) = session, proof.way == 0x77 { running = session }
    for key in allKeys {
      if proof.isNTAG424 {
        let found =
          proof.usesLRP
          ? LRPAuthentication.tagProof(
            key: key, number: proof.number, token: token, continuing: running)
          : EV2Authentication.tagProof(
            key: key, number: proof.number, token: token, continuing: running)
        guard let found else { continue }
        session = .ntag424(found.session)
        return found.answer
      }
      guard let way = DESFireAuthentication.Way(rawValue: proof.way) else { return nil }
      for key in DESFireKey.candidates(key) {
        guard
          let found = DESFireAuthentication.tagProof(
            way, key: key, number: proof.number, token: token)
        else { continue }
        session = .desFire(found.session, parts: [])
        return found.answer
      }
    }
    return nil
  }

  private var allKeys: [[UInt8]] {
    keys + [8, 16, 24].map { [UInt8](repeating: 0, count: $0) }
  }

  /// The data of an answer, behind its code where it has one.
  private mutating func sealed(
    _ data: [UInt8?], _ cover: Sealing.Cover, _ apdu: CommandAPDU, _ uid: [UInt8]?
  ) throws(Missing) -> [UInt8]? {
    let shown = data.compactMap(\.self)
    guard shown.count == data.count else { return nil }
    let code = Sealing.Cover.codeByteCount
    if cover.command != .plain { use("what was encrypted for that session was not compared") }
    switch session {
    case .none: throw Missing(reason: "no key was proven in this run")
    case .ntag424(var session):
      if cover.command == .full {
        session.receive(encrypted: max(0, apdu.data.count - cover.header - code))
      }
      guard !shown.isEmpty || cover.answer == .plain else {
        // It is answered without a code, and ends the session.
        self.session = .none
        return []
      }
      let plain: [UInt8]
      switch cover.answer {
      case .plain: plain = shown
      case .mac: plain = shown.dropLast(code)
      case .full where shown.count == code: plain = []
      case .full:
        // GetCardUID.
        guard apdu.instruction == 0x51, let uid, uid.count == 7 else {
          throw Missing(reason: "the answer is encrypted with a key of that session")
        }
        plain = uid
      }
      let answer = session.answer(plain, cover.answer)
      self.session = .ntag424(session)
      return answer
    case .desFire(var session, let parts):
      let isContinued = apdu.instruction == 0xAF
      if !isContinued {
        session.receive(
          DESFireCommand(apdu.instruction, apdu.data), isEnciphered: cover.command == .full)
      }
      let all = (isContinued ? parts : []) + shown
      guard cover.isLast, cover.answer == .mac else {
        // Too short for a code, it enters the chain as it is.
        if cover.isLast { _ = session.answer(all) }
        self.session = .desFire(session, parts: cover.isLast ? [] : all)
        return shown
      }
      let answer = session.answer(all.dropLast(code))
      self.session = .desFire(session, parts: [])
      return Array(answer.suffix(shown.count))
    }
  }
}
