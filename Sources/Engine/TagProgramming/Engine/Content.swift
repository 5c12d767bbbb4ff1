import TagMemory

/// The content stands where the message of a tag belongs, as far as it was looked at: the one
/// answer from which everything follows that is said of it.
///
/// What says that something is not there can be made of bytes alone that were read (`BytesRead`).
/// So a tag that does not show itself is never called empty, blank or not formatted.
public enum Content: Hashable, Sendable {
  /// Nobody has looked, or not far enough to tell.
  case notLookedAt
  /// The tag does not show it.
  case unreadable(ReadObstacle)
  /// A message, whether or not its records are well formed.
  case message(HeldMessage)
  /// A message without bytes.
  case empty(BytesRead)
  /// Bytes behind a capability container or a directory that promises a message, and none of one.
  case lost(LostMessage)
  /// Nothing on the tag says that it is an NDEF tag; not all of its memory was looked at.
  case unformatted(BytesRead)
  /// Nothing on the tag says that it is an NDEF tag, and every byte of its memory is zero.
  case blank(BytesRead)
  /// Somebody's data of another kind.
  case foreign(BytesRead)

  /// The message; nil where there is none that was read.
  public var held: HeldMessage? { if case .message(let held) = self { held } else { nil } }

  /// Why the tag does not show it; nil where it does, and where nobody looked.
  public var obstacle: ReadObstacle? {
    if case .unreadable(let obstacle) = self { obstacle } else { nil }
  }

  /// Is true if a message without bytes was read.
  public var isEmpty: Bool { if case .empty = self { true } else { false } }

  /// The bytes that a reader finds: none of an empty message; nil where it finds no message, and
  /// where the tag fills in a part that was not read.
  public var shown: [UInt8]? { isEmpty ? [] : held?.shown }

  /// The bytes by which the message is known again: those of `shown`, with stand-ins in the places
  /// that the tag fills in. Nil where no message was read.
  package var stored: [UInt8]? { isEmpty ? [] : held?.stored }

  /// The length in bytes of the message, readable or not; nil where none was seen.
  public var length: Int? {
    switch self {
    case .message(let held): held.stored.count
    case .empty: 0
    case .lost(let lost): lost.length
    case .unreadable(let obstacle): obstacle.length
    case .notLookedAt, .unformatted, .blank, .foreign: nil
    }
  }

  /// Stable, for programs.
  public var name: String {
    switch self {
    case .notLookedAt: "notLookedAt"
    case .unreadable: "unreadable"
    case .message: "message"
    case .empty: "empty"
    case .lost: "lost"
    case .unformatted: "unformatted"
    case .blank: "blank"
    case .foreign: "foreign"
    }
  }
}

/// Bytes that were read from a tag: what tells that something is not there.
public struct BytesRead: Hashable, Sendable {
  /// How many.
  public let byteCount: Int
  /// Is true if each of them is zero.
  let isZero: Bool

  /// Nil where one of `units` was not read, and where there are none.
  init?(_ units: some Sequence<[UInt8]?>) {
    var (byteCount, isZero) = (0, true)
    for unit in units {
      guard let unit else { return nil }
      byteCount += unit.count
      isZero = isZero && unit.allSatisfy { $0 == 0 }
    }
    guard byteCount > 0 else { return nil }
    (self.byteCount, self.isZero) = (byteCount, isZero)
  }

  private init() { (byteCount, isZero) = (1, true) }

  /// The length of 0 that a program has written, and that is read back before it is told.
  fileprivate static let length = BytesRead()
}

/// Bytes of a message that readers find and cannot take for one.
public struct LostMessage: Hashable, Sendable {
  /// The length in bytes that stands before them; nil where none does.
  public let length: Int?
  /// What is wrong: a clause.
  package let reason: String
  /// Is true if readers take the tag for an NDEF tag all the same.
  package let isFormatted: Bool

  init(_ reason: String, length: Int? = nil, isFormatted: Bool = true) {
    (self.reason, self.length, self.isFormatted) = (reason, length, isFormatted)
  }
}

extension Content {
  /// A message that was written and read back, `filling` aside; one without bytes has a length that
  /// was.
  init(written bytes: [UInt8], _ filling: HeldMessage.Filling? = nil) {
    self = bytes.isEmpty ? .empty(.length) : .message(HeldMessage(writing: bytes, filling))
  }

  /// What a tag without a container or a directory holds, by which that was seen (`frame`) and by
  /// the units of its `memory`, nil for those that were not read. Not looked at where `frame` was
  /// not read, either.
  static func withoutFrame(_ frame: some Sequence<[UInt8]?>, memory: [[UInt8]?]) -> Content {
    guard let frame = BytesRead(frame) else { return .notLookedAt }
    if let data = memory.first(where: { $0?.contains { $0 != 0 } ?? false }),
      let evidence = BytesRead([data])
    {
      return .foreign(evidence)
    }
    guard let whole = BytesRead(memory), whole.isZero else { return .unformatted(frame) }
    return .blank(whole)
  }

  /// What stands in an area of TLVs, as far as it was read (`known`); nil where the tag has to be
  /// asked for more of it.
  ///
  /// `isFormatted`: readers take the tag for an NDEF tag even where the area has no message.
  init?(
    _ scan: TLVScan, known: [UInt8], isFormatted: Bool,
    holding: ([UInt8]) -> HeldMessage = HeldMessage.init
  ) {
    guard let message = scan.message else {
      guard scan.progress != .broken, case .complete = scan.progress, let read = BytesRead([known])
      else {
        if case .needs = scan.progress { return nil }
        self = .lost(LostMessage("no message ends within the tag", isFormatted: isFormatted))
        return
      }
      self =
        read.isZero
        ? (isFormatted ? .empty(read) : .blank(read))
        : .lost(LostMessage("no message stands where one belongs", isFormatted: isFormatted))
      return
    }
    guard message.valueRuns != nil else {
      self = .lost(
        LostMessage(
          "no message ends within the tag", length: message.length, isFormatted: isFormatted))
      return
    }
    guard let value = message.value, let read = BytesRead([known]) else { return nil }
    self = value.isEmpty ? .empty(read) : .message(holding(value))
  }
}
