import Bytes
import TagMemory
import TagProgramming

/// One step of a plan, as `--dry-run --json` prints it. What is nil is absent.
struct PlanStepJSON: Encodable, Equatable {
  /// `authenticate`, `write`, `read`, and `probe`: a write that the tag must refuse, of what the page holds.
  var action: String
  /// With `authenticate` on a MIFARE Classic.
  var sector: Int?
  /// On a MIFARE Classic; with `authenticate` the sector's trailer.
  var block: Int?
  /// The first page, on an Ultralight or NTAG.
  var page: Int?
  /// How many blocks or pages are read.
  var count: Int?
  /// The type of a sector's key, `A` or `B`; absent for a password.
  var key: String?
  /// What is written, or must be read: hexadecimal, `**` for each byte of a key or password and `??` for each that
  /// may be anything.
  var bytes: String
  /// What the step is for, in one word.
  var purpose: String
  /// Whether it can never be undone.
  var irreversible: Bool
  /// The same for people.
  var text: String

  init(_ step: TagProgram.Step) {
    text = "\(step)"
    irreversible = step.isIrreversible
    purpose = step.purpose.map(\.word) ?? "verify"
    switch step {
    case .authenticate(let sector, let candidate):
      action = "authenticate"
      (self.sector, block) = (sector.index, Int(sector.trailer.index))
      key = candidate.type == .a ? "A" : "B"
      bytes = Self.hidden(candidate.key.bytes.count)
      purpose = "open"
    case .writeBlock(let block, let bytes, _):
      action = "write"
      self.block = Int(block.index)
      self.bytes = Self.text(bytes.map { $0 }, of: block)
    case .checkBlock(let block, let bytes):
      action = "read"
      (self.block, count) = (Int(block.index), 1)
      self.bytes = Self.text(bytes, of: block)
    case .writePage(let page, let bytes, let purpose):
      action = "write"
      self.page = Int(page.number)
      self.bytes = purpose == .secret ? Self.hidden(bytes.count) : Hex.string(bytes)
    case .checkPages(let first, let bytes):
      action = "read"
      (page, count) = (Int(first.number), bytes.count / Page.byteCount)
      self.bytes = bytes.map(Self.text).joined()
    case .enterPassword(let password, _):
      action = "authenticate"
      bytes = Self.hidden(password.count)
      purpose = "open"
    case .checkRefusal(let page, let bytes):
      action = "probe"
      self.page = Int(page.number)
      self.bytes = Hex.string(bytes)
    }
  }

  /// A block's bytes, those of the keys in a sector trailer hidden.
  private static func text(_ bytes: [UInt8?], of block: Block) -> String {
    bytes.enumerated().map { index, byte in
      let isKey = block.isTrailer && !(6...9).contains(index)
      return isKey && byte != nil ? hidden(1) : text(byte)
    }.joined()
  }

  private static func text(_ byte: UInt8?) -> String { byte.map(Hex.byte) ?? "??" }

  private static func hidden(_ count: Int) -> String { String(repeating: "**", count: count) }
}

extension TagProgram.Purpose {
  /// In one word, for programs.
  fileprivate var word: String {
    switch self {
    case .switchOff: "switchOff"
    case .content: "content"
    case .switchOn: "switchOn"
    case .trailer: "trailer"
    case .directory: "directory"
    case .capabilityContainer: "capabilityContainer"
    case .blank: "blank"
    case .restored: "restored"
    case .raw: "raw"
    case .secret: "secret"
    case .configuration: "configuration"
    case .lock: "lock"
    }
  }
}
