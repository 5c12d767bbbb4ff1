import TagMemory

/// How an exchange with a card depends on keys of the moment: in another session the same command
/// and the same answer have other bytes.
///
/// DESFire: MF3ICDx21, 9.1 and 9.2. NTAG 424 DNA: NT4H2421Gx, 9.1 and table 22.
enum Sealing: Hashable {
  /// Not at all.
  case none
  /// The first half of a proof, a challenge of the card's.
  case begins(Proof)
  /// The second half of it.
  case proves(Proof)
  /// A command of a session that is open.
  case within(Cover)

  /// A proof that a key is known.
  struct Proof: Hashable {
    /// The instruction that began it: 0A, 1A and AA of DESFire, 71 and 77 of NTAG 424 DNA.
    let way: UInt8
    /// Of the key.
    let number: UInt8
    /// By the leakage resilient primitive.
    var usesLRP = false

    var isNTAG424: Bool { way == 0x71 || way == 0x77 }
  }

  /// What of a command and its answer is covered.
  struct Cover: Hashable {
    /// So many bytes of the command's data go as they are.
    var header = 0
    /// The rest of them.
    var command = EV2Session.Mode.plain
    var answer = EV2Session.Mode.plain

    /// Is true if the answer ends there; more of it is asked for with AF.
    var isLast = true

    /// Bytes of a code.
    static let codeByteCount = 8
  }
}

/// Goes through a session and says of each exchange how it is sealed.
struct SealingReader {
  private var begun: Sealing.Proof?
  private var open: Sealing.Proof?

  /// Takes the next exchange.
  mutating func take(_ exchange: RecordedExchange) -> Sealing {
    guard let apdu = CardExchange(exchange) else {
      if exchange.endsSelection { (begun, open) = (nil, nil) }
      return .none
    }
    let proof = begun
    begun = nil
    guard apdu.instructionClass == 0x90 else {
      // An application, by its name.
      if apdu.instruction == 0xA4, apdu.p1 == 0x04 { open = nil }
      return .none
    }
    switch apdu.instruction {
    case 0x0A, 0x1A, 0xAA, 0x71, 0x77:
      open = nil
      guard apdu.isGood, !apdu.answer.isEmpty else { return .none }
      let usesLRP = apdu.answer.count == 17
      let begins = Sealing.Proof(
        way: apdu.instruction, number: apdu.data.first.flatMap(\.self) ?? 0, usesLRP: usesLRP)
      begun = begins
      return .begins(begins)
    case 0xAF where proof != nil:
      guard let proof, apdu.isGood, !apdu.answer.isEmpty else { return .none }
      open = proof
      return .proves(proof)
    case 0x5A:
      open = nil
      return .none
    default: return covered(apdu)
    }
  }

  private mutating func covered(_ apdu: CardExchange) -> Sealing {
    guard let open else { return .none }
    guard apdu.isGood else {
      // An error ends the session.
      self.open = nil
      return .none
    }
    let cover = open.isNTAG424 ? apdu.ntag424Cover : apdu.desFireCover(open)
    // So do a change of the key itself and new settings, which are answered without a code.
    if apdu.answer.isEmpty, [0xC4, 0x5C].contains(apdu.instruction) { self.open = nil }
    return .within(cover)
  }
}

/// A command of a card and its answer, as far as they are known.
struct CardExchange {
  let instructionClass: UInt8
  let instruction: UInt8
  let p1: UInt8
  let data: [UInt8?]
  /// Where `data` begins in the chip's command.
  let start: Int
  /// Without the status word.
  let answer: [UInt8?]
  /// Says whether the status word says that all is well, or that more follows; where it is masked,
  /// an answer with data is one.
  let isGood: Bool
  /// More of the answer is asked for.
  let isLast: Bool

  /// Nil for what is no exchange with a card, and where the chip has failed.
  init?(_ exchange: RecordedExchange) {
    guard let frame = TagFrame.shown(in: exchange.command), frame.count >= 4,
      let bytes = exchange.answer, bytes.count > 2, bytes[0] == 0,
      let apdu = try? CommandAPDU(parsing: frame.map { $0 ?? 0 })
    else { return nil }
    (instructionClass, instruction) = (apdu.instructionClass, apdu.instruction)
    p1 = apdu.parameters.p1
    start = exchange.command.count - frame.count + (apdu.isExtended ? 7 : 5)
    data = Array(exchange.command.dropFirst(start).prefix(apdu.data.count))
    answer = Array(bytes[1...].dropLast(2))
    let status = (bytes[bytes.count - 2], bytes[bytes.count - 1])
    isLast = status.1 != 0xAF
    isGood =
      switch status {
      case (0x91, 0x00), (0x91, 0xAF), (0x90, 0x00): true
      case (nil, nil): !answer.isEmpty
      default: false
      }
  }

