import JobLists
import NDEF
import PN532Simulator
import TagMemory
import TagProgramming
import Testing

@testable import Ledger
@testable import LedgerSQLite
@testable import Provisioning

/// What a journal says of a tag is held to all that was read of it.
@Suite("Audits of tags")
struct AuditTests {
  /// How the tags of a series are made.
  enum Way: CaseIterable { case plain, locked, protected, both }

  private static let secret: [UInt8] = [1, 2, 3, 4]

  private static func audit(
    _ tag: any VirtualTag, by journal: Journal, keys: (any ProofKeys)? = nil, knowing: Bool = false
  ) throws -> TagAudit {
    let reader = TestReader("auditor", [tag]).reader
    reader.look(for: nil)
    var options = RunOptions()
    if knowing { options.credentials.password = secret }
    let report = Programmer(reader: reader, options: options).run(.info)
    let uid = try #require(report.target?.uid, "\(report.failure as Any)")
    return try journal.audit(TagReading(report, uid, keys: keys))
  }

  /// Makes a tag of a series of its own; nil where the type takes no such job.
  private static func made(
    _ tag: any StoredTag, _ way: Way, template: String = "https://example.com/t/{code}",
    closesReading: Bool = false, freezes: Bool = false
  ) throws -> (bench: LineBench, journal: Journal)? {
    let isLocked = way == .locked || way == .both
    let bench = try LineBench(codes: 3, template: template, locks: isLocked)
    if way == .protected || way == .both { bench.given.insert(.password) }
    if closesReading { bench.given.insert(.readPassword) }
    if freezes { bench.given.insert(.frozenMirror) }
    let (summary, _) = try bench.run([TestReader("1", [tag])]) {
      $0.overwrite = true
      if way == .protected || way == .both {
        $0.protection = Protection(password: secret, readToo: closesReading)
      }
      $0.freezesMirror = freezes
    }
    guard summary.passed == 1 else { return nil }
    return (bench, try bench.journal.open())
  }

  private static func change(_ tag: any VirtualTag, _ job: Job, knowing: Bool = true) throws {
    var options = RunOptions()
    if knowing { options.credentials.password = secret }
    let report = Programmer(reader: TestReader("thief", [tag]).reader, options: options).run(job)
    try #require(report.failure == nil, "\(report.failure as Any)")
  }

  private static func differences(_ audit: TagAudit) -> [TagDifference] {
    if case .differs(_, let found) = audit { found } else { [] }
  }

  @Test(
    "a tag of every type is what the journal says, right after it was made", arguments: Way.allCases
  )
  func agrees(way: Way) throws {
    var count = 0
    for name in TagCatalog.names {
      let tag = try LineBench.tag(0, name)
      guard let (_, journal) = try Self.made(tag, way) else { continue }
      count += 1
      let audit = try Self.audit(tag, by: journal)
      guard case .agrees = audit else {
        Issue.record("\(name): \(audit)")
        continue
      }
    }
    #expect(count > 5, "\(count)")
  }

  @Test("a lock and a password that came or went since are named", arguments: Way.allCases)
  func access(way: Way) throws {
    let changes: [(Job, TagDifference)] = [
      (.lock(force: false), .locked), (.protect(Protection(password: Self.secret)), .protected),
      (.unprotect, .unprotected),
    ]
    for (job, difference) in changes {
      let tag = try LineBench.tag(0)
      let (bench, journal) = try #require(try Self.made(tag, way))
      let isPossible =
        switch difference {
        case .locked: way == .plain || way == .protected
        case .protected: way == .plain || way == .locked
        default: way == .protected || way == .both
        }
      guard isPossible else { continue }
      try Self.change(tag, job)
      #expect(Self.differences(try Self.audit(tag, by: journal)) == [difference], "\(way)")
      // The line says the same, and that it is not good.
      let (_, outcomes) = try bench.run([TestReader("1", [tag])])
      #expect(outcomes.map { $0.trouble?.known } == [.changed], "\(outcomes)")
      #expect(outcomes.first?.bin == .aside)
      // So does a line that only reads.
      let collecting = try CollectingBench()
      let ending = try collecting.run([TestReader("1", [tag])]) {
        $0.expectation = .journal(journal)
      }
      #expect(ending.faults == [.changed: [UID(tag.uid)]])
      #expect(ending.found.missing.isEmpty)
    }
  }

  @Test(
    "an open tag with UID and message of a job that locked and protected it is none of the series")
  func forged() throws {
    let tag = try LineBench.tag(0)
    let (bench, journal) = try #require(try Self.made(tag, .both))
    _ = bench
    let link = try #require(LineBench.link(on: tag))
    for name in ["ntag213", "ntag216"] {
      let forged = try TagCatalog.tag(name, uid: tag.uid)
      try Self.change(forged, .write(Message(try URIRecord(link).record)))
      let found = Self.differences(try Self.audit(forged, by: journal))
      #expect(found.contains(.unlocked) && found.contains(.unprotected), "\(found)")
      #expect(found.contains(.type(is: "ntag216", was: "ntag213")) == (name == "ntag216"))
    }
  }

