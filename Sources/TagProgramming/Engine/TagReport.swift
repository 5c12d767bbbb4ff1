import NDEF
import PN532
import Readers
import TagMemory

/// What became of one tag.
public struct TagReport: Sendable {
  /// How the job ended.
  public enum Result: String, Hashable, Sendable {
    /// The tag was read and nothing else was asked for.
    case read
    /// The tag was changed and now holds what was wanted, read back.
    case written
    /// The tag held what was wanted already.
    case unchanged
    /// Nothing was written: this is what would be.
    case planned
    /// See `failure`.
    case failed
  }

  /// One line of `info`: what, and how it stands.
  public struct Detail: Hashable, Sendable {
    public let label: String
    public let text: String

    public init(_ label: String, _ text: String) {
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

    /// Codes of what no write changes: what the tag is, and what of it is lost.
    static let lasting: Set = [
      "product", "card-size", "sector-destroyed", "sector-closed", "not-restored", "message-lost",
      "lock-byte",
    ]

    public init(_ code: String, _ text: String) {
      self.code = code
      self.text = text
    }
  }

  public internal(set) var result = Result.failed
  public internal(set) var target: Target?
  public internal(set) var product: Product?
  /// In CoreNFC's words.
  public internal(set) var status: NDEFStatus?
  /// The longest message in bytes that fits.
  public internal(set) var capacity: Int?
  /// The message on the tag, nil where it has none that can be read.
  public internal(set) var message: Message?
  /// Length in bytes of what the message TLV holds, readable or not.
  public internal(set) var messageLength: Int?
  /// The bytes of the message TLV as they stand on the tag.
  public internal(set) var rawMessage: [UInt8]?
  /// The bytes of `rawMessage` that readers find covered by the tag's ASCII mirror, where its configuration was read.
  /// After `info` and `read` the message is as shown, after a write as stored.
  public internal(set) var mirrored: Range<Int>?
  /// Whether nobody can ever write the message any more: lock bits, access conditions. Nil where that was not looked at.
  public internal(set) var isLocked: Bool?
  /// Whether a password is needed for something. Nil where that was not looked at.
  public internal(set) var isPasswordProtected: Bool?
  /// Whether everything said here of the message was read from the tag after the last write.
  public internal(set) var verified = false
  /// With a job that writes a message: whether it is on the tag. A failed tag may hold it all the same.
  public internal(set) var newMessage = NewMessage.absent
  public internal(set) var counts = OperationCounts()
  /// Writes that were not needed because the tag held those bytes.
  public internal(set) var skipped = 0
  /// From the start of the look that found the tag, as measured; the counts begin there too.
  public internal(set) var duration = Duration.zero
  /// How an exchange with the reader is modelled: at its line's speed.
  public internal(set) var exchangeTime = ExchangeTime(speed: nil)
  /// Whether `program` was only planned, and nothing written.
  public internal(set) var isDryRun = false
  /// What was, or would be, done.
  public internal(set) var program: TagProgram?
  /// The whole memory as far as it can be read, for `info`: rows of a block or a page.
  public internal(set) var memory: [MemoryRow] = []
  /// The same with keys and password where they are known, for `dump`.
  public internal(set) var dump: TagDump?
  public internal(set) var details: [Detail] = []
  public internal(set) var findings: [Finding] = []
  public internal(set) var failure: ProgramFailure?

  init() {}

  /// The report of a job that reached no tag.
  static func failed(_ failure: ProgramFailure, counts: OperationCounts) -> TagReport {
    var report = TagReport()
    report.failure = failure
    report.counts = counts
    return report
  }
}

/// A block or a page of a tag's memory.
public struct MemoryRow: Hashable, Sendable {
  /// `Block 4`, `Page 4`.
  public let label: String
  /// Nil where it cannot be read.
  public let bytes: [UInt8]?
}
