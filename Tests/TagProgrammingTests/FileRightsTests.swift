import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Who may read, write and change the message's file of an NTAG 424 DNA or a DESFire: one answer,
/// whichever job asks, and no job begins what these rights let nobody end.
@Suite("Rights of the message's file")
struct FileRightsTests {
  /// One of these holders has a right: two keys, everybody, nobody.
  private static let holders: [UInt16] = [0, 1, 0xE, 0xF]

  /// A tag whose file has these rights, and whose container lets readers write or not.
  struct Trial: CustomStringConvertible {
    let product: String
    let rights: DESFireRights
    let isBarred: Bool

    var description: String {
      "\(product) of rights \(String(rights.rawValue, radix: 16)), container \(isBarred ? "FF" : "00")"
    }
  }

  private static let jobs: [(name: String, job: Job)] = {
    func write(_ message: Message, lock: Bool) -> Job {
      var options = WriteOptions()
      options.lock = lock
      return .write(message, options)
    }
    guard case .write(let short, _) = FaultCase.short, case .write(let other, _) = FaultCase.other
    else { return [] }
    return [
      ("read", .read), ("write", FaultCase.other), ("write the same", FaultCase.short),
      ("write and lock", write(other, lock: true)),
      ("write the same and lock", write(short, lock: true)),
      ("lock", .lock(force: false)), ("lock by force", .lock(force: true)),
      ("erase", .emptyMessage(WriteOptions())),
    ]
  }()

  private static let proofs: [(name: String, job: Job)] = {
    func proof(lock: Bool, overwrite: Bool) -> Job? {
      guard case .write(let message, var options)? = try? PersonalisationTests.job(lock: lock)
      else { return nil }
      options.overwrite = overwrite
      return .write(message, options)
    }
    return [
      ("prove", proof(lock: false, overwrite: false)),
      ("prove, whatever is there", proof(lock: false, overwrite: true)),
      ("prove and lock, whatever is there", proof(lock: true, overwrite: true)),
      (
        "back to delivery", .resetSDM(Personalisation(keys: .delivered))
      ),
    ].compactMap { name, job in job.map { (name, $0) } }
  }()

  /// A tag with a message, and where its rights and its container's write access stand.
  private struct Prepared {
    let memory: [UInt8]
    let rights: Int
    let access: Int

    init(_ product: String) throws {
      let bench = try Bench(product)
      if product != "ntag424" { _ = bench.run(.formatType4(Type4Format())) }
      #expect(bench.run(FaultCase.short).failure == nil)
      memory = bench.memory
      // The file's ISO identifier, no backup, in plain, as formatted.
      let entry: [UInt8] = [0x02, 0x01, 0x04, 0xE1, 0x00, 0x00, 0xE0, 0xEE]
      rights = product == "ntag424" ? 450 : try #require(Self.place(of: entry, in: memory)) + 6
      let control: [UInt8] = [0x04, 0x06, 0xE1, 0x04]
      access = try #require(Self.place(of: control, in: memory)) + 7
    }

    private static func place(of part: [UInt8], in bytes: [UInt8]) -> Int? {
      bytes.indices.first { bytes[$0...].starts(with: part) }
    }

    func bench(_ trial: Trial) throws -> Bench {
      let bench = try Bench(trial.product)
      var bytes = memory
      bytes.replaceSubrange(rights..<rights + 2, with: trial.rights.bytes)
      if trial.isBarred { bytes[access] = 0xFF }
      bench.tag.eeprom.load(bytes)
      return bench
    }

    /// Returns whether the tag itself lets nobody write or change file and container, who has no
    /// key of a DESFire's application.
    func isLocked(_ bench: Bench, _ product: String) -> Bool {
      let bytes = bench.memory
      let held = DESFireRights(UInt16(bytes[rights + 1]) << 8 | UInt16(bytes[rights]))
      if product == "ntag424" { return held.isClosed }
      return bytes[access] == 0xFF && !held.isFreeToWrite && held.change != DESFireRights.everyone
    }
  }

  /// All rights in the exhaustive run; else some of them, others for each product.
  private func trials(_ product: String, oneOf step: Int) -> [Trial] {
    let all = Self.holders.flatMap { read in
      Self.holders.flatMap { write in
        Self.holders.flatMap { both in
          Self.holders.flatMap { change in
            let rights = DESFireRights(read << 12 | write << 8 | both << 4 | change)
            return [false, true].map {
              Trial(product: product, rights: rights, isBarred: $0)
            }
          }
        }
      }
    }
    guard !Exhaustive.isAsked else { return all }
    let shift = product.utf8.reduce(0) { $0 + Int($1) }
    return all.enumerated().filter { ($0.offset + shift) % step == 0 }.map(\.element)
  }

  @Test(
    "what info says, every job says, does or refuses before its first write",
    arguments: ["ntag424", "desfire-ev1", "desfire-ev2", "desfire-ev3"])
  func everyJob(_ product: String) throws {
    let prepared = try Prepared(product)
    for trial in trials(product, oneOf: 3) {
      for (name, job) in Self.jobs { try check(trial, prepared, name, job) }
    }
  }

  @Test("a proof is given and taken back likewise")
  func proofs() throws {
    let prepared = try Prepared("ntag424")
    for trial in trials("ntag424", oneOf: 7) {
      for (name, job) in Self.proofs { try check(trial, prepared, name, job) }
    }
  }

  private func check(_ trial: Trial, _ prepared: Prepared, _ name: String, _ job: Job) throws {
    let what = "\(name) on \(trial)"
    let bench = try prepared.bench(trial)
    let before = bench.memory
    let found = bench.run(.info)
    let planned = bench.run(job) { $0.dryRun = true }
    #expect(bench.memory == before, "\(what)")
    let report = bench.run(job)
    #expect(planned.failure?.cause == report.failure?.cause, "the dry run: \(what)")
    if let failure = report.failure {
      #expect(failure.kind == .refused && bench.memory == before, "\(what): \(failure)")
      agree(report, found, what)
      return
    }
    let after = bench.run(.info)
    agree(report, after, what)
    #expect(
      after.isLocked == prepared.isLocked(bench, trial.product), "info says locked: \(what)")
    guard !job.onlyLooks else { return }
    if job.locks {
      #expect(after.isLocked == true && after.message != nil, "\(what)")
      let locked = bench.memory
      #expect(bench.run(FaultCase.write(FaultCase.media(9))).failure?.kind == .refused, "\(what)")
      #expect(bench.memory == locked, "\(what)")
    }
    let done = bench.memory
    let again = bench.run(job)
    #expect(
      again.result == .unchanged || again.failure?.kind == .refused,
      "again: \(what): \(again.result)")
    #expect(bench.memory == done, "again: \(what)")
  }

  /// Demands that a job says what `info` says.
  private func agree(_ report: TagReport, _ info: TagReport, _ what: String) {
    if let status = report.status { #expect(status == info.status, "\(what)") }
    if let isLocked = report.isLocked { #expect(isLocked == info.isLocked, "\(what)") }
    if report.content != .notLookedAt {
      #expect(report.content.name == info.content.name, "\(what)")
    }
  }
}

extension Job {
  fileprivate var locks: Bool {
    switch self {
    case .lock: true
    case .write(_, let options): options.lock
    default: false
    }
  }
}
