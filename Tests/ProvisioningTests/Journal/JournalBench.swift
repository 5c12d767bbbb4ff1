import Foundation
import JobLists
import Provisioning
import Synchronization
import TagMemory
import Testing

@testable import LedgerSQLite

/// A folder of its own with a journal in it, and a clock that tests set; the folder goes with it.
final class JournalBench: Sendable {
  let folder: URL
  var path: String { folder.appending(path: "line.journal").path }
  let time = Atomic<Int64>(1_800_000_000_000)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func open(_ access: Journal.Access = .readWrite(creating: true), busyTimeout: Double = 120)
    throws -> Journal
  {
    try Journal(file: path, access: access, busyTimeout: busyTimeout) { [self] in
      time.load(ordering: .relaxed)
    }
  }

  /// A journal with `count` jobs, and a session on it.
  func session(jobs count: Int, tagType: String? = nil) throws -> JournalSession {
    let journal = try open()
    _ = try journal.adopt(Self.source) { take throws(JournalError) in
      for number in 1...count { try take(Self.job(number, tagType: tagType)) }
    }
    return try journal.begin()
  }

  static let source = SourceDescription(kind: "codes", name: "codes.txt")

  static func job(_ number: Int, code: String? = nil, tagType: String? = nil) -> PlannedJob {
    let code = code ?? "CODE-\(number)"
    let record = MessageTemplate.Record(option: "uri", text: "https://example.com/t/\(code)")
    return PlannedJob(
      number: number, line: number + 1, offset: UInt64(number * 10), name: code,
      message: MessageTemplate(records: [record]), tagType: tagType, locks: false,
      hasPassword: false, columns: [.init(name: "code", value: code)])
  }

  static func tag(_ number: Int, type: String? = "ntag213", station: String = "1") -> PresentedTag {
    PresentedTag(
      uid: uid(number), tagType: type, station: station, reader: "pn532_uart:/dev/ttyUSB0")
  }

  static func uid(_ number: Int) -> UID {
    UID([0x04] + (0..<6).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }

  static let trouble = TagTrouble(.lost, "The tag was taken away.")
  static let timing = Timing(
    started: Date(timeIntervalSince1970: 1_800_000_000), duration: .milliseconds(60),
    steps: [.init("write", .milliseconds(40)), .init("verify", .milliseconds(5))])
}

/// The message of a job: its first record's text, as it is.
func makeText(_ job: PlannedJob, _ day: String = "") -> [UInt8] {
  Array(job.message.records[0].text.utf8)
}

extension Journal {
  func begin() throws(JournalError) -> JournalSession {
    try begin(operator: "Ada", command: "nfcprog provision codes.txt", version: "0.1.0")
  }
}

extension JournalSession {
  /// Reserves, and expects to get a reservation.
  func take(_ tag: PresentedTag, rewriting: Bool = false) throws -> Reservation {
    let outcome = try reserve(for: tag, rewriting: rewriting, make: makeText)
    guard case .reserved(let reservation) = outcome else { throw Unexpected(outcome) }
    return reservation
  }

  @discardableResult
  func finish(_ reservation: Reservation) throws(JournalError) -> WrittenTag {
    try complete(
      reservation,
      verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
      timing: JournalBench.timing)
  }

  func giveBack(_ reservation: Reservation, isScrap: Bool) throws(JournalError) {
    try giveBack(
      reservation, because: JournalBench.trouble, isScrap: isScrap, timing: JournalBench.timing)
  }

  func hold(_ reservation: Reservation) throws(JournalError) {
    try hold(reservation, because: JournalBench.trouble, timing: JournalBench.timing)
  }
}

struct Unexpected: Error {
  let value: any Sendable
  init(_ value: any Sendable) { self.value = value }
}