  @Test("the same text without its mirror, and a mirror that no job asks for, are named")
  func mirrors() throws {
    let tag = try LineBench.tag(0)
    let template = "https://example.com/{code}?u={mirror:uid}"
    let (_, journal) = try #require(try Self.made(tag, .plain, template: template))
    guard case .agrees(let written) = try Self.audit(tag, by: journal) else {
      throw Unexpected("\(try Self.audit(tag, by: journal))")
    }
    let link = try #require(written.uri)
    var options = WriteOptions()
    options.overwrite = true
    try Self.change(tag, .write(Message(try URIRecord(link).record), options))
    #expect(Self.differences(try Self.audit(tag, by: journal)) == [.mirror(nil)])
  }

  /// CFG0 and CFG1 of an NTAG213.
  private static let (cfg0, cfg1) = (41 * 4, 42 * 4)

  @Test("a mirror that shows behind the message is no difference, whoever has turned it on")
  func mirrorBehind() throws {
    for isBefore in [false, true] {
      let tag = try LineBench.tag(0)
      // The UID, from page 20 on.
      let turnOn = { _ = tag.eeprom.program([0x44, 0, 20, 0xFF], at: Self.cfg0) }
      if isBefore { turnOn() }
      let (_, journal) = try #require(try Self.made(tag, .plain))
      if !isBefore { turnOn() }
      #expect(Self.differences(try Self.audit(tag, by: journal)).isEmpty)
    }
  }

