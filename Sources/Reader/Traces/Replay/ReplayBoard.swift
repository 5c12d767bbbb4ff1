import PN532

/// A board that answers as the one of a trace did, and tags that it saw.
///
/// A command that comes in the trace's order is answered as then. Any other is answered from what
/// the trace shows of the tag in the state that it is in now: never from what it might hold. What
/// was not seen is `notRecorded`, and so is everything behind that.
package struct ReplayBoard {
  /// What comes back.
  package enum Reply: Hashable, Sendable {
    /// What follows the answer code, after so long (nil: not told).
    case answer([UInt8], Duration?)
    /// The error frame.
    case refused(Duration?)
    /// Nothing.
    case silence
    /// A damaged answer.
    case damaged
    /// The line is gone.
    case lost
    /// What a genuine board does: nothing here concerns the tags.
    case board
    /// The trace does not say.
    case notRecorded(Divergence)
  }

  /// Where a run parts from its trace.
  package struct Divergence: Hashable, Sendable {
    /// The command that was sent now, its code first.
    package let command: [UInt8]
    /// Which exchange of the trace would have been next, counted from 1.
    package let number: Int
    /// Its line in the file, and its command; nil behind the last one.
    package let next: RecordedExchange?
    /// Why it cannot be answered: a clause.
    package let reason: String
  }

  private let session: RecordedSession
  private let effects: [CommandEffect]
  private let sealings: [Sealing]
  /// Before each exchange.
  private let contexts: [TagContext]
  private var table = TagContext.Table()
  /// The next exchange of the trace.
  private var cursor = 0
  private var context: TagContext
  private var standIns: StandIns
  /// Is true if RATS follows a selection by itself.
  private var hasAutomaticRATS = true
  /// How often what has happened.
  package private(set) var counts = Counts()
  package private(set) var divergence: Divergence?

  /// How a run was answered.
  package struct Counts: Hashable, Sendable {
    /// In the trace's order.
    package var asRecorded = 0
    /// From what the trace shows elsewhere.
    package var derived = 0
    /// By a genuine board.
    package var board = 0
  }

  /// `keys`: of the tag, 16 bytes each, for what the trace has masked.
  package init(_ session: RecordedSession, keys: [[UInt8]] = []) {
    standIns = StandIns(keys: keys)
    var session = session
    for index in session.exchanges.indices { session.exchanges[index].nameLook() }
    sealings = session.sealings
    for (index, sealing) in sealings.enumerated() {
      session.exchanges[index].command = session.exchanges[index].opened(sealing).command
    }
    var contexts: [TagContext] = []
    var effects: [CommandEffect] = []
    var now = table.start
    for (index, exchange) in session.exchanges.enumerated() {
      // An answer alone says nothing of what was asked.
      let effect =
        exchange.command.isEmpty
        ? .board
        : CommandEffect(exchange.command.map { $0 ?? 0 }, inProtocol: table.isInProtocol(now))
      contexts.append(now)
      effects.append(effect)
      now = table.context(after: exchange, index, effect, in: now)
    }
    context = table.start
    (self.session, self.contexts, self.effects) = (session, contexts, effects)
  }

  /// Takes a key that the host is about to prove for the tag's.
  package mutating func learn(_ key: [UInt8]) { standIns.learn(key: key) }

  /// What stood in for secrets, in words.
  package var standInUses: [String] { standIns.uses }

  /// When the next exchange of the trace was begun then; nil behind the last one, and where the
  /// file does not tell.
  package var nextStart: Duration? {
    cursor < session.exchanges.count ? session.exchanges[cursor].start : nil
  }

  /// How many exchanges of the trace were not asked for.
  package var remaining: Int { session.exchanges.count - cursor }

  /// Goes on with the part of a report that is called `name`; false where it has none.
  package mutating func begin(part name: String) -> Bool {
    guard let first = session.exchanges.firstIndex(where: { $0.part == name }) else { return false }
    (cursor, context, divergence) = (first, contexts[first], nil)
    return true
  }

  /// Answers a command, its code first.
  package mutating func answer(_ command: [UInt8]) -> Reply {
    if let divergence { return .notRecorded(divergence) }
    let effect = CommandEffect(command, inProtocol: table.isInProtocol(context))
    let reply =
      if let index = next(command, effect) {
        takeNext(index, command, effect)
      } else {
        derived(command, effect)
      }
    if command.count == 2, command[0] == CommandCode.setParameters.rawValue {
      hasAutomaticRATS = command[1] & 0x10 != 0
    }
    if case .notRecorded(let divergence) = reply { self.divergence = divergence }
    return reply
  }

  /// Returns whether a command changes nothing but the board: its registers, its line, its field.
  package static func concernsBoard(_ command: [UInt8]) -> Bool {
    let effect = CommandEffect(command, inProtocol: false)
    return effect == .board || effect == .fieldOff
  }

  // MARK: In the trace's order

  /// The exchange ahead that `command` is, where all between the last one and it may be left out:
  /// the tag is the same with them and without.
  private func next(_ command: [UInt8], _ effect: CommandEffect) -> Int? {
    var index = cursor
    while index < session.exchanges.count {
      if matches(session.exchanges[index], command) {
        return index == cursor || !effect.needsContext || contexts[index] == context ? index : nil
      }
      guard effect.mayPass(effects[index], session.exchanges[index]),
        effect != .look || !changesRATS(session.exchanges[index])
      else { return nil }
      index += 1
    }
    return nil
  }

  /// Returns whether a look finds other tags behind it: RATS follows a selection there, or does no
  /// more.
  private func changesRATS(_ exchange: RecordedExchange) -> Bool {
    guard let command = exchange.plainCommand, command.count == 2,
      command[0] == CommandCode.setParameters.rawValue
    else { return false }
    return (command[1] & 0x10 != 0) != hasAutomaticRATS
  }

  private func matches(_ exchange: RecordedExchange, _ command: [UInt8]) -> Bool {
    if Self.fits(exchange.command, command) { return true }
    // Between reader and tag nobody saw which of the chip's commands carried a frame.
    guard session.level == .air, let asked = TagFrame.bytes(in: command),
      let known = TagFrame.shown(in: exchange.command)
    else { return false }
    return Self.fits(known, asked)
  }

  private static func fits(_ known: [UInt8?], _ command: [UInt8]) -> Bool {
    known.count == command.count && zip(known, command).allSatisfy { $0 == nil || $0 == $1 }
  }

  private mutating func takeNext(
    _ index: Int, _ command: [UInt8], _ effect: CommandEffect
  ) -> Reply {
    let exchange = session.exchanges[index]
    let before = cursor
    cursor = index + 1
    let reply = reply(index, to: command, effect, at: before)
    guard case .notRecorded = reply else {
      if reply != .board { counts.asRecorded += 1 }
      if sealings[index] == .none { standIns.learn(command, for: exchange, index) }
      context = table.context(after: exchange, index, effects[index], in: context)
      return reply
    }
    return reply
  }

  /// Returns what came back then.
  private mutating func reply(
    _ index: Int, to command: [UInt8], _ effect: CommandEffect, at place: Int
  ) -> Reply {
    let exchange = session.exchanges[index]
    // The line's speed is of the line that is there now.
    if command.first == CommandCode.setSerialBaudRate.rawValue { return .board }
    switch exchange.outcome {
    case .answer(let bytes):
      do throws(StandIns.Missing) {
        let answer = try standIns.answer(
          bytes, sealings[index], to: command, uid: table.uid(of: context))
        if let answer { return .answer(answer, exchange.duration) }
      } catch {
        return miss(command, error.reason, at: place)
      }
      guard let filled = standIns.filled(bytes, to: command) else {
        return miss(
          command, "the answer holds a secret of that session, for which nothing stands in",
          at: place)
      }
      return .answer(filled, exchange.duration)
    case .refused: return .refused(exchange.duration)
    case .silence: return .silence
    case .damaged: return .damaged
    case .lost: return .lost
    case .untold where effect == .board || effect == .fieldOff: return .board
    case .untold: return miss(command, "the file does not have its answer", at: place)
    case .interrupted: return miss(command, "somebody ended the wait there", at: place)
    case .failed(let text): return miss(command, "it failed then: \(text)", at: place)
    }
  }

  private func miss(_ command: [UInt8], _ reason: String, at place: Int? = nil) -> Reply {
    let place = place ?? cursor
    return .notRecorded(
      Divergence(
        command: command, number: place + 1,
        next: place < session.exchanges.count ? session.exchanges[place] : nil, reason: reason))
  }

  // MARK: From what the trace shows

  private mutating func derived(_ command: [UInt8], _ effect: CommandEffect) -> Reply {
    switch effect {
    case .board, .fieldOff:
      if effect == .fieldOff { context = table.start }
      counts.board += 1
      return .board
    case .release:
      context = table.start
      counts.board += 1
      return .answer([StatusCode.ok.rawValue], nil)
    case .look: return derivedLook(command)
    case .read: return derivedRead(command)
    case .select, .authentication: return derivedRepetition(command, effect)
    case .write: return miss(command, "it changes the tag, and was not sent there")
    case .other: return miss(command, "it was not sent there")
    }
  }

  private mutating func derivedLook(_ command: [UInt8]) -> Reply {
    let known = KnownLooks(
      looks: session.exchanges.indices.filter { effects[$0] == .look }.map {
        (index: $0, exchange: session.exchanges[$0])
      }, cursor: cursor, hasAutomaticRATS: hasAutomaticRATS)
    guard let answer = known.answer(to: command) else {
      return miss(command, "no look of this kind was made")
    }
    counts.derived += 1
    let exchange = RecordedExchange(
      line: 0, command: command.map { $0 }, outcome: .answer(answer.map { $0 }))
    context = table.context(after: exchange, -1, .look, in: context)
    return .answer(answer, nil)
  }

  private mutating func derivedRead(_ command: [UInt8]) -> Reply {
    if let bytes = knownMemory.answer(to: TagFrame.bytes(in: command) ?? []) {
      counts.derived += 1
      return .answer([StatusCode.ok.rawValue] + bytes, nil)
    }
    return derivedRepetition(command, .read)
  }

  private var knownMemory: KnownMemory {
    let selection = table.selection(of: context)
    let facts = session.exchanges.indices.compactMap { index -> KnownMemory.Fact? in
      guard table.selection(of: contexts[index]) == selection, !table.isLost(context) else {
        return nil
      }
      return KnownMemory.Fact(
        session.exchanges[index], effects[index], isPast: index < cursor,
        isReadable: contexts[index] == context)
    }
    return KnownMemory(facts: facts, isClassic: (table.sak(of: context) ?? 0) & 0x08 != 0)
  }

  /// The nearest exchange with the same command in the same state of the tag, with no write between
  /// it and now; the one before where both are as near.
  private func repetition(of command: [UInt8]) -> Int? {
    func isSame(_ index: Int) -> Bool {
      contexts[index] == context && matches(session.exchanges[index], command)
        && (session.exchanges[index].plainCommand != nil
          || standIns.isSame(command, as: index) == true)
    }
    func isChange(_ index: Int) -> Bool { effects[index] == .write || effects[index] == .other }
    let before = session.exchanges.indices[..<cursor].reversed()
      .first { isChange($0) || isSame($0) }.flatMap { isChange($0) ? nil : $0 }
    let behind = session.exchanges.indices[cursor...]
      .first { isChange($0) || isSame($0) }.flatMap { isChange($0) ? nil : $0 }
    guard let before, let behind else { return before ?? behind }
    return cursor - before <= behind - cursor ? before : behind
  }

  /// The answer to the same command in the same state, with no write between then and now.
  private mutating func derivedRepetition(_ command: [UInt8], _ effect: CommandEffect) -> Reply {
    guard let index = repetition(of: command) else {
      return miss(command, "it was not sent in this state of the tag")
    }
    let reply = reply(index, to: command, effect, at: cursor)
    guard case .notRecorded = reply else {
      counts.derived += 1
      context = table.context(after: session.exchanges[index], index, effect, in: context)
      return reply
    }
    return reply
  }
}

