import Foundation
import JobLists
import NDEF
import PN532Simulator
import Readers
import SeededNumbers
import Synchronization
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning
@testable import SeriesReports

/// Each row on its own tag and on no other.
@Suite("A line whose rows are for single tags")
struct TagRowLineTests {
  /// A list with a row for each of `tags`, in another order than theirs.
  private func bench(
    _ tags: [any StoredTag], _ random: inout SeededGenerator, column: String = "",
    value: (Int) -> String = { _ in "" }
  ) throws -> LineBench {
    let rows = tags.indices.map { "C\($0),\(UID(tags[$0].uid))" + value($0) }
    let lines = ["code,uid\(column)"] + rows.shuffled(using: &random)
    return try LineBench(lines.joined(separator: "\n") + "\n")
  }

  /// Fails for a listed tag that holds another row's link, and for one that is not listed and holds
  /// any. Returns how many have theirs.
  private func check(
    _ listed: [any StoredTag], _ others: [any StoredTag], _ comment: Comment
  ) -> Int {
    for tag in others { #expect(LineBench.link(on: tag) == nil, comment) }
    return listed.indices.count(where: { index in
      let link = LineBench.link(on: listed[index])
      #expect(link == nil || link == "https://example.com/t/C\(index)", comment)
      return link != nil
    })
  }

  @Test(
    "puts each on its own tag in whatever order they come, with doubles, strangers, faults and ends",
    arguments: UInt64(0)..<40)
  func anyOrder(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let products = ["ntag213", "classic1k", "ultralight-ev1-11", "ntag215"]
    let tags = try (0..<12).map { try LineBench.tag($0, products[$0 % products.count]) }
    let (listed, others) = (Array(tags.prefix(9)), Array(tags.suffix(3)))
    let bench = try bench(listed, &random)
    for run in 0..<12 {
      // Each tag comes once or twice, to any of two readers.
      var reels: [[any StoredTag]] = [[], []]
      for tag in (tags + tags.prefix(4)).shuffled(using: &random) {
        reels[Int.random(in: 0...1, using: &random)].append(tag)
      }
      let readers = reels.enumerated().map { number, reel in
        var faults = FaultPlan()
        if run < 10, !reel.isEmpty {
          // One of the same reader: a tag lies in one place.
          let twin = reel[Int.random(in: 0..<reel.count, using: &random)]
          faults.exchanges = [
            (.at(Int.random(in: 3...60, using: &random)), .swapped(for: twin)),
            (.at(Int.random(in: 60...160, using: &random)), .removed(afterObeying: true)),
          ]
        }
        return TestReader("\(number)", reel, faults: faults)
      }
      let end = Atomic(run < 10 ? Int.random(in: 2...80, using: &random) : Int.max)
      let summary = try bench.run(
        readers,
        until: { _ in
          end.subtract(1, ordering: .relaxed).newValue <= 0
        }
      ).summary
      let done = check(listed, others, "seed \(seed), run \(run)")
      if case .complete = summary.ending {
        #expect(done == listed.count, "seed \(seed), run \(run)")
        break
      }
    }
    let journal = try bench.journal.open()
    for written in try journal.writtenTags() {
      #expect(written.job.uid == written.uid, "seed \(seed)")
    }
    #expect(try journal.verify().isEmpty)
  }

  @Test("leaves a tag alone that the list does not name, and does not even read it")
  func stranger() throws {
    var random = SeededGenerator(seed: 1)
    let tags = try (0..<3).map { try LineBench.tag($0) }
    let bench = try bench([tags[0], tags[1]], &random)
    let before = tags[2].eeprom.bytes
    let reader = TestReader("1", [tags[2], tags[1], tags[0]])
    let (summary, outcomes) = try bench.run([reader]) { $0.timeout = .seconds(20) }
    #expect(summary.passed == 2 && summary.left == 1)
    let left = try #require(outcomes.first)
    #expect(left.verdict == .left && left.trouble?.known == .notListed && left.bin == .aside)
    #expect(left.counts.reads == 0 && tags[2].eeprom.bytes == before)
    #expect(summary.causes == ["not-listed": 1])
    let report = try bench.journal.open().report()
    #expect(report.lines.contains { $0.contains("not-listed") }, "\(report.lines)")
    // Once all is done it is still what it was.
    let again = try bench.run([TestReader("1", [tags[2]])]) { $0.rewrite = true }
    #expect(again.outcomes.first?.trouble?.known == .notListed)
    // A finished tag is what it ever was.
    let done = try bench.run([TestReader("1", [tags[0]])]) {
      ($0.overwrite, $0.timeout) = (true, .zero)
    }
    #expect(done.outcomes.isEmpty || done.outcomes[0].trouble?.known == .written)
  }

  @Test("says of a tag of another type than its row's what its row wants")
  func type() throws {
    let tag = try LineBench.tag(0, "ntag215")
    let bench = try LineBench("code,uid,tag\nA,\(UID(tag.uid).hex),ntag213\n")
    let outcome = try #require(try bench.run([TestReader("1", [tag])]).outcomes.first)
    #expect(outcome.trouble?.known == .wrongType)
    #expect(outcome.trouble?.text.contains("Row 1") == true)
    #expect(outcome.trouble?.text.contains("NTAG213") == true)
  }

  @Test("opens each tag with its own old password, proves it, and gives it the new one")
  func passwords() throws {
    var random = SeededGenerator(seed: 2)
    func old(_ index: Int) -> [UInt8] { [0xC0, 0xFF, 0xEE, UInt8(index)] }
    func new(_ index: Int) -> [UInt8] { [0xDE, 0xAD, 0xBE, UInt8(index)] }
    let tags = try (0..<4).map { try LineBench.tag($0) }
    // The last one has another password than the supplier says.
    for (index, tag) in tags.enumerated() {
      let protection = Protection(password: old(index == 3 ? 9 : index), readToo: index == 1)
      let report = Programmer(reader: TestReader("0", [tag]).reader).run(.protect(protection))
      #expect(report.failure == nil)
    }
    let before = tags[3].eeprom.bytes
    let bench = try bench(tags, &random, column: ",old-password,password") {
      ",\(UID(old($0)).hex),\(UID(new($0)).hex)"
    }
    // A run that ends in the middle, then another.
    for end in [30, Int.max] {
      let count = Atomic(end)
      _ = try bench.run([TestReader("1", tags)]) {
        $0.timeout = .seconds(3)
      } until: { _ in
        count.subtract(1, ordering: .relaxed).newValue <= 0
      }
    }
    #expect(check(Array(tags.prefix(3)), [tags[3]], "") == 3)
    #expect(tags[3].eeprom.bytes == before)
    for (index, tag) in tags.prefix(3).enumerated() {
      var options = RunOptions()
      options.credentials.password = new(index)
      let programmer = Programmer(
        reader: TestReader("0", [tag]).reader, options: options)
      #expect(programmer.run(.unprotect).failure == nil, "tag \(index)")
    }
    let journal = try bench.journal.open()
    var texts = [try journal.report().lines.joined(separator: "\n")]
    let report = try journal.report()
    try journal.render(report, with: ReportCSV(report)) { texts.append($0) }
    for secret in (0..<4).flatMap({ [old($0), new($0)] }) {
      for suffix in ["", "-wal"] {
        let bytes = try? Data(contentsOf: URL(filePath: bench.journal.path + suffix))
        #expect(bytes?.range(of: Data(secret)) == nil)
        #expect(bytes?.range(of: Data(UID(secret).hex.utf8)) == nil)
      }
      for text in texts { #expect(!text.lowercased().contains(UID(secret).hex)) }
    }
  }

  @Test("changes each tag's keys of its supplier to those of its row")
  func keys() throws {
    let (old, new) = ((0..<5).map { "o\($0)" }, (0..<5).map { "n\($0)" })
    func key(_ tag: Int, _ number: Int, _ base: Int) -> AESKey {
      AESKey((0..<16).map { UInt8(truncatingIfNeeded: base + tag * 97 + number * 16 + $0) })
        ?? .delivered
    }
    let template = try SDMTemplate.expand("https://example.com/{code}?e={picc}&c={mac}").text
    let tags = try (0..<2).map { try LineBench.tag($0, "ntag424") }
    for (index, tag) in tags.enumerated() {
      let ring = KeyRing(.fixed((0..<5).map { key(index, $0, 1) }), version: 1)
      var write = WriteOptions()
      write.personalisation = Personalisation(keys: ring)
      let url = try SDMTemplate.expand("https://example.net/?e={picc}&c={mac}").text
      let report = Programmer(reader: TestReader("0", [tag]).reader)
        .run(.write(try Self.message(url), write))
      #expect(report.failure == nil, "\(report)")
    }
    let journal = try JournalBench()
    let lines = [1, 0].map { index in
      (["C\(index)", UID(tags[index].uid).hex]
        + (0..<5).map { UID(key(index, $0, 1).bytes).hex }
        + (0..<5).map { UID(key(index, $0, 50).bytes).hex }).joined(separator: ",")
    }
    let text = ([(["code", "uid"] + old + new).joined(separator: ",")] + lines)
      .joined(separator: "\n")
    let file = journal.folder.appending(path: "jobs.csv")
    try Data((text + "\n").utf8).write(to: file)
    var settings = settings([("uri", template)])
    (settings.keyColumns, settings.oldKeyColumns) = (new, old)
    let source = try JobSource(.table(file.path), settings)
    #expect(source.openColumns == ["code", "uid"])
    let bench = LineBench(journal, source)
    let (summary, outcomes) = try bench.run([TestReader("1", tags)]) {
      ($0.timeout, $0.overwrite) = (.seconds(30), true)
      $0.personalisation = Personalisation(
        keys: KeyRing(.list([], columns: new)), before: KeyRing(.list([], columns: old), version: 0)
      )
    }
    #expect(summary.passed == 2, "\(outcomes.map { $0.trouble?.text ?? "" })")
    for (index, tag) in tags.enumerated() {
      let card = try #require(tag as? VirtualNTAG424)
      for number in 0..<5 {
        #expect(card.key(UInt8(number)) == key(index, number, 50).bytes, "tag \(index)")
      }
    }
  }

  private static func message(_ url: String) throws -> Message {
    try Message([URIRecord(url).record])
  }
}
