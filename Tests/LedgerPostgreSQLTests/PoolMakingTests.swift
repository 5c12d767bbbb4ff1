import Dispatch
import Foundation
import HubKit
import Synchronization
import Testing

@testable import BenchKit
@testable import Bytes
@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning

@Suite(
  "Batches that a hub makes in a pool", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolMakingTests {
  let server: PostgresServer
  /// As a bench comes.
  let address: PoolAddress
  let hub: PoolHubStore
  private let folder = NSTemporaryDirectory() + "made-\(UInt64.random(in: 0 ... .max))"

  init() throws {
    server = try PostgresServer.shared.get()
    address = try server.pool("A17")
    try server.owner(of: address).run(
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'hub') THEN CREATE ROLE hub LOGIN; END IF;
      END $$
      """)
    try PoolStore.prepare(Self.socket(server, address, "owner"), hubs: ["hub"])
    hub = PoolHubStore(try PoolViewer(Self.socket(server, address, "hub")))
  }

  /// The same database over its socket.
  private static func socket(
    _ server: PostgresServer, _ address: PoolAddress, _ user: String
  ) throws -> PoolAddress {
    let database = address.connection.split(separator: "/").last ?? ""
    return try PoolAddress(
      parsing:
        "postgresql:///\(database)?host=\(server.folder)&port=\(server.port)&user=\(user)&batch=A17"
    )
  }

  private static let template = "https://example.com/t/{code}"

  private func list(_ codes: ClosedRange<Int>, id: String = "A17") -> HubList {
    let rows = codes.map { "A\($0);room \($0)\n" }.joined()
    return HubList(id: id, csv: "code;room\n" + rows, template: Self.template, tagType: "ntag213")
  }

  private func mistakes(_ body: () throws -> Void) -> [String] {
    do { try body() } catch HubError.badList(let mistakes) { return mistakes } catch {
      return ["\(error)"]
    }
    return []
  }

  /// The bench's address as somebody writes it.
  private var text: String {
    server.addressText(
      address.connection.split(separator: "/").last.map(String.init) ?? "", "A17")
  }

  @Test("a list becomes a batch with its jobs, and the same list once more is no mistake")
  func made() throws {
    let batch = try hub.make(list(1...30))
    #expect(batch.jobs == 30 && batch.pending == 30 && !batch.isClosed)
    #expect(
      batch.settings == [.init("record 1", "uri \(Self.template)"), .init("tag", "ntag213")])
    let jobs = try hub.jobs(of: "A17", HubJobFilter(), after: 28, limit: 9)
    #expect(jobs.map(\.name) == ["A29", "A30"])
    #expect(
      jobs[0].columns == [.init(name: "code", value: "A29"), .init(name: "room", value: "room 29")])
    #expect(try hub.make(list(1...30)).jobs == 30)
    #expect(throws: HubError.exists("A17")) { try hub.make(list(2...31)) }
    var other = list(1...30)
    other.tagType = "ntag215"
    #expect(throws: HubError.exists("A17")) { try hub.make(other) }
    #expect(try hub.batches().map(\.id) == ["A17"])
  }

  @Test("rows go to the batch whose name has the same bytes, and new names are in form NFC")
  func names() throws {
    let (one, two) = ("\u{e4}", "a\u{308}")
    #expect(one == two)
    #expect(mistakes { _ = try hub.make(list(1...3, id: two)) }.first?.contains("NFC") == true)
    _ = try hub.make(list(1...3, id: one))
    // As a pool of an earlier version may have it.
    var settings = JobSource.Settings()
    settings.message = MessageTemplate(records: [.init(option: "uri", text: Self.template)])
    try SentList(list(1...5).csv, named: "two.csv", settings)
      .make(at: Self.socket(server, address, "hub").naming(two), now: 1)
    #expect(try hub.extend(one, csv: "code;room\nB1;r\n").jobs == 4)
    #expect(try hub.extend(two, csv: "code;room\nB1;r\nB2;r\n").jobs == 7)
    #expect(try hub.extend(one, csv: "code;room\nB2;r\n").jobs == 5)
    #expect(try hub.close(two).isClosed)
    #expect(try !hub.batch(one).isClosed && hub.batch(one).jobs == 5)
  }

  @Test("the order once more is no mistake after rows were added, and another order is one")
  func repeated() throws {
    // Longer than the pieces in which the pool has it.
    _ = try hub.make(list(1...6000))
    #expect(try hub.extend("A17", csv: "code;room\nB1;r\n").jobs == 6001)
    #expect(try hub.make(list(1...6000)).jobs == 6001)
    _ = try hub.close("A17")
    #expect(try hub.make(list(1...6000)).jobs == 6001)
    var tag = list(1...6000)
    tag.tagType = "ntag215"
    var changed = list(1...6000)
    changed.csv = changed.csv.replacing("A5999;room 5999", with: "A5999;room 0")
    var shorter = list(1...6000)
    shorter.csv.removeLast(2)
    for other in [tag, changed, shorter, list(1...6002), list(2...6000)] {
      #expect(throws: HubError.exists("A17")) { try hub.make(other) }
    }
  }

  @Test("a bench with the same list as a file finds its batch")
  func sameAsFile() throws {
    _ = try hub.make(list(1...3))
    let path = folder + ".csv"
    try list(1...3).csv.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    var settings = JobSource.Settings()
    settings.message = MessageTemplate(records: [.init(option: "uri", text: Self.template)])
    settings.tagType = "ntag213"
    let source = try JobSource(.table(path), settings)
    let description = SourceDescription(kind: "csv", name: path, settings)
    #expect(description.jobSettings == settings)
    let series = try PoolSeries(text, state: folder, extending: false, ahead: 2) { _ in }
    let bench = try series.open(description) { (journal, extending, _) throws(JournalError) in
      try adopt(source, description, into: journal, extending)
    }
    #expect(bench.store.lastJob == 3)
  }

  private func adopt(
    _ source: JobSource, _ description: SourceDescription, into journal: Journal,
    _ extending: Bool
  ) throws(JournalError) {
    _ = try journal.adopt(description, extending: extending) { (take) throws(JournalError) in
      try source.forEachJob { row throws(JournalError) in
        if case .success(let job) = row { try take(job) }
      }
    }
  }

  @Test("a list with mistakes is refused as a whole, with a sentence for each row")
  func refused() throws {
    let bad = HubList(
      id: "A17", csv: "code,tag\nA1,ntag213\nA1,ntag213\nA3,ntag999\n", template: Self.template)
    let found = mistakes { _ = try hub.make(bad) }
    #expect(found.count == 2)
    #expect(
      found[0].hasPrefix("line 3, column code: ") && found[1].hasPrefix("line 4, column tag: "))
    #expect(throws: HubError.noBatch("A17")) { try hub.batch("A17") }
    #expect(mistakes { _ = try hub.make(HubList(id: "B", csv: "code\nA1\n")) }.count == 1)
    #expect(mistakes { _ = try hub.make(HubList(id: "B", csv: "")) } == ["The list is empty."])
    #expect(mistakes { _ = try hub.make(list(1...2, id: "..")) }.count == 1)
    #expect(mistakes { _ = try hub.make(list(1...2, id: "a\u{202E}b")) }.count == 1)
    let secret = HubList(
      id: "B", csv: "code,password\nA1,00112233\n", template: Self.template)
    #expect(mistakes { _ = try hub.make(secret) }.first?.contains("column of passwords") == true)
    #expect(try hub.batches().isEmpty)
  }

  @Test("rows are added at the end in whatever order their columns stand, or none of them")
  func extended() throws {
    _ = try hub.make(list(1...3))
    #expect(try hub.extend("A17", csv: "room,CODE\n\"4,\"\"x\"\"\",A4\n\n5,A5").jobs == 5)
    let jobs = try hub.jobs(of: "A17", HubJobFilter(), after: 3, limit: 9)
    #expect(jobs.map(\.name) == ["A4", "A5"] && jobs[0].columns.last?.value == "4,\"x\"")
    #expect(jobs[1].columns.first?.value == "A5")
    let found = mistakes { _ = try hub.extend("A17", csv: "code,room\nA6,\"6\n6\"\nA2,9\n") }
    #expect(found.count == 1 && found[0].hasPrefix("line 4, column code: "))
    #expect(mistakes { _ = try hub.extend("A17", csv: "code\nA6\n") }.count == 1)
    #expect(mistakes { _ = try hub.extend("A17", csv: "code,room\n") } == ["There are no rows."])
    #expect(try hub.batch("A17").jobs == 5)
    #expect(throws: HubError.noBatch("B")) { try hub.extend("B", csv: "code,room\nA6,6\n") }
    // A batch that a bench has loaded has no list here.
    try PoolStore.load(2, at: address.naming("C"))
    #expect(mistakes { _ = try hub.extend("C", csv: "code\nA6\n") }.count == 1)
  }

  @Test("rows that come piece by piece, from two hubs in turn, make the list that all of them are")
  func pieces() throws {
    let other = PoolHubStore(try PoolViewer(Self.socket(server, address, "hub")))
    func rows(_ codes: ClosedRange<Int>) -> String {
      "code,room\n" + codes.map { "A\($0),room \($0)\n" }.joined()
    }
    _ = try hub.make(list(1...3))
    // More than a piece of the list in the database has.
    #expect(try hub.extend("A17", csv: rows(4...9000)).jobs == 9000)
    #expect(try hub.extend("A17", csv: rows(9001...9002)).jobs == 9002)
    #expect(try other.extend("A17", csv: rows(9003...9004)).jobs == 9004)
    #expect(try hub.extend("A17", csv: rows(9005...9006)).jobs == 9006)
    // Codes of the other hub, and of its own.
    let found = mistakes { _ = try hub.extend("A17", csv: "room,code\n1,A9003\n2,B\n3,A9005\n") }
    #expect(found.map { String($0.prefix(6)) } == ["line 2", "line 4"])
    // What was refused is no part of the list.
    #expect(try hub.extend("A17", csv: "code,room\nA9007,room 9007\nB,7\n").jobs == 9008)
    _ = try hub.extend("A17", csv: "code,room\nB2,7\n")
    var whole = list(1...9007, id: "whole")
    whole.csv += "B;7\nB2;7\n"
    _ = try hub.make(whole)
    let batches = try PoolStore.batches(at: address)
    #expect(batches.count == 2 && batches[0].digest == batches[1].digest)
    // Each job stands where its row is.
    let source = try PooledList(at: text).source
    let places = try PoolStore.connect(address).query(
      "SELECT line, place FROM nfcprog.job WHERE batch = $1 ORDER BY number",
      [.number(batches[0].number)])
    var index = 0
    try source.forEachJob { row throws(RowError) in
      let (job, place) = (try row.get(), places[index])
      #expect(place.number(0) == Int64(job.line) && place.number(1) == Int64(job.offset))
      index += 1
    }
    #expect(index == places.count && index == 9009)
  }

  @Test("a closed batch takes no rows, and benches claim none of its jobs")
  func closed() throws {
    _ = try hub.make(list(1...9))
    let store = try PoolStore(address, bench: "left")
    #expect(try store.claim(2, for: "ntag213").map(\.job) == [1, 2])
    #expect(try hub.close("A17").isClosed && hub.close("A17").isClosed)
    #expect(throws: HubError.closed("A17")) { try hub.extend("A17", csv: "code,room\nA10,1\n") }
    #expect(try store.claim(2, for: "ntag213").isEmpty && store.claim(job: 5) == nil)
    #expect(try store.progress() == (0, 0, true))
    #expect(throws: HubError.noBatch("B")) { try hub.close("B") }
  }

  @Test("a bench without a list works on the batch's own, gets added rows, and ends with the batch")
  func bench() throws {
    _ = try hub.make(list(1...3))
    let list = try PooledList(at: text)
    #expect(list.source.columns == ["code", "room"])
    // Rows that come while the bench begins are no other list.
    _ = try hub.extend("A17", csv: "code,room\nA4,4\n")
    let series = try PoolSeries(text, state: folder, extending: false, ahead: 2, list: list) { _ in
    }
    let bench = try series.open(list.description) { (journal, extending, _) throws(JournalError) in
      try adopt(list.source, list.description, into: journal, extending)
    }
    let session = try bench.journal.begin(operator: "Ann", command: "test", version: "1")
    #expect(bench.store.lastJob == 3)
    var added = 0
    #expect(try !bench.takeUpRows { added += $0 })
    #expect(added == 1 && bench.store.lastJob == 4)
    let more = (5...5000).map { "A\($0),\($0)\n" }.joined()
    _ = try hub.extend("A17", csv: "code,room\n" + more)
    #expect(try !bench.takeUpRows { added += $0 })
    #expect(added == 4997 && bench.store.lastJob == 5000)
    #expect(try bench.journal.plannedJob(5000)?.name == "A5000")
    let tag = PresentedTag(
      uid: .init([4, 1, 2, 3, 4, 5, 6]), tagType: "ntag213", station: "1", reader: "sim")
    let outcome = try session.reserve(for: tag) { (job, _) throws(JobRefusal) in
      SampleList.message(job.number)
    }
    guard case .reserved(let reservation) = outcome
    else {
      Issue.record("The tag gets no job.")
      return
    }
    _ = try hub.close("A17")
    #expect(try bench.takeUpRows { added += $0 })
    // What it has claimed goes back; what it has begun, it finishes.
    let deadline = ContinuousClock.now + .seconds(20)
    while try !bench.store.ownClaims().isEmpty, ContinuousClock.now < deadline { usleep(20_000) }
    #expect(try bench.store.ownClaims().isEmpty && bench.jobsLeft == 0)
    _ = try session.complete(
      reservation,
      verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
      timing: Timing(started: .now, duration: .milliseconds(60)))
    #expect(try hub.batch("A17").written == 1)
    try session.end()
    // It begins again with all that there is.
    #expect(throws: JournalError.self) { try PooledList(at: text.replacing("A17", with: "none")) }
    #expect(try PooledList(at: text).source.count == 5000)
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test("a batch that a bench has loaded asks every bench for its list")
  func noList() throws {
    try PoolStore.load(2, at: address)
    #expect {
      try PooledList(at: text)
    } throws: {
      "\($0)".contains("has no list in the database")
    }
  }

  @Test("two benches without a list put every code on one tag, also rows that come as they work")
  func twoBenches() throws {
    _ = try hub.make(list(1...12))
    let endings = Mutex<[String]>([])
    let group = DispatchGroup()
    for number in 1...2 {
      DispatchQueue(label: "bench \(number)").async(group: group) {
        let ending = Result { try run(number) }
        endings.withLock { $0.append("\(ending)") }
      }
    }
    func wait(for count: Int) throws {
      let deadline = ContinuousClock.now + .seconds(60)
      while try hub.batch("A17").written < count, ContinuousClock.now < deadline { usleep(50_000) }
      #expect(try hub.batch("A17").written == count)
    }
    try wait(for: 12)
    let rows = (13...20).map { "A\($0),late\n" }.joined()
    #expect(try hub.extend("A17", csv: "code,room\n" + rows).jobs == 20)
    try wait(for: 20)
    _ = try hub.close("A17")
    #expect(group.wait(timeout: .now() + 60) == .success)
    #expect(endings.withLock { $0 } == ["success(\"complete\")", "success(\"complete\")"])
    #expect(try links().sorted() == (1...20).map { "example.com/t/A\($0)" }.sorted())
    #expect(try hub.batch("A17").isClosed && hub.batch("A17").reserved == 0)
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test("a bench that follows a batch of another bench takes up what that one's list has more")
  func followed() throws {
    let benches = DispatchGroup()
    let endings = Mutex<[String]>([])
    func start(_ number: Int, _ change: @escaping @Sendable (inout ProvisioningSettings) -> Void) {
      DispatchQueue(label: "bench \(number)").async(group: benches) {
        let ending = Result { try run(number, change) }
        endings.withLock { $0.append("\(number) \(ending)") }
      }
    }
    func wait(for count: Int) throws {
      let deadline = ContinuousClock.now + .seconds(60)
      while (try? hub.batch("A17").written) ?? 0 < count, ContinuousClock.now < deadline {
        usleep(50_000)
      }
      #expect(try hub.batch("A17").written == count)
    }
    start(1) { (settings) in
      (settings.list, settings.follows) = (Self.numbers("1..3"), true)
      // Not while it waits for rows.
      (settings.line.follows, settings.line.timeout) = (true, .seconds(1))
    }
    try wait(for: 3)
    sleep(2)
    #expect(endings.withLock { $0 }.isEmpty)
    // The second bench brings the rows, and takes one of them.
    start(2) { (settings) in
      (settings.list, settings.extends) = (Self.numbers("1..8"), true)
      settings.line.count = 1
    }
    try wait(for: 8)
    // The first bench has a short list, a third one, too: both know the rest.
    start(3) { (settings) in
      (settings.list, settings.follows) = (Self.numbers("1..3"), true)
      settings.line.follows = true
    }
    start(4) { (settings) in settings.list = Self.numbers("1..3", "https://example.com/x/{code}") }
    _ = try hub.close("A17")
    #expect(benches.wait(timeout: .now() + 60) == .success)
    let said = endings.withLock { $0.sorted() }
    #expect(
      [0, 1, 2].allSatisfy { said[$0] == "\($0 + 1) success(\"complete\")" }, "\(said)")
    #expect(said[3].contains("not those of this list"), "\(said)")
    #expect(try links().sorted() == (1...8).map { "example.com/t/\($0)" }.sorted())
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test("a bench looks through its list once, and again where the list is another")
  func lookedThroughOnce() throws {
    let looks = Mutex(0)
    var reels = 0
    func tag(_ number: Int, _ range: String, extending: Bool = false) throws -> Int {
      looks.withLock { $0 = 0 }
      reels += 1
      func change(_ settings: inout ProvisioningSettings) {
        settings.list = Self.numbers(range)
        (settings.extends, settings.line.count) = (extending, 1)
      }
      let ending = try run(number, change, seed: reels) { event in
        if case .listChecked = event { looks.withLock { $0 += 1 } }
      }
      #expect(ending == "complete")
      return looks.withLock { $0 }
    }
    #expect(try tag(1, "1..8") == 1)
    #expect(try tag(1, "1..8") == 0)
    // Another machine.
    #expect(try tag(2, "1..8") == 1)
    #expect(try tag(1, "1..9", extending: true) == 1)
    #expect(try tag(1, "1..9") == 0)
    #expect(throws: BenchError.self) { try tag(1, "1..8") }
    #expect(throws: BenchError.self) { try tag(2, "1..8") }
    #expect(throws: BenchError.self) { try tag(1, "2..10") }
    let links = try links()
    #expect(links.count == 5 && Set(links).count == 5, "\(links)")
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func numbers(
    _ range: String, _ template: String = "https://example.com/t/{code}"
  ) -> JobListChoice {
    guard let numbers = try? CodeRange(parsing: range) else { preconditionFailure(range) }
    return JobListChoice(numbers: numbers, url: template)
  }

  /// A bench with a disk and a simulated board of its own; gives why its run ended.
  private func run(
    _ number: Int, _ change: (inout ProvisioningSettings) -> Void = { $0.takesPoolsList = true },
    seed: Int? = nil, tell: @escaping @Sendable (ProvisioningEvent) -> Void = { _ in }
  ) throws -> String {
    let places = ["HOME": folder, "XDG_STATE_HOME": "\(folder)/state\(number)"]
    var settings = ProvisioningSettings(.ofPool, Environment(places))
    settings.journal = text
    settings.line.timeout = .seconds(60)
    change(&settings)
    let run = try ProvisioningRun(settings, tell: tell)
    let reader = "sim:ntag213*60,save=\(folder)/tags,seed=\(seed ?? number)"
    return "\(try run.work(run.check(), on: LineReaders(named: [reader])).summary.ending)"
  }

  /// What the tags hold by their own memories.
  private func links() throws -> [String] {
    let tags = folder + "/tags"
    return try FileManager.default.contentsOfDirectory(atPath: tags).compactMap { name in
      let pages = try String(contentsOfFile: "\(tags)/\(name)", encoding: .utf8)
        .split(separator: "\n").filter { $0.hasPrefix("Page ") }.dropFirst(4)
      let bytes = try pages.flatMap { page in
        try Hex.bytes((page.split(separator: ":").last ?? "").filter { !$0.isWhitespace })
      }
      let text = String(decoding: bytes.prefix { $0 != 0xFE }, as: UTF8.self)
      return text.firstRange(of: "example.com").map { String(text[$0.lowerBound...]) }
    }
  }
}
