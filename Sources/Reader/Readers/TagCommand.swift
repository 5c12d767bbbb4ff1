import PN532

/// One command to a tag, as a value: what is sent, what it asks for, which answer belongs to it,
/// and what no trace may show.
///
/// `TagReader.send` carries it out. Traces, counts and the cost model read the value, so nobody
/// takes its bytes apart again. What a user typed becomes one by `init(raw:for:)`.
package struct TagCommand: Hashable, Sendable {
  /// What it asks of the tag, for counts; a write may leave the tag programming.
  package enum Kind: Hashable, Sendable {
    case authentication, read, write, other
  }

  /// Which of the chip's commands carries it (UM0701-02, 7.3.8 and 7.3.9).
  package enum Way: Hashable, Sendable {
    /// InDataExchange: the chip knows the command, or does ISO-DEP for the tag.
    case dataExchange
    /// InCommunicateThru: the bytes go out as they are, CRC added and checked.
    case thru
  }

  /// What the tag sends back where it obeys, without what `addressing` puts around it.
  package enum Answer: Hashable, Sendable {
    /// An acknowledge without data.
    case none
    /// So many bytes, neither more nor less.
    case bytes(Int)
    /// Whatever the tag has to say.
    case any
  }

  /// What the reader adds so that the selected tag feels addressed.
  package enum Addressing: Hashable, Sendable {
    /// Nothing: type A and ISO-DEP address by selection.
    case selection
    /// The last four bytes of the UID at the end (MIFARE Classic authentication, UM0701-02, 7.3.8).
    case uid
    /// The length byte in front, and in the answer, which is handed out without it.
    case length
    /// FeliCa (JIS X 6319-4): length in front, IDm behind the code. The answer's length, code, IDm
    /// and status flags are checked and taken off.
    case idm
  }

  /// What goes to the tag, its code first, without CRC and without what `addressing` adds.
  package let frame: [UInt8]
  package let kind: Kind
  package let way: Way
  package let answer: Answer
  package let addressing: Addressing
  /// What the tag does with it, as far as its cost goes.
  package let work: TagWork
  /// Which bytes of `frame` and of the answer no trace shows.
  package let secrets: Secrets
  /// How many bytes it asks the tag for, with what addressing puts around them; nil where it does
  /// not say.
  package let asks: Int?
  /// Is true if it is an APDU, which a card answers.
  let isAPDU: Bool
  /// Says whether it may be sent again when the line loses it or its answer: it changes nothing and
  /// counts nothing.
  package let mayRepeat: Bool

  package init(
    _ frame: [UInt8], kind: Kind = .other, way: Way = .dataExchange, answer: Answer = .any,
    addressing: Addressing = .selection, work: TagWork = .answer, secrets: Secrets = .none,
    mayRepeat: Bool = false, asks: Int? = nil, isAPDU: Bool = false
  ) {
    self.frame = frame
    self.kind = kind
    self.way = way
    self.answer = answer
    self.addressing = addressing
    self.work = work
    self.secrets = secrets
    self.mayRepeat = mayRepeat
    self.isAPDU = isAPDU
    if case .bytes(let count) = answer, asks == nil {
      self.asks = count + addressing.answerByteCount
    } else {
      self.asks = asks
    }
  }
}

extension TagCommand {
  /// Why it does not pass a reader with `limit`; nil where nothing speaks against it.
  package func excess(over limit: ExchangeLimit) -> ExchangeLimit.Excess? {
    limit.excess(
      command: frame.count + addressing.commandByteCount, answer: asks, isAPDU: isAPDU)
  }
}

extension TagCommand.Addressing {
  /// How many bytes it adds to a command.
  fileprivate var commandByteCount: Int {
    switch self {
    case .selection: 0
    case .uid: 4
    case .length: 1
    case .idm: 9
    }
  }

  /// How many bytes stand around an answer.
  fileprivate var answerByteCount: Int {
    switch self {
    case .selection, .uid: 0
    case .length: 1
    case .idm: 12
    }
  }
}