extension CommandEffect {
  /// Is true if the answer depends on what the tag remembers.
  fileprivate var needsContext: Bool {
    switch self {
    case .board, .fieldOff, .look, .release: false
    case .read, .select, .authentication, .write, .other: true
    }
  }

  /// Returns whether a command of this effect may be one behind `exchange`, which was not asked for
  /// now.
  fileprivate func mayPass(_ effect: CommandEffect, _ exchange: RecordedExchange) -> Bool {
    // One that failed is part of what happened.
    switch exchange.outcome {
    case .answer, .untold: break
    case .refused, .silence, .damaged, .lost, .interrupted, .failed: return false
    }
    let isBare = exchange.answer?.first.flatMap(\.self) == 0
    switch self {
    case .board, .fieldOff: return effect == .board || effect == .fieldOff
    case .look, .release:
      switch effect {
      case .board, .fieldOff, .release, .read: return true
      // One that found nothing.
      case .look: return isBare
      case .select, .authentication, .write, .other: return false
      }
    case .read, .select, .authentication, .write, .other:
      switch effect {
      case .board, .fieldOff, .release, .look, .read, .select: return true
      // A refused password counts.
      case .authentication: return isBare
      case .write, .other: return false
      }
    }
  }
}

extension RecordedExchange {
  /// Gives an answer to a look that stands alone the command that asks for so many tags.
  fileprivate mutating func nameLook() {
    guard command.isEmpty, code == CommandCode.inListPassiveTarget.rawValue,
      let bytes = answer?.compactMap(\.self), let count = bytes.first, count > 0,
      (try? TypeATarget.list(parsing: bytes)) != nil
    else { return }
    command = [code, max(1, min(count, 2)), 0x00]
  }
}