  /// What follows a command's own data is a code, or all of it is encrypted.
  var ntag424Cover: Sealing.Cover {
    var cover = Sealing.Cover(header: Self.headers[instruction] ?? data.count)
    switch instruction {
    case 0xC4, 0x5F, 0x5C: (cover.command, cover.answer) = (.full, .mac)
    // ReadData and WriteData: number of the file, offset, length.
    case 0xAD, 0x8D:
      let length = data.count >= 7 ? data[4...6].reversed().reduce(0) { $0 << 8 | Int($1 ?? 0) } : 0
      let plain = instruction == 0xAD ? 7 : 7 + length
      guard data.count > plain else { break }
      cover.command = data.count == plain + Sealing.Cover.codeByteCount ? .mac : .full
      let isCode = answer.count == (instruction == 0xAD ? length : 0) + Sealing.Cover.codeByteCount
      cover.answer = isCode ? .mac : .full
    default:
      guard data.count == cover.header + Sealing.Cover.codeByteCount else { break }
      cover.command = .mac
      cover.answer = [0x51, 0xF6, 0x3C].contains(instruction) ? .full : .mac
    }
    return cover
  }

  /// How many bytes of a command's data are never encrypted.
  private static let headers: [UInt8: Int] = [
    0xAD: 7, 0x8D: 7, 0xC4: 1, 0x5F: 1, 0x5C: 1, 0xF5: 1, 0x64: 1, 0xF6: 1, 0x3C: 1, 0x60: 0,
    0x51: 0, 0xF7: 0,
  ]

  /// Codes stand behind answers alone, and the first generation has none that nfcprog asks for.
  func desFireCover(_ proof: Sealing.Proof) -> Sealing.Cover {
    var cover = Sealing.Cover(header: data.count)
    switch instruction {
    case 0xC4, 0x5F: (cover.header, cover.command) = (min(1, data.count), .full)
    case 0x54: (cover.header, cover.command) = (0, .full)
    default: break
    }
    cover.isLast = isLast
    let hasCode = isLast && proof.way != 0x0A && answer.count >= Sealing.Cover.codeByteCount
    cover.answer = hasCode ? .mac : .plain
    return cover
  }
}

extension RecordedExchange {
  /// Returns the exchange with nil for each byte that is another one in another session.
  func opened(_ sealing: Sealing) -> RecordedExchange {
    guard let card = CardExchange(self) else { return self }
    let data = card.start..<card.start + card.data.count
    let answer = 1..<1 + card.answer.count
    func end(_ range: Range<Int>) -> Range<Int> {
      max(range.lowerBound, range.upperBound - Sealing.Cover.codeByteCount)..<range.upperBound
    }
    switch sealing {
    case .none: return self
    case .begins: return hiding(0..<0, answer)
    case .proves: return hiding(data, answer)
    case .within(let cover):
      let command =
        switch cover.command {
        case .plain: data.upperBound..<data.upperBound
        case .mac: end(data)
        case .full: min(data.lowerBound + cover.header, data.upperBound)..<data.upperBound
        }
      let covered =
        switch cover.answer {
        case .plain: answer.upperBound..<answer.upperBound
        case .mac: end(answer)
        case .full: answer
        }
      return hiding(command, covered)
    }
  }

  private func hiding(_ command: Range<Int>, _ answer: Range<Int>) -> RecordedExchange {
    var copy = self
    for index in command where copy.command.indices.contains(index) { copy.command[index] = nil }
    if var bytes = self.answer {
      for index in answer where bytes.indices.contains(index) { bytes[index] = nil }
      copy.outcome = .answer(bytes)
    }
    return copy
  }

  /// Says whether the tag is selected anew, or not any more: a look, the field, a release.
  fileprivate var endsSelection: Bool {
    switch CommandEffect(command.map { $0 ?? 0 }, inProtocol: true) {
    case .look, .release, .fieldOff: true
    default: answer?.first.flatMap(\.self).map { $0 & 0x3F != 0 } ?? true
    }
  }
}

extension RecordedSession {
  /// How each exchange is sealed.
  var sealings: [Sealing] {
    var reader = SealingReader()
    return exchanges.map { reader.take($0) }
  }

  /// The exchanges with nil for each byte that another session has other ones for.
  var opened: [RecordedExchange] {
    zip(exchanges, sealings).map { $0.opened($1) }
  }
}
