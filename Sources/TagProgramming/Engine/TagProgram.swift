import Bytes
import TagMemory

/// What will be done to a tag, as a value: print it, cost it, test it, run it.
///
/// The planners alone decide what is written; a program holds their decision, the reading back included. Run
/// again on a tag that holds what was wanted, planning gives a program without writes.
public struct TagProgram: Hashable, Sendable {
  /// One command to the tag (or, for the widest reads, as few as the reader needs).
  public enum Step: Hashable, Sendable {
    /// Open a MIFARE Classic sector.
    case authenticate(Sector, KeyCandidate)
    /// Write the 16 bytes of a block.
    case writeBlock(Block, [UInt8], Purpose)
    /// Read a block; the bytes that are not nil must be there.
    case checkBlock(Block, [UInt8?])
    /// Write the 4 bytes of a page.
    case writePage(Page, [UInt8], Purpose)
    /// Read pages from `first` on; the bytes that are not nil must be there.
    case checkPages(first: Page, [UInt8?])
    /// Give the password; the tag must answer with this acknowledge.
    case enterPassword([UInt8], pack: [UInt8])
    /// Select the tag anew, give no password and write a page with what it holds: the tag must refuse.
    case checkRefusal(Page, [UInt8])
  }

  /// What a write is for.
  public enum Purpose: Hashable, Sendable {
    /// Sets the length of the message that is there to 0.
    case switchOff
    /// Bytes that no reader looks at yet.
    case content
    /// Holds the length of the new message.
    case switchOn
    /// A sector trailer: keys, access bits, general purpose byte.
    case trailer
    /// A block of the MIFARE application directory.
    case directory
    /// Page 3: bits can be set, never cleared.
    case capabilityContainer
    /// Back to the state of delivery.
    case blank
    /// A block as a dump has it.
    case restored
    /// What the operator gave; `isIrreversible` where the page is OTP or holds lock bits.
    case raw(isIrreversible: Bool)
    /// A password or a key.
    case secret
    /// What the password protects.
    case configuration
    /// Lock bits, or the capability container's word that nobody may write: for good.
    case lock
  }

  public internal(set) var steps: [Step] = []
  /// The parts that it was joined of, in their order; none where it is of one piece.
  public internal(set) var phases: [Phase] = []
  /// Writes that were left out because the tag holds those bytes already.
  public internal(set) var unchanged = 0
  /// Whether the message that is there stays, in an area that is mended or grows.
  var keepsMessage = false
  /// The block of a blank tag that, torn, cannot be told from somebody's data: the first that is written. Nil for none.
  var blindSpot: Block?
  /// Pages that this run has written before and that hold something else.
  var repairs: Set<Page> = []
  /// A page in whose write the program stopped, and which this job would take for somebody's data if it was damaged by that.
  var doubtfulPage: Page?
  /// Whether pages are read back with FAST_READ, of which one holds many.
  var readsFast = false
  /// The bytes of the message that the tag's ASCII mirror will cover, where its configuration was read; nil for none.
  public internal(set) var mirrored: Range<Int>?

  /// Adds the steps of `other` behind these.
  mutating func append(_ other: TagProgram) {
    steps += other.steps
    unchanged += other.unchanged
  }

  /// Whether any of the steps writes `page`.
  func writes(_ page: Page) -> Bool {
    steps.contains { if case .writePage(page, _, _) = $0 { true } else { false } }
  }

  /// Whether there is anything to write.
  public var changesTag: Bool { steps.contains(where: \.isWrite) }

  /// The steps that can never be undone.
  public var irreversibleSteps: [Step] { steps.filter(\.isIrreversible) }
}

extension TagProgram.Step {
  public var isWrite: Bool {
    switch self {
    case .writeBlock, .writePage: true
    case .authenticate, .checkBlock, .checkPages, .enterPassword, .checkRefusal: false
    }
  }

  /// What it is written for; nil for a step that writes nothing.
  public var purpose: TagProgram.Purpose? {
    switch self {
    case .writeBlock(_, _, let purpose), .writePage(_, _, let purpose): purpose
    case .authenticate, .checkBlock, .checkPages, .enterPassword, .checkRefusal: nil
    }
  }

  /// Whether this step can never be undone.
  public var isIrreversible: Bool {
    switch purpose {
    case .capabilityContainer, .lock, .raw(isIrreversible: true): true
    default: false
    }
  }
}

extension TagProgram.Step: CustomStringConvertible {
  /// As a plan prints it; keys by their names, the keys inside a sector trailer not at all.
  public var description: String {
    switch self {
    case .authenticate(let sector, let candidate):
      "open \(sector): \(candidate)"
    case .writeBlock(let block, let bytes, .trailer):
      "write \(block): keys and access bits \(Hex.string(bytes[6..<9]).uppercased()), "
        + "general purpose byte \(Hex.byte(bytes[9]).uppercased())"
    case .writeBlock(let block, let bytes, .lock):
      "write \(block): access bits \(Hex.string(bytes[6..<9]).uppercased()), "
        + "general purpose byte \(Hex.byte(bytes[9]).uppercased())  \(TagProgram.Purpose.lock)"
    case .writeBlock(let block, let bytes, let purpose):
      "write \(block): \(Hex.string(bytes, separator: " ").uppercased())  \(purpose)"
    case .checkBlock(let block, _):
      "read \(block) back"
    case .writePage(let page, _, .secret):
      "write \(page): \(TagProgram.Purpose.secret)"
    case .writePage(let page, let bytes, let purpose):
      "write \(page): \(Hex.string(bytes, separator: " ").uppercased())  \(purpose)"
    case .checkPages(let first, let bytes):
      bytes.count <= Page.byteCount
        ? "read \(first) back"
        : "read pages \(first.number) to \(Int(first.number) + bytes.count / 4 - 1) back"
    case .enterPassword:
      "give the password, which the tag acknowledges"
    case .checkRefusal(let page, _):
      "select the tag anew and write \(page) as it is, without the password, which the tag refuses"
    }
  }
}

extension TagProgram.Purpose: CustomStringConvertible {
  public var description: String {
    switch self {
    case .switchOff: "(the present message is switched off)"
    case .content: "(content)"
    case .switchOn: "(the length: the message is on)"
    case .trailer: "(sector trailer)"
    case .directory: "(MIFARE application directory)"
    case .capabilityContainer: "(capability container, irreversible)"
    case .blank: "(as delivered)"
    case .restored: "(from the dump)"
    case .raw(let isIrreversible): isIrreversible ? "(irreversible)" : ""
    case .secret: "(a password or key)"
    case .configuration: "(what the password protects)"
    case .lock: "(locked, irreversible)"
    }
  }
}
