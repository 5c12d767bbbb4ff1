import NDEF
import TagMemory

/// What a tag is and holds, as far as it was looked at.
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

  /// What stands where a message belongs and is none.
  package enum OtherContent: Hashable, Sendable {
    /// Somebody's data of another kind.
    case data
    /// Bytes behind a capability container or a directory that promises a message.
    case lostMessage
  }

  /// Which chip it is; nil where that is not known.
  public internal(set) var product: Product?
  /// In CoreNFC's words.
  public internal(set) var status: NDEFStatus?
  /// The longest message in bytes that fits.
  public internal(set) var capacity: Int?
  /// The message on the tag, nil where it has none that can be read.
  public internal(set) var message: Message?
  /// Length in bytes of what stands where the message belongs, readable or not.
  public internal(set) var messageLength: Int?
  /// The bytes of the message as they stand on the tag.
  package internal(set) var rawMessage: [UInt8]?
  /// The bytes of `rawMessage` that readers find covered by the tag's ASCII mirror, where its
  /// configuration was read. After `info` and `read` the message is as shown, after a write as
  /// stored.
  package internal(set) var mirrored: Range<Int>?
  /// The bytes of the message by which a tag is known again that fills places of it in as it is
  /// read: with stand-ins in the places (`SDMTemplate`), or its UID and a counter of zeros
  /// (`MessageMirror`). Nil where it fills none in.
  package internal(set) var storedMessage: [UInt8]?
  /// The place that its ASCII mirror fills in, where all of that lies in the message.
  package internal(set) var mirror: MessageMirror?
  /// Where the code of such a message begins.
  package internal(set) var codeInput = SDMTemplate.CodeInput.empty
  /// What a tag holds that shows no message; nil where it is blank, and where that was not looked
  /// at.
  package internal(set) var otherContent: OtherContent?
  /// Whether the message can never be changed: lock bits, access conditions, rights of its file.
  /// Nil where that was not looked at.
  public internal(set) var isLocked: Bool?
  /// Whether whoever has a key of the tag's can undo that all the same.
  package internal(set) var isLockedUnderKey = false
  /// Whether a password is needed for something. Nil where that was not looked at.
  public internal(set) var isPasswordProtected: Bool?
  /// Whether the tag does not show where its message would be without a password or key that was
  /// not given.
  package internal(set) var isHidden = false
  /// The whole memory as far as it can be read, for `info`: rows of a block or a page.
  package internal(set) var memory: [MemoryRow] = []
  /// The same with keys and password where they are known, for `dump`.
  public internal(set) var dump: TagDump?
  package internal(set) var details: [Detail] = []
  /// What is unusual about it.
  public internal(set) var findings: [Finding] = []

  init() {}

  /// Takes over what a formatted tag holds where its message belongs: the bytes of `block`, nil for
  /// no message.
  mutating func setMessage(_ block: TLVScan.Block?) {
    message = nil
    messageLength = block?.length
    rawMessage = nil
    guard let value = block?.value, !value.isEmpty else { return }
    setMessage(value)
  }

  /// The bytes of the message that the tag now holds.
  mutating func setMessage(_ bytes: [UInt8]) {
    messageLength = bytes.count
    rawMessage = bytes
    do throws(NDEFError) {
      message = try Message(parsing: bytes)
    } catch {
      message = nil
      findings.append(Finding("ndef", "The message cannot be read: \(error)"))
    }
  }

  /// Refuses a tag that would be locked without a message on it that readers understand, unless
  /// that is meant.
  func requireMessage(force: Bool, isFormatted: Bool? = nil) throws(JobFailure) {
    guard isFormatted ?? (status != .notSupported) else {
      throw Self.notLocked(.format)
    }
    guard !force else { return }
    guard let message else { throw Self.notLocked(.message) }
    for (index, record) in message.records.enumerated() {
      guard case .malformed(let malformed) = record.content else { continue }
      throw Self.notLocked(.wellFormedRecord(index + 1, malformed.error))
    }
  }

  private static func notLocked(_ missing: Cause.Missing) -> JobFailure {
    JobFailure(
      .nothingToLock(missing), remedy: .writeMessageFirst(isChoice: missing != .format))
  }
}

/// A block or a page of a tag's memory.
package struct MemoryRow: Hashable, Sendable {
  /// `Block 4`, `Page 4`.
  package let label: String
  /// Nil where it cannot be read.
  package let bytes: [UInt8]?
}
