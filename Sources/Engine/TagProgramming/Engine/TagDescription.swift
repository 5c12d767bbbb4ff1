import NDEF
import TagMemory

/// A description says what a tag is and holds, as far as it was looked at.
public struct TagDescription: Hashable, Sendable {
  /// One line of `info`: what, and how it stands.
  package struct Detail: Hashable, Sendable {
    package let label: String
    package let text: String

    package init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }
  }

  /// Something that is odd about the tag, by name.
  public struct Finding: Hashable, Sendable {
    /// Stable, for programs: `mad-crc`.
    public let code: String
    /// A sentence.
    public let text: String
    /// What can be done about it; nil for nothing.
    package let remedy: Remedy?

    package init(_ code: String, _ text: String, remedy: Remedy? = nil) {
      (self.code, self.text, self.remedy) = (code, text, remedy)
    }
  }

  /// Which chip it is; nil where that is not known.
  public internal(set) var product: Product?
  /// The content stands where the tag's message belongs.
  public internal(set) var content = Content.notLookedAt
  /// What keeps readers out that have no password, and no key but the public ones, where `content`
  /// was read with another.
  package internal(set) var closed: ReadObstacle?
  /// What its container or directory, locks and access conditions let such readers do; nil where
  /// that was not looked at.
  var access: NDEFStatus?
  /// The longest message in bytes that fits.
  public internal(set) var capacity: Int?
  /// Is true if the message can never be changed: lock bits, access conditions, rights of its file.
  /// Nil where that was not looked at.
  public internal(set) var isLocked: Bool?
  /// Is true if whoever has a key of the tag's can undo that all the same.
  package internal(set) var isLockedUnderKey = false
  /// Is true if a password is needed for something. Nil where that was not looked at.
  public internal(set) var isPasswordProtected: Bool?
  /// Is true if a password is needed to read the message. Nil where that was not looked at.
  package internal(set) var isReadProtected: Bool?
  /// The settings of a Type 2 chip that has some, as far as they were read.
  package internal(set) var configuration: Configuration?
  /// The whole memory as far as it can be read, for `info`: rows of a block or a page.
  package internal(set) var memory: [MemoryRow] = []
  /// The dump holds the whole memory as far as it can be read, with keys and password where they
  /// are known: for `info` and `dump`.
  public internal(set) var dump: TagDump?
  package internal(set) var details: [Detail] = []
  /// What the maker's signature says, for `info`; nil where the product has none that is known
  /// here.
  package internal(set) var origin: OriginalitySignature.Verdict?
  /// The findings say what is unusual about the tag.
  public internal(set) var findings: [Finding] = []

  init() {}

  /// In CoreNFC's words: what a telephone can do. Nil where that was not looked at.
  public var status: NDEFStatus? {
    switch content {
    case .notLookedAt, .message, .empty: closed == nil ? access : .notSupported
    case .lost(let lost): lost.isFormatted && closed == nil ? access : .notSupported
    case .unreadable, .unformatted, .blank, .foreign: .notSupported
    }
  }

  /// The message on the tag, nil where it has none that can be read.
  public var message: Message? { content.held?.message }

  /// Length in bytes of what stands where the message belongs, readable or not.
  public var messageLength: Int? { content.length }

  /// The bytes of the message that the tag fills in as it is read, as far as its configuration was
  /// read.
  package var mirrored: Range<Int>? { content.held?.filling?.range }

  /// What a telephone finds, which has no password, and no key but the public ones.
  package var shownContent: Content { closed.map(Content.unreadable) ?? content }

  /// Takes over what the tag holds, and names what is wrong with the records of its message.
  mutating func hold(_ content: Content) {
    self.content = content
    guard let fault = content.held?.fault else { return }
    findings.append(Finding("ndef", "The message cannot be read: \(fault)"))
  }

  /// The bytes of the message that the tag now holds, none of an empty one; `filling`: what of it
  /// the tag fills in as it is read.
  mutating func holdWritten(_ bytes: [UInt8], _ filling: HeldMessage.Filling? = nil) {
    // A write that was read back is what was read.
    hold(Content(written: bytes, filling))
  }

  /// Refuses a tag that would be locked without a message on it that readers understand, unless
  /// that is meant.
  func requireMessage(force: Bool, isFormatted: Bool? = nil) throws(JobFailure) {
    if let obstacle = content.obstacle { throw JobFailure(unreadable: obstacle) }
    guard isFormatted ?? (status != .notSupported) else {
      throw Self.notLocked(closed.map(Cause.Missing.readers) ?? .format)
    }
    guard !force else { return }
    guard let message else { throw Self.notLocked(.message) }
    for (index, record) in message.records.enumerated() {
      guard case .malformed(let malformed) = record.content else { continue }
      throw Self.notLocked(.wellFormedRecord(index + 1, malformed.error))
    }
  }

  private static func notLocked(_ missing: Cause.Missing) -> JobFailure {
    let isChoice =
      switch missing {
      case .format, .readers: false
      case .message, .wellFormedRecord: true
      }
    return JobFailure(.nothingToLock(missing), remedy: .writeMessageFirst(isChoice: isChoice))
  }
}

/// A block or a page of a tag's memory.
package struct MemoryRow: Hashable, Sendable {
  /// `Block 4`, `Page 4`.
  package let label: String
  /// Nil where it cannot be read.
  package let bytes: [UInt8]?
}
