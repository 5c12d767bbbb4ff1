import Dispatch
import Foundation
import HubKit
import JobLists
import Pace
import Synchronization
import Testing

@testable import Bench
@testable import Bytes
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Line
@testable import Provisioning

@Suite(
  "Runs of provision on a pool, on simulated boards", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolRunTests: PoolSuite {
  let pool: SamplePool
  let hub: PoolHubStore
  private let folder = NSTemporaryDirectory() + "made-\(UInt64.random(in: 0 ... .max))"

  init() throws {
    pool = try SamplePool()
    hub = try pool.hub()
  }

  @Test("two benches without a list put every code on one tag, also rows that come as they work")
  func twoBenches() throws {
    _ = try hub.make(SampleList.ofHub(1...12))
    let endings = Mutex<[String]>([])
    let group = DispatchGroup()
    for number in 1...2 {
      DispatchQueue(label: "bench \(number)").async(group: group) {
        let ending = Result { try run(number) }
        endings.withLock { $0.append("\(ending)") }
      }
    }
    try wait(forTags: 12)
    let rows = (13...20).map { "A\($0),late\n" }.joined()
    #expect(try hub.extend("A17", csv: "code,room\n" + rows).jobs == 20)
    try wait(forTags: 20)
    _ = try hub.close("A17")
    #expect(group.wait(timeout: .now() + 120) == .success)
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
    let limit = Pace.limit(1)
    start(1) { (settings) in
      (settings.list, settings.follows) = (Self.numbers("1..3"), true)
      // Not while it waits for rows.
      (settings.line.follows, settings.line.timeout) = (true, limit)
    }
    try wait(forTags: 3)
    // It is still there when its time is over: it says so in the database.
    let time = ContinuousClock.now
    let owner = try server.owner(of: address)
    var alive: String?
    try waitFor {
      guard time.duration(to: .now) > limit else { return false }
      let until = try owner.query("SELECT alive_until FROM nfcprog.bench").first?[0]
      defer { alive = alive ?? until }
      return alive != nil && alive != until
    }
    #expect(endings.withLock { $0 }.isEmpty)
    // The second bench brings the rows, and takes one of them.
    start(2) { (settings) in
      (settings.list, settings.extends) = (Self.numbers("1..8"), true)
      settings.line.count = 1
    }
    try wait(forTags: 8)
    // The first bench has a short list, a third one, too: both know the rest.
    start(3) { (settings) in
      (settings.list, settings.follows) = (Self.numbers("1..3"), true)
      settings.line.follows = true
    }
    start(4) { (settings) in settings.list = Self.numbers("1..3", "https://example.com/x/{code}") }
    _ = try hub.close("A17")
    #expect(benches.wait(timeout: .now() + 120) == .success)
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

  /// Waits until so many tags are finished, and not more; the batch may be still to come.
  private func wait(forTags count: Int) throws {
    _ = Pace.wait { (try? hub.batch("A17").written) ?? 0 >= count }
    #expect(try hub.batch("A17").written == count)
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
