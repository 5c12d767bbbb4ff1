import Bytes
import JSON
import NDEF
import PN532
import TagMemory
import TagProgramming
import Wording

/// What became of one tag.
struct TagJSON: OutputDocument, Equatable {
  struct Operations: Encodable, Equatable {
    var frames: Int
    var authentications: Int
    var reads: Int
    var writes: Int
    /// Writes that were not needed because the tag held those bytes.
    var skipped: Int
  }

  /// A line of `info`.
  struct Detail: Encodable, Equatable {
    var label: String
    var text: String
  }

  /// Something odd about the tag.
  struct Finding: Encodable, Equatable {
    var code: String
    var text: String
  }

  /// What `--dry-run` found would be done.
  struct Plan: Encodable, Equatable {
    /// The whole job, in the order of its steps.
    var steps: [PlanStepJSON]
    /// Those of the steps that can never be undone.
    var irreversible: [String]
    var authentications: Int
    var reads: Int
    var writes: Int
    /// Commands to the chip.
    var commands: Int
    var modelled: Modelled
  }

  /// What the exchanges with the board cost on a bench, by a model.
  struct Modelled: Encodable, Equatable {
    /// The serial line's speed; absent where there is no serial line, which then counts as free.
    var baud: Int?
    var linkMs: Double
    var rfMs: Double
    var eepromMs: Double
    var chipMs: Double
    var totalMs: Double

    init(_ time: TimeSplit, at speed: LinkSpeed?) {
      // Microseconds are as fine as it is known.
      func milliseconds(_ duration: Duration) -> Double {
        (duration / .microseconds(1)).rounded() / 1000
      }
      baud = speed?.bitsPerSecond
      linkMs = milliseconds(time.link)
      rfMs = milliseconds(time.rf)
      eepromMs = milliseconds(time.eeprom)
      chipMs = milliseconds(time.chip)
      totalMs = milliseconds(time.total)
    }
  }

  /// Why a tag does not show its message.
  struct Obstacle: Encodable, Equatable {
    /// What opens it: `password`, `key`, `sectorKey`, `keyA`, `keyB`, `fileKey`, `cardKey`,
    /// `rights`, `nothing` or `unknown`.
    var opener: String
    var text: String
  }

  /// The place in the message that the tag fills in by itself.
  struct Mirror: Encodable, Equatable {
    /// `uid`, `counter` or `uid+counter`.
    var content: String
    /// The first byte in the message, from 0.
    var offset: Int
    /// How many bytes.
    var length: Int
  }

  var command: String
  /// With `info FILE`.
  var file: String?
  /// With `clone`: `source` or `target`.
  var role: String?
  var uid: String?
  var tag: String?
  /// Answer to request, four digits, high byte first.
  var atqa: String?
  /// Select acknowledge, two digits.
  var sak: String?
  /// `feliCa`, `typeB` or `topaz`; absent for type A.
  var technology: String?
  /// Of a FeliCa tag: manufacture parameters, and the system that answered.
  var pmm: String?
  var systemCode: String?
  var result: String
  var ndefStatus: String?
  /// What stands where the message belongs: `message`, `empty`, `lost`, `unformatted`, `blank`,
  /// `foreign` or `unreadable`; absent where nobody looked.
  var content: String?
  /// Why the tag does not show it, or does not show it to telephones.
  var obstacle: Obstacle?
  /// The longest message in bytes that fits.
  var capacity: Int?
  /// The message's length in bytes.
  var length: Int?
  /// Says whether the message can never be changed.
  var locked: Bool?
  /// Says whether a password is needed for something.
  var passwordProtected: Bool?
  var verified: Bool?
  var records: [RecordJSON]?
  var mirror: Mirror?
  /// Addresses that are written otherwise than they were given.
  var altered: [AlteredJSON]?
  /// What was found out about the link before the tag was touched.
  var link: LinkJSON?
  /// With `rewrite --dry-run`: the tag's link, and the one that it would get.
  var change: String?
  /// The file that the tag's memory was saved in before the first write.
  var backup: String?
  var operations: Operations?
  var durationMs: Int?
  var modelled: Modelled?
  var details: [Detail]?
  var findings: [Finding]?
  var iphone: PhoneJSON?
  var plan: Plan?
  var error: FailureJSON?

