import HubKit
import JobLists
import SeededNumbers
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning

@Suite(
  "Batches that a hub makes in a pool", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolMakingTests: PoolSuite {
  let pool: SamplePool
  let hub: PoolHubStore

  init() throws {
    pool = try SamplePool()
    hub = try pool.hub()
  }

  private func list(_ codes: ClosedRange<Int>, id: String = "A17") -> HubList {
    SampleList.ofHub(codes, id: id)
  }

  private func mistakes(_ body: () throws -> Void) -> [String] {
    do { try body() } catch HubError.badList(let mistakes) { return mistakes } catch {
      return ["\(error)"]
    }
    return []
  }

  @Test("a list becomes a batch with its jobs, and the same list once more is no mistake")
  func made() throws {
    let batch = try hub.make(list(1...30))
    #expect(batch.jobs == 30 && batch.pending == 30 && !batch.isClosed)
    #expect(
      batch.settings == [.init("record 1", "uri \(SampleList.template)"), .init("tag", "ntag213")])
    let jobs = try hub.jobs(of: "A17", JobFilter(), after: 28, limit: 9)
    #expect(jobs.map(\.name) == ["A29", "A30"])
    #expect(
      jobs[0].columns == #"[["code","A29"],["room","room 29"]]"#)
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
    settings.message = MessageTemplate(records: [.init(option: "uri", text: SampleList.template)])
    try SentList(list(1...5).csv, named: "two.csv", settings)
      .make(at: pool.socket(as: "hub").naming(two), now: 1)
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

  @Test("a list with mistakes is refused as a whole, with a sentence for each row")
  func refused() throws {
    let bad = HubList(
      id: "A17", csv: "code,tag\nA1,ntag213\nA1,ntag213\nA3,ntag999\n",
      template: SampleList.template)
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
      id: "B", csv: "code,password\nA1,00112233\n", template: SampleList.template)
    #expect(mistakes { _ = try hub.make(secret) }.first?.contains("column of passwords") == true)
    #expect(try hub.batches().isEmpty)
  }

  @Test("rows are added at the end in whatever order their columns stand, or none of them")
  func extended() throws {
    _ = try hub.make(list(1...3))
    #expect(try hub.extend("A17", csv: "room,CODE\n\"4,\"\"x\"\"\",A4\n\n5,A5").jobs == 5)
    let jobs = try hub.jobs(of: "A17", JobFilter(), after: 3, limit: 9)
    #expect(jobs.map(\.name) == ["A4", "A5"] && jobs[0].columns.hasSuffix(#","4,\"x\""]]"#))
    #expect(jobs[1].columns.hasPrefix(#"[["code","A5"]"#))
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

  @Test("takes names of any length, and finds them by their beginnings")
  func longNames() throws {
    let beginning = String(repeating: "né", count: 300)
    // Hardly to be compressed: an index would have to take all of it.
    var numbers = SeededGenerator(seed: 7)
    let rest = (0..<4000).map { _ in String(Int.random(in: 0..<36, using: &numbers), radix: 36) }
    let names = [beginning + "A" + rest.joined(), beginning + "B", "né"]
    let csv = "code,id\n" + names.enumerated().map { "\($1),\($0)\n" }.joined()
    let made = try hub.make(
      HubList(id: "A17", csv: csv, template: "https://example.com/{id}", tagType: "ntag213"))
    #expect(made.jobs == 3)
    for (name, wanted) in [
      ("né", [1, 2, 3]), (beginning, [1, 2]), (beginning + "A", [1]), (beginning + "B", [2]),
      (beginning + "C", []), (names[0], [1]), (names[0] + "x", []),
    ] {
      let filter = JobFilter(name: name)
      #expect(try hub.jobs(of: "A17", filter, after: 0, limit: 9).map(\.number) == wanted)
    }
  }

  @Test("a request with a key is carried out once, at whichever hub, and is kept with what it does")
  func requests() throws {
    let other = PoolHubStore(try PoolViewer(pool.socket(as: "hub")))
    func request(_ key: String, _ digest: UInt8 = 1) -> HubRequest {
      HubRequest(key: key, digest: Array(repeating: digest, count: 32))
    }
    #expect(try hub.batch(after: request("made")) == nil)
    #expect(try hub.make(list(1...3), request("made")).jobs == 3)
    #expect(try other.batch(after: request("made"))?.jobs == 3)
    #expect(throws: HubError.reusedKey) { try other.batch(after: request("made", 2)) }
    // One that looked before the other had done it.
    #expect(try other.make(list(1...3), request("made")).jobs == 3)
    #expect(try hub.extend("A17", csv: "code;room\nB1;1\n", request("rows")).jobs == 4)
    #expect(try other.extend("A17", csv: "code;room\nB2;1\n", request("rows")).jobs == 4)
    #expect(try hub.batch("A17").jobs == 4)
    // What was refused may come again.
    let again = "code;room\nB1;1\n"
    #expect(mistakes { _ = try hub.extend("A17", csv: again, request("new")) }.count == 1)
    #expect(throws: HubError.exists("A17")) { try hub.make(list(2...9), request("new")) }
    #expect(try hub.batch(after: request("new")) == nil)
    #expect(try hub.close("A17", request("new")).isClosed)
    #expect(try other.batch(after: request("new"))?.isClosed == true)
    #expect(try other.close("A17", request("new")).isClosed)
  }

  @Test("mistakes in rows name lines as they were sent, and those of the batch's list apart")
  func lines() throws {
    _ = try hub.make(list(1...3))
    let found = mistakes { _ = try hub.extend("A17", csv: "code;room\nB;1\nA2;1\nC;1\nC;1\n") }
    #expect(
      found == [
        "line 3, column code: “A2” is the code of line 3 of the batch's list too.",
        "line 5, column code: “C” is the code of line 4 too.",
      ])
  }

  @Test("a list with very many mistakes is not looked at to its end")
  func manyMistakes() throws {
    var bad = list(1...1, id: "B")
    bad.csv = "code;room\n" + String(repeating: "A1;1\n", count: 100_000)
    let found = mistakes { _ = try hub.make(bad) }
    #expect(found.count == 21 && found.last == "and 980 more in the first 1,001 rows")
  }

  @Test(
    "a name that looks like another one is refused",
    arguments: [" A17", "A17 ", "A  17", "A\u{a0}17", "A\u{2028}17", "A\u{e000}", "A\u{200b}17"])
  func names(id: String) {
    #expect(mistakes { _ = try hub.make(list(1...2, id: id)) }.count == 1)
  }

  @Test("rows that come piece by piece, from two hubs in turn, make the list that all of them are")
  func pieces() throws {
    let other = PoolHubStore(try PoolViewer(pool.socket(as: "hub")))
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
    #expect(try store.progress(most: 9) == (0, 0, true))
    #expect(throws: HubError.noBatch("B")) { try hub.close("B") }
  }
}
