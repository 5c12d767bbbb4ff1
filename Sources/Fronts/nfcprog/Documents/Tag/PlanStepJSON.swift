import Bytes
import TagMemory
import TagProgramming

/// One step of a plan.
struct PlanStepJSON: Encodable, Equatable {
  /// `authenticate`, `write`, `read`, `probe`: a write that the tag must refuse, of what the page
  /// holds; and `command`: a change of the tag that is no plain write.
  var action: String
  /// With `authenticate` on a MIFARE Classic.
  var sector: Int?
  /// On a MIFARE Classic, with `authenticate` the sector's trailer; on a FeliCa Lite.
  var block: Int?
  /// The first page, on an Ultralight or NTAG.
  var page: Int?
  /// The identifier of a file, hexadecimal, on an ISO 7816 or DESFire tag.
  var file: String?
  /// The first byte in that file, from 0.
  var offset: Int?
  /// The identifier of a DESFire application, hexadecimal.
  var application: String?
  /// How many blocks or pages are read; of a file, how many bytes.
  var count: Int?
  /// The type of a sector's key, `A` or `B`, or the number of an application's; absent for a
  /// password.
  var key: String?
  /// What is written, or must be read: hexadecimal, `**` for each byte of a key or password and
  /// `??` for each that may be anything. Absent with `command`.
  var bytes: String?
  /// What the step is for, in one word.
  var purpose: String
  /// Is true if it can never be undone.
  var irreversible: Bool
  /// The text describes the step for people.
  var text: String

  init(_ step: TagProgram.Step) {
    text = "\(step)"
    irreversible = step.isIrreversible
    purpose = step.purpose.map(\.word) ?? "verify"
    switch step.action {
    case .authenticate(let credential):
      action = "authenticate"
      purpose = "open"
      key = credential.word
      bytes = Self.hidden(credential.byteCount)
    case .write(let written, _):
      action = "write"
      bytes = Self.text(written.map { $0 }, of: step)
    case .check(let expected):
      action = "read"
      bytes = Self.text(expected, of: step)
      count = expected.count / (step.place.unitByteCount ?? 1)
    case .checkDigits(let skipped, let digits):
      action = "read"
      count = (skipped + digits + Page.byteCount - 1) / Page.byteCount
    case .checkRefusal(let held):
      action = "probe"
      bytes = Self.text(held.map { $0 }, of: step)
    case .prove(let expected):
      action = "read"
      bytes = Self.text(expected.visible, of: step)
      count = expected.stored.count
    case .perform: action = "command"
    }
    locate(step.place)
  }

  /// Says where the step is.
  private mutating func locate(_ place: Place) {
    switch place {
    case .tag: break
    case .sector(let sector):
      (self.sector, block) = (sector.index, Int(sector.trailer.index))
    case .block(let block): self.block = Int(block.index)
    case .page(let page): self.page = Int(page.number)
    case .file(let id, let offset):
      file = Hex.string([UInt8(id >> 8), UInt8(id & 0xFF)])
      self.offset = offset
    case .application(let id):
      application = Hex.string([16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) })
    case .feliCaBlock(let number): block = Int(number)
    }
  }

  private static func text(_ bytes: [UInt8?], of step: TagProgram.Step) -> String {
    bytes.enumerated().map { index, byte in
      guard let byte else { return "??" }
      return step.isSecret(index) ? hidden(1) : Hex.byte(byte)
    }.joined()
  }

  private static func hidden(_ count: Int) -> String { String(repeating: "**", count: count) }
}

extension TagProgram.Credential {
  /// Which key it is, for programs; nil for a password.
  fileprivate var word: String? {
    switch self {
    case .key(let candidate): candidate.type == .a ? "A" : "B"
    case .password: nil
    case .desFire(let number, _): "\(number)"
    }
  }
}