  /// A command that ended before it reached a tag.
  init(command: String, failure: FailureJSON) {
    self.command = command
    result = TagReport.Result.failed.rawValue
    error = failure
  }

  /// What is told of no tag.
  init(command: String, result: TagReport.Result) {
    self.command = command
    self.result = result.rawValue
  }

  /// `asking` words what a person can ask for.
  init(command: String, report: TagReport, asking: (Request) -> String?) {
    self.command = command
    uid = report.target?.uid.hex
    tag = report.product?.name
    atqa = report.target?.typeA.map { Hex.string([UInt8($0.atqa >> 8), UInt8($0.atqa & 0xFF)]) }
    sak = report.target?.sak.map { Hex.byte($0) }
    technology = report.target.flatMap { $0.typeA == nil ? "\($0.technology)" : nil }
    pmm = report.target?.feliCa.map { Hex.string($0.pmm) }
    systemCode = report.target?.feliCa?.systemCode.map {
      Hex.string([UInt8($0 >> 8), UInt8($0 & 0xFF)])
    }
    result = report.result.rawValue
    ndefStatus = report.status?.rawValue
    content = report.content == .notLookedAt ? nil : report.content.name
    obstacle = report.shownContent.obstacle.map {
      Obstacle(opener: $0.opener.rawValue, text: "\($0)")
    }
    capacity = report.capacity
    length = report.messageLength
    locked = report.isLocked
    passwordProtected = report.isPasswordProtected
    verified = report.target.map { _ in report.verified }
    // Of a message that the tag does not show, or that was not read, nothing is said.
    records =
      report.content.obstacle == nil && report.content != .notLookedAt
      ? report.message?.records.map(RecordJSON.init) ?? [] : nil
    mirror = report.content.held?.filling?.mirror.map {
      Mirror(content: $0.content.name, offset: $0.offset, length: $0.content.byteCount)
    }
    operations = Operations(
      frames: report.counts.frames, authentications: report.counts.authentications,
      reads: report.counts.reads, writes: report.counts.writes, skipped: report.skipped)
    durationMs = Int(report.duration / .milliseconds(1))
    details = Self.unlessEmpty(report.details.map { Detail(label: $0.label, text: $0.text) })
    findings = Self.unlessEmpty(
      report.findings.map { Finding(code: $0.code, text: $0.sentence(asking)) })
    modelled = report.target.map { _ in
      Modelled(report.counts.modelledTime, at: report.exchangeTime.speed)
    }
    plan = report.isDryRun ? report.program.map { Plan($0, report.exchangeTime) } : nil
    error = report.failure.map {
      FailureJSON(
        code: $0.exitCode, message: $0.message(asking), status: $0.status)
    }
  }

  /// Of a tag whose dump in a file alone is there, which no command was sent to.
  mutating func describe(_ dump: TagDump, in path: String) {
    file = path
    uid = dump.image.uid.hex
    atqa = dump.atqa.map { Hex.string([UInt8($0 >> 8), UInt8($0 & 0xFF)]) }
    sak = dump.sak.map { Hex.byte($0) }
    (operations, durationMs) = (nil, nil)
  }

  private static func unlessEmpty<T>(_ list: [T]) -> [T]? { list.isEmpty ? nil : list }
}

extension TagJSON.Plan {
  init(_ program: TagProgram, _ exchange: ExchangeTime) {
    let cost = program.cost
    self.init(
      steps: program.steps.map(PlanStepJSON.init),
      irreversible: program.irreversibleSteps.map(\.description),
      authentications: cost.authentications, reads: cost.reads,
      writes: cost.writes, commands: cost.commands,
      modelled: TagJSON.Modelled(program.modelledTime(exchange), at: exchange.speed))
  }
}
