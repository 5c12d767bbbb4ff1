import Foundation
import GRDB
import JobLists
import NDEF
import PN532Simulator
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("Tags from the field get new links, and their old ones back")
struct ChangingTests {
  /// Types of tag that take a message without more.
  static let products = [
    "ntag213", "ntag216", "ultralight-c", "classic1k", "type4",
  ]

  @Test("a link is changed and put back byte for byte, all else stays", arguments: products)
  func changed(_ product: String) throws {
    let bench = try ChangingBench()
    let tag = try ChangingBench.tag(product)
    let before = try #require(ChangingBench.message(on: tag))
    let memory = tag.eeprom.bytes
    let first = try bench.run([TestReader("1", [tag])])
    #expect(first.outcomes.map(\.verdict) == [.passed], "\(first.outcomes)")
    #expect(
      first.outcomes.first?.change == "https://old.example/t/7F → https://new.example/7F")
    let message = try Message(parsing: try #require(ChangingBench.message(on: tag)))
    #expect(message.firstLink?.link == "https://new.example/7F")
    let old = try Message(parsing: before)
    #expect(message.records.dropFirst() == old.records.dropFirst())
    let again = try bench.run([TestReader("1", [tag])])
    #expect(again.outcomes.map(\.trouble?.known) == [.written])
    #expect(again.outcomes.map(\.bin) == [.good])
    let back = try bench.run([TestReader("1", [tag])], back: true)
    #expect(back.outcomes.map(\.verdict) == [.passed], "\(back.outcomes)")
    #expect(back.summary.pending == 0)
    #expect(ChangingBench.message(on: tag) == before)
    if product.hasPrefix("ntag") {
      // Behind the message lies what its longer form has left.
      let end = 16 + 2 + before.count + 1
      #expect(tag.eeprom.bytes[..<end] == memory[..<end])
    }
    // Nothing is left to do.
    let none = try bench.run([TestReader("1", [tag])], back: true)
    #expect(none.outcomes.isEmpty && none.summary.pending == 0)
    // And forth again.
    #expect(try bench.run([TestReader("1", [tag])]).outcomes.map(\.verdict) == [.passed])
    #expect(ChangingBench.link(on: tag) == "https://new.example/7F")
    #expect(try bench.journal.open(.readOnly).verify(messages: true) == [])
  }

  @Test("a message in its longer form is put back in it")
  func longForm() throws {
    let bench = try ChangingBench()
    let tag = try TagCatalog.tag("ntag213", index: 0)
    let canonical = Message(try URIRecord("https://old.example/t/7F").record).serialize()
    // The payload's length in four bytes: the bit SR is clear (NDEF 1.0, 3.2.4).
    let long = [canonical[0] & 0xEF, canonical[1], 0, 0, 0] + canonical[2...]
    var write = WriteOptions()
    write.encoding = long
    #expect(try ChangingBench.run(.write(Message(parsing: long), write), on: tag))
    #expect(try bench.run([TestReader("1", [tag])]).outcomes.map(\.verdict) == [.passed])
    #expect(ChangingBench.message(on: tag) != long)
    try bench.run([TestReader("1", [tag])], back: true)
    #expect(ChangingBench.message(on: tag) == long)
  }