  @Test("a tag that hides what its job shows is named, and one that shows what its job hides")
  func readProtection() throws {
    for closesReading in [false, true] {
      let tag = try LineBench.tag(0)
      let (bench, journal) = try #require(
        try Self.made(tag, .protected, closesReading: closesReading))
      #expect(Self.differences(try Self.audit(tag, by: journal, knowing: true)).isEmpty)
      let access = tag.eeprom.bytes[Self.cfg1]
      _ = tag.eeprom.program([access ^ 0x80], at: Self.cfg1)
      let difference: TagDifference = closesReading ? .readOpen : .readProtected
      #expect(Self.differences(try Self.audit(tag, by: journal, knowing: true)) == [difference])
      let (_, outcomes) = try bench.run([TestReader("1", [tag])]) {
        $0.credentials.password = Self.secret
      }
      #expect(outcomes.map { $0.trouble?.known } == [.changed], "\(outcomes)")
    }
  }

  @Test("a configuration that is frozen, or is not, other than its job asks for, is named")
  func freezing() throws {
    let template = "https://example.com/{code}?u={mirror:uid}"
    for freezes in [false, true] {
      let tag = try LineBench.tag(0)
      let (_, journal) = try #require(
        try Self.made(tag, freezes ? .locked : .plain, template: template, freezes: freezes))
      #expect(Self.differences(try Self.audit(tag, by: journal)).isEmpty)
      let access = tag.eeprom.bytes[Self.cfg1]
      _ = tag.eeprom.program([access ^ 0x40], at: Self.cfg1)
      #expect(
        Self.differences(try Self.audit(tag, by: journal)) == [freezes ? .notFrozen : .frozen])
    }
  }

  // MARK: NTAG 424 DNA

  private static func ring(_ byte: UInt8) throws -> KeyRing {
    let master = try #require(AESKey([UInt8](repeating: byte, count: 16)))
    return KeyRing(.an10922(master: master, name: [byte]), version: byte)
  }

  private static let proof = "https://example.com/{code}?e={picc}&c={mac}"

  private static func proving(
    _ tags: [any StoredTag], randomUID: Bool = false, lrp: Bool = false
  ) throws -> Journal {
    try provingBench(tags, randomUID: randomUID, lrp: lrp).bench.journal.open()
  }

  private static func provingBench(
    _ tags: [any StoredTag], randomUID: Bool = false, lrp: Bool = false
  ) throws -> (bench: LineBench, personalisation: Personalisation) {
    let (template, input) = try SDMTemplate.expand(proof, usesLRP: lrp)
    let bench = try LineBench(codes: tags.count + 1, template: template)
    var personalisation = Personalisation(keys: try ring(1), codeInput: input)
    (personalisation.randomUID, personalisation.usesLRP) = (randomUID, lrp)
    let (summary, _) = try bench.run([TestReader("1", tags)]) {
      ($0.timeout, $0.count) = (.seconds(20), tags.count)
      $0.personalisation = personalisation
    }
    #expect(summary.passed == tags.count, "\(summary)")
    return (bench, personalisation)
  }

  @Test(
    "a tag with a random UID is known by the keys, and without them no copy",
    arguments: [false, true])
  func randomUIDs(lrp: Bool) throws {
    let tags = try (0..<2).map { try LineBench.tag($0, "ntag424") }
    let uids = tags.map { UID($0.uid) }
    let journal = try Self.proving(tags, randomUID: true, lrp: lrp)
    for (number, tag) in tags.enumerated() {
      #expect(try Self.audit(tag, by: journal) == .randomUID(job: number + 1))
      guard case .agrees(let written) = try Self.audit(tag, by: journal, keys: try Self.ring(1))
      else { throw Unexpected("\(try Self.audit(tag, by: journal, keys: try Self.ring(1)))") }
      #expect(written.job.number == number + 1 && written.uid == uids[number])
      // Other keys tell nothing.
      let other = try Self.audit(tag, by: journal, keys: try Self.ring(2))
      #expect(other == .randomUID(job: number + 1))
    }
    let collecting = try CollectingBench()
    let ending = try collecting.run([TestReader("1", tags)]) {
      ($0.expectation, $0.keys) = (.journal(journal), try? Self.ring(1))
    }
    #expect(ending.found.good == 2 && ending.found.missing.isEmpty, "\(ending.faults)")
  }

  @Test("a tag that got another master key is found by the keys of the series")
  func otherMaster() throws {
    let tag = try LineBench.tag(0, "ntag424")
    let (bench, personalisation) = try Self.provingBench([tag])
    let journal = try bench.journal.open()
    let line = {
      let (_, outcomes) = try bench.run([TestReader("1", [tag])]) {
        $0.personalisation = personalisation
      }
      return outcomes.map { $0.trouble?.known }
    }
    #expect(try line() == [.written])
    guard case .agrees = try Self.audit(tag, by: journal, keys: try Self.ring(1)) else {
      throw Unexpected("\(try Self.audit(tag, by: journal, keys: try Self.ring(1)))")
    }
    let template = try SDMTemplate.expand(Self.proof.replacing("{code}", with: "0001"))
    var options = WriteOptions()
    options.personalisation = Personalisation(
      keys: try Self.ring(9), before: try Self.ring(1), codeInput: template.codeInput)
    try Self.change(tag, .write(Message(try URIRecord(template.text).record), options))
    let audit = try Self.audit(tag, by: journal, keys: try Self.ring(1))
    #expect(Self.differences(audit) == [.wrongProof])
    #expect(try line() == [.changed])
  }

  // MARK: Released jobs

  @Test("a tag whose job was released is set aside, and no copy, also once another tag has the job")
  func released() throws {
    let bench = try LineBench(codes: 2)
    let (lost, next) = (try LineBench.tag(0), try LineBench.tag(1))
    // The run ends when the message is on the tag and the journal does not say so.
    let (torn, _) = try bench.run([TestReader("1", [lost])]) { _ in
    } until: { event in
      if case .progress(.step(let number, let count, _)) = event.kind {
        number >= count
      } else {
        false
      }
    }
    try #require(torn.passed == 0)
    let session = try bench.journal.open().begin()
    _ = try session.release(.jobs([1]))
    try session.end()
    let journal = try bench.journal.open()
    for hasNext in [false, true] {
      if hasNext { #expect(try bench.run([TestReader("1", [next])]).summary.passed == 1) }
      guard case .scrap(let scrap) = try Self.audit(lost, by: journal) else {
        throw Unexpected("\(try Self.audit(lost, by: journal))")
      }
      #expect(scrap.job == 1 && scrap.reason.text.contains("job 1"), "\(scrap.reason)")
      let (_, outcomes) = try bench.run([TestReader("1", [lost])])
      #expect(outcomes.map { $0.trouble?.known } == [.scrap])
    }
    // A message of another job's is a copy all the same.
    let copy = try LineBench.tag(5)
    try Self.change(
      copy, .write(Message(try URIRecord(try #require(LineBench.link(on: next))).record)))
    #expect(try Self.audit(copy, by: journal) == .copy(job: 1))
  }

  @Test("a tag written again without its password keeps it, in the journal, too")
  func rewritten() throws {
    let tag = try LineBench.tag(0)
    let (bench, journal) = try #require(try Self.made(tag, .protected))
    let (summary, outcomes) = try bench.run([TestReader("1", [tag])]) { $0.rewrite = true }
    #expect(summary.passed == 1 && outcomes.first?.written?.isProtected == true, "\(outcomes)")
    guard case .agrees = try Self.audit(tag, by: journal) else {
      throw Unexpected("\(try Self.audit(tag, by: journal))")
    }
  }
}
