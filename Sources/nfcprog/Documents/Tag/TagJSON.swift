import Bytes
import NDEF
import PN532
import TagMemory
import TagProgramming
import Wording

/// What became of one tag.
package struct TagJSON: WireDocument, Equatable {
  package struct Operations: Encodable, Equatable {
    package var frames: Int
    package var authentications: Int
    package var reads: Int
    package var writes: Int
    /// Writes that were not needed because the tag held those bytes.
    package var skipped: Int
  }

  /// A line of `info`.
  package struct Detail: Encodable, Equatable {
    package var label: String
    package var text: String
  }

  /// Something odd about the tag.
  package struct Finding: Encodable, Equatable {
    package var code: String
    package var text: String
  }

  /// What `--dry-run` found would be done.
  package struct Plan: Encodable, Equatable {
    /// The whole job, in the order of its steps.
    package var steps: [PlanStepJSON]
    /// Those of the steps that can never be undone.
    package var irreversible: [String]
    package var authentications: Int
    package var reads: Int
    package var writes: Int
    /// Commands to the chip.
    package var commands: Int
    package var modelled: Modelled
  }

  /// What the exchanges with the board cost on a bench, by a model.
  package struct Modelled: Encodable, Equatable {
    /// The serial line's speed; absent where there is no serial line, which then counts as free.
    package var baud: Int?
    package var linkMs: Double
    package var rfMs: Double
    package var eepromMs: Double
    package var chipMs: Double
    package var totalMs: Double

    package init(_ time: TimeSplit, at speed: LinkSpeed?) {
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
  package struct Obstacle: Encodable, Equatable {
    /// What opens it: `password`, `key`, `sectorKey`, `keyA`, `keyB`, `fileKey`, `cardKey`,
    /// `rights`, `nothing` or `unknown`.
    package var opener: String
    package var text: String
  }

  /// The place in the message that the tag fills in by itself.
  package struct Mirror: Encodable, Equatable {
    /// `uid`, `counter` or `uid+counter`.
    package var content: String
    /// The first byte in the message, from 0.
    package var offset: Int
    /// How many bytes.
    package var length: Int
  }

  package var command: String
  /// With `clone`: `source` or `target`.
  package var role: String?
  package var uid: String?
  package var tag: String?
  /// Answer to request, four digits, high byte first.
  package var atqa: String?
  /// Select acknowledge, two digits.
  package var sak: String?
  /// `feliCa`, `typeB` or `topaz`; absent for type A.
  package var technology: String?
  /// Of a FeliCa tag: manufacture parameters, and the system that answered.
  package var pmm: String?
  package var systemCode: String?
  package var result: String
  package var ndefStatus: String?
  /// What stands where the message belongs: `message`, `empty`, `lost`, `unformatted`, `blank`,
  /// `foreign` or `unreadable`; absent where nobody looked.
  package var content: String?
  /// Why the tag does not show it, or does not show it to telephones.
  package var obstacle: Obstacle?
  /// The longest message in bytes that fits.
  package var capacity: Int?
  /// The message's length in bytes.
  package var length: Int?
  /// Whether the message can never be changed.
  package var locked: Bool?
  /// Whether a password is needed for something.
  package var passwordProtected: Bool?
  package var verified: Bool?
  package var records: [RecordJSON]?
  package var mirror: Mirror?
  /// Addresses that are written otherwise than they were given.
  package var altered: [AlteredJSON]?
  /// What was found out about the link before the tag was touched.
  package var link: LinkJSON?
  package var operations: Operations?
  package var durationMs: Int?
  package var modelled: Modelled?
  package var details: [Detail]?
  package var findings: [Finding]?
  package var iphone: PhoneJSON?
  package var plan: Plan?
  package var error: FailureJSON?

  /// A command that ended before it reached a tag.
  package init(command: String, failure: FailureJSON) {
    self.command = command
    result = TagReport.Result.failed.rawValue
    error = failure
  }

  /// What is told of no tag.
  package init(command: String, result: TagReport.Result) {
    self.command = command
    self.result = result.rawValue
  }

  /// `asking` words what a person can ask for.
  package init(command: String, report: TagReport, asking: (Request) -> String?) {
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
    // Of a tag that does not show its message, nothing is said of records.
    records =
      report.content.obstacle == nil
      ? report.target.map { _ in report.message?.records.map(RecordJSON.init) ?? [] } : nil
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
    error = report.failure.map { FailureJSON(code: $0.exitCode, message: $0.message(asking)) }
  }

  private static func unlessEmpty<T>(_ list: [T]) -> [T]? { list.isEmpty ? nil : list }
}

extension TagJSON.Plan {
  package init(_ program: TagProgram, _ exchange: ExchangeTime) {
    let cost = program.cost
    self.init(
      steps: program.steps.map(PlanStepJSON.init),
      irreversible: program.irreversibleSteps.map(\.description),
      authentications: cost.authentications, reads: cost.reads,
      writes: cost.writes, commands: cost.commands,
      modelled: TagJSON.Modelled(program.modelledTime(exchange), at: exchange.speed))
  }
}