  @Test("a Smart Poster keeps all but its link")
  func smartPoster() throws {
    let bench = try ChangingBench()
    let tag = try TagCatalog.tag("ntag216", index: 0)
    let poster = try SmartPosterRecord(
      uri: URIRecord("https://old.example/t/1"), titles: [TextRecord("T", language: "en")],
      action: .save, id: [1])
    #expect(try ChangingBench.run(.write(Message(poster.record)), on: tag))
    try bench.run([TestReader("1", [tag])])
    let message = try Message(parsing: try #require(ChangingBench.message(on: tag)))
    guard case .smartPoster(let now)? = message.records.first?.content else {
      Issue.record("no Smart Poster: \(message)")
      return
    }
    #expect(now.uri.uri == "https://new.example/1")
    #expect((now.titles, now.action, now.id) == (poster.titles, .save, [1]))
  }

  @Test("tags with one message each get theirs, and each gets it back")
  func alike() throws {
    let bench = try ChangingBench()
    let tags = try (0..<5).map { try ChangingBench.tag("ntag213", $0) }
    let before = tags.map { ChangingBench.message(on: $0) }
    #expect(try bench.run([TestReader("1", tags)]).summary.passed == 5)
    #expect(Set(tags.map { ChangingBench.link(on: $0) }) == ["https://new.example/7F"])
    #expect(try bench.journal.open(.readOnly).verify(messages: true) == [])
    #expect(try bench.run([TestReader("1", tags)], back: true).summary.passed == 5)
    #expect(tags.map { ChangingBench.message(on: $0) } == before)
    #expect(try bench.journal.open(.readOnly).verify(messages: true) == [])
  }

  @Test("what is not to be changed is named and not touched", arguments: TagCatalog.names)
  func untouched(_ product: String) throws {
    for state in CollectedStates.allCases {
      let tag = try TagCatalog.tag(product, index: 0)
      guard try state.apply(to: tag) else { continue }
      // The states hold links of example.com; a rule takes those of tags that cannot be written.
      let isWritable = state == .delivered || state == .written
      let bench = try ChangingBench(
        from: isWritable ? "https://old.example/{id}" : "https://example.com/t/{id}")
      let (memory, cycles) = (tag.eeprom.bytes, tag.eeprom.programmingCycles)
      let ending = try bench.run([TestReader("1", [tag])])
      #expect(tag.eeprom.bytes == memory, "\(product), \(state)")
      #expect(tag.eeprom.programmingCycles == cycles, "\(product), \(state)")
      #expect(ending.summary.passed == 0, "\(product), \(state): \(ending.outcomes)")
      #expect(ending.outcomes.allSatisfy { $0.bin != .good && $0.trouble?.known != nil })
      #expect(try bench.journal.open(.readOnly).tally().jobs == 0, "\(product), \(state)")
    }
  }

  @Test("a tag that was changed since is named and not touched, forth and back")
  func changedSince() throws {
    let bench = try ChangingBench()
    let tag = try ChangingBench.tag()
    try bench.run([TestReader("1", [tag])])
    let other = Message(try URIRecord("https://old.example/t/other").record)
    #expect(ChangingBench.run(.write(other), on: tag))
    for back in [false, true] {
      let ending = try bench.run([TestReader("1", [tag])], back: back)
      #expect(ending.outcomes.map(\.trouble?.known) == [.changed])
      #expect(ending.outcomes.map(\.bin) == [.aside])
      #expect(ChangingBench.message(on: tag) == other.serialize())
    }
  }

  @Test("a tag that the journal does not know gets nothing back")
  func strange() throws {
    let bench = try ChangingBench()
    try bench.run([TestReader("1", [try ChangingBench.tag("ntag213", 1)])])
    let tag = try ChangingBench.tag("ntag213", 2)
    let ending = try bench.run([TestReader("1", [tag])], back: true)
    #expect(ending.outcomes.map(\.trouble?.known) == [.unknown])
    #expect(ending.summary.pending == 1)
    #expect(ChangingBench.link(on: tag) == "https://old.example/t/7F")
  }

  @Test("a journal of other rules, or of a list, is refused")
  func otherRules() throws {
    let bench = try ChangingBench()
    try bench.run([])
    let journal = try bench.journal.open()
    let other = try ChangeRules(
      from: "https://old.example/t/{id}", to: "https://other.example/{id}")
    #expect(throws: JournalError.self) { try journal.adopt(changes: other.description) }
    let list = try JournalBench()
    _ = try list.session(jobs: 1)
    let listJournal = try list.open()
    for rules in [bench.rules.description, nil] {
      #expect(throws: JournalError.self) { try listJournal.adopt(changes: rules) }
    }
    #expect(throws: JournalError.self) {
      _ = try journal.adopt(JournalBench.source) { _ in }
    }
  }

  @Test("what a journal has of a tag's messages is sealed")
  func sealed() throws {
    for column in ["before", "after"] {
      let bench = try ChangingBench()
      let tag = try ChangingBench.tag()
      try bench.run([TestReader("1", [tag])])
      let journal = try bench.journal.open()
      try journal.write { db in
        let trigger = try String.fetchOne(
          db, sql: "SELECT sql FROM sqlite_master WHERE name = 'job_change_stays'")
        try db.execute(
          sql:
            "DROP TRIGGER job_change_stays; UPDATE job SET \(column) = x'D00000'; \(trigger ?? "")"
        )
      }
      let found = try journal.verify(messages: true)
      #expect(found.map(\.code) == ["row"], "\(column): \(found)")
      // Whoever changes the row's digest, too, cannot change the events.
      let change = try #require(try journal.change(ofJob: 1))
      let digest = TagChange.digest(of: UID(tag.uid), change.before, change.after)
      try journal.write { db in
        try db.execute(sql: "UPDATE job SET row_digest = ?", arguments: [Data(digest)])
      }
      let sealed = try journal.verify(messages: true)
      #expect(sealed.contains { $0.code == "message" }, "\(column): \(sealed)")
    }
  }
}
