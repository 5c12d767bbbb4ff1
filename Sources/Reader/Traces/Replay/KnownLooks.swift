import PN532

/// What a trace shows of looks, for one that was not made then.
///
/// Only tags that the trace shows lie there: a look for a technology of which it has no tag finds
/// nothing.
struct KnownLooks {
  let looks: [(index: Int, exchange: RecordedExchange)]
  /// The next exchange of the trace.
  let cursor: Int
  let hasAutomaticRATS: Bool

  /// Returns what follows the answer code; nil: not known.
  func answer(to command: [UInt8]) -> [UInt8]? {
    guard command.count >= 3, command[0] == CommandCode.inListPassiveTarget.rawValue else {
      return same(as: command)
    }
    guard command[2] == 0x00 else { return same(as: command) ?? [0x00] }
    // A tag that did not answer to its UID a moment ago does not do so now.
    if command.count > 3, let same = same(as: command), same == [0x00] { return same }
    guard let present = present() else { return nil }
    let limit = Int(command[1])
    guard command.count > 3 else { return list(Array(present.prefix(max(1, limit)))) }
    let asked = Array(command.dropFirst(3))
    return list(Array(present.filter { Self.asked($0.uid) == asked }.prefix(1)))
  }

  /// The answer to the same command that is nearest before, or else behind.
  private func same(as command: [UInt8]) -> [UInt8]? {
    let same = looks.filter { $0.exchange.plainCommand == command && $0.exchange.answer != nil }
    let nearest = same.last { $0.index < cursor } ?? same.first
    return nearest?.exchange.answer?.compactMap(\.self)
  }

  /// The tags of type A that lie there: those of the last look for all, or else of the next.
  private func present() -> [TypeATarget]? {
    let named = looks.compactMap { look -> (index: Int, tags: [TypeATarget])? in
      let command = look.exchange.command
      guard command.count >= 3, command[0] == 0x4A, command[2] == 0x00,
        let answer = look.exchange.answer?.compactMap(\.self)
      else { return nil }
      if answer.first == 0 { return command.count == 3 ? (look.index, []) : nil }
      let tags =
        (try? TypeATarget.list(parsing: answer, automaticRATS: true))
        ?? (try? TypeATarget.list(parsing: answer, automaticRATS: false))
      return tags.map { (look.index, $0) }
    }
    return (named.last { $0.index < cursor } ?? named.first)?.tags
  }

  /// Nil where the chip would send RATS, and nobody has seen the answer to it.
  private func list(_ tags: [TypeATarget]) -> [UInt8]? {
    guard !hasAutomaticRATS || tags.allSatisfy({ $0.sak & 0x20 == 0 || $0.hasATS }) else {
      return nil
    }
    var bytes = [UInt8(tags.count)]
    for (index, tag) in tags.enumerated() {
      let entry = tag.serialize()
      let bare = 5 + tag.uid.count
      bytes +=
        [UInt8(index + 1)]
        + (hasAutomaticRATS ? entry.dropFirst() : entry[1..<min(bare, entry.count)])
    }
    return bytes
  }

  /// A UID as a look asks for it: with a cascade tag before each part but the last (UM0701-02,
  /// 7.3.5).
  private static func asked(_ uid: [UInt8]) -> [UInt8] {
    switch uid.count {
    case 7: [0x88] + uid
    case 10: [0x88] + uid[..<3] + [0x88] + uid[3...]
    default: uid
    }
  }
}
