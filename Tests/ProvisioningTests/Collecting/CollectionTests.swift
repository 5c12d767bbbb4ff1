import Foundation
import JobLists
import Ledger
import PN532Simulator
import TagMemory
import Testing

@testable import Provisioning

@Suite("A line that only reads")
struct CollectionTests {
  @Test("names each tag that comes again, and has a row for every other, at several readers")
  func doubles() throws {
    let bench = try CollectingBench()
    var reels: [[any StoredTag]] = [[], [], []]
    for number in 0..<300 { reels[number % 3].append(try LineBench.tag(number)) }
    // Each hundredth UID is on a second tag, at another reader or the same.
    let again = [(7, 0), (107, 1), (207, 2)]
    for (number, reel) in again { reels[reel].append(try LineBench.tag(number)) }
    let ending = try bench.run(reels.enumerated().map { TestReader("\($0)", $1) })
    #expect(ending.found.good == 300 && ending.found.faulty == 3)
    let named = Set(try again.map { UID(try LineBench.tag($0.0).uid) })
    #expect(Set(ending.faults[.double] ?? []) == named)
    #expect(bench.rows.count == 300 && Set(bench.rows.map { $0[0] }).count == 300)
    let doubles = ending.outcomes.filter { $0.verdict == .failed }
    #expect(Set(doubles.map(\.uid)) == named && doubles.allSatisfy { $0.bin == .aside })
    #expect(doubles.allSatisfy { $0.trouble?.text.contains("as tag ") == true })
  }

  @Test("knows the tags of the file that it continues, and takes a row away that was cut short")
  func continued() throws {
    let bench = try CollectingBench()
    _ = try bench.run([TestReader("1", [try LineBench.tag(0), try LineBench.tag(1)])])
    let whole = try Data(contentsOf: URL(filePath: bench.file))
    try (whole + Data("04aa".utf8)).write(to: URL(filePath: bench.file))
    let ending = try bench.run([TestReader("1", [try LineBench.tag(1), try LineBench.tag(2)])])
    #expect(ending.found.earlier == 2 && ending.found.good == 1)
    #expect(ending.faults == [.double: [UID(try LineBench.tag(1).uid)]])
    #expect(try Data(contentsOf: URL(filePath: bench.file)).starts(with: whole))
    #expect(bench.rows.count == 3)
  }

  @Test("keeps each row of a file with a stray quote, and a last one that lacks its line feed")
  func edited() throws {
    let bench = try CollectingBench()
    let tags = try (0..<5).map { try LineBench.tag($0) }
    _ = try bench.run([TestReader("1", tags)])
    let whole = try String(contentsOfFile: bench.file, encoding: .utf8)
    let lines = whole.split(separator: "\n").map(String.init)
    // The third is longer behind its quote than any record.
    for (row, more) in [(1, 0), (5, 0), (2, 4000)] {
      var edited = lines + Array(repeating: lines[5], count: more)
      edited[row] = "\"" + edited[row]
      let text = edited.joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: URL(filePath: bench.file))
      #expect(throws: CollectedFileError.cannotWrite(bench.file, reason: CollectedFile.damage)) {
        try bench.run([])
      }
      #expect(try String(contentsOfFile: bench.file, encoding: .utf8) == text, "row \(row)")
    }
    try Data(whole.utf8.dropLast()).write(to: URL(filePath: bench.file))
    let ending = try bench.run([TestReader("1", [tags[4], try LineBench.tag(5)])])
    #expect(ending.found.earlier == 5 && ending.found.good == 1)
    #expect(ending.faults == [.double: [UID(tags[4].uid)]])
    #expect(try String(contentsOfFile: bench.file, encoding: .utf8).hasPrefix(whole))
    #expect(bench.rows.count == 6)
    // The last row's time is cut short, too.
    try Data(whole.utf8.dropLast(2)).write(to: URL(filePath: bench.file))
    let file = try CollectedFile(at: bench.file)
    #expect(file.wasTorn && file.earlier.count == 4 && bench.rows.count == 4)
  }

  @Test("holds the rows of the file that it continues to the list or the journal")
  func earlierRows() throws {
    let series = try LineBench(codes: 3)
    let tags = try (0..<3).map { try LineBench.tag($0) }
    _ = try series.run([TestReader("1", tags)]) { $0.timeout = .seconds(30) }
    try write("https://example.com/other", on: tags[1])
    let stranger = try LineBench.tag(9)
    let bench = try CollectingBench()
    _ = try bench.run([TestReader("1", [tags[0], tags[1], stranger])])
    let faults: [TagCause: [UID]] = [
      .changed: [UID(tags[1].uid)], .unknown: [UID(stranger.uid)],
    ]
    // One that is not as wanted has come.
    let missing: [CollectionResult.Missing] = []

    let journal = try series.journal.open(.readOnly)
    var ending = try bench.run([TestReader("1", [tags[2]])]) {
      $0.expectation = .journal(journal)
    }
    #expect(ending.faults == faults && ending.found.missing == missing)
    #expect(ending.found.earlier == 3 && ending.found.good == 1 && ending.found.expected == 3)

    let rows = bench.rows
    let list = try bench.list(
      "uid,message\n\(rows[0][0]),\(rows[0][3])\n\(rows[1][0]),\(rows[0][3])\n"
        + "\(rows[3][0]),\(rows[3][3])\n")
    ending = try bench.run([TestReader("1", [])]) { $0.expectation = list }
    #expect(ending.faults == faults && ending.found.missing == missing)
    #expect(ending.found.earlier == 4 && ending.found.good == 0)
  }

  @Test("writes to no file of another kind, and to none that another process fills")
  func otherFile() throws {
    let bench = try CollectingBench()
    try Data("uid,note\n04a1,mine\n".utf8).write(to: URL(filePath: bench.file))
    #expect(throws: CollectedFileError.otherFile(bench.file)) { try bench.run([]) }
    #expect(try String(contentsOfFile: bench.file, encoding: .utf8) == "uid,note\n04a1,mine\n")
    try FileManager.default.removeItem(atPath: bench.file)
    let first = try CollectedFile(at: bench.file)
    #expect(throws: CollectedFileError.locked(bench.file)) { try CollectedFile(at: bench.file) }
    #expect(throws: CollectedFileError.cannotWrite("/dev/null", reason: "it is not a file")) {
      try CollectedFile(at: "/dev/null")
    }
    #expect(first.path == bench.file)
  }

  @Test("names other types, tags without a genuine signature, and tags that cannot be read")
  func unfit() throws {
    let bench = try CollectingBench()
    let genuine = try TagCatalog.tag("ntag213", uid: [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80])
    let other = try LineBench.tag(1, "ntag215")
    let hidden = try CollectedStates.hidden(try LineBench.tag(2))
    let unsigned = try LineBench.tag(3)
    let ending = try bench.run([TestReader("1", [genuine, other, hidden, unsigned])]) {
      ($0.product, $0.mustBeGenuine) = (.named("ntag213"), true)
    }
    #expect(ending.found.good == 1 && bench.rows.map { $0[0] } == [UID(genuine.uid).hex])
    #expect(bench.rows[0][8].contains("genuine"))
    #expect(
      ending.faults == [
        .wrongType: [UID(other.uid)], .unread: [UID(hidden.uid)],
        .notGenuine: [UID(unsigned.uid)],
      ])
  }

  @Test("a list of UIDs or of messages says what is there, missing, and not expected")
  func expected() throws {
    let bench = try CollectingBench()
    let tags = try (0..<5).map { try LineBench.tag($0) }
    for number in 0..<4 { try write("https://example.com/t/\(number / 2)", on: tags[number]) }
    let uids = tags.map { UID($0.uid) }

    var list = try bench.list("\(uids[0])\n\(uids[1].hex)\n04:01:02:03:04:05:06\n")
    var ending = try bench.run([TestReader("1", [tags[0], tags[1], tags[2]])]) {
      $0.expectation = list
    }
    #expect(
      ending.found.missing == [.tag(UID([4, 1, 2, 3, 4, 5, 6]))] && ending.found.expected == 3)
    #expect(ending.faults == [.unknown: [uids[2]]])

    try FileManager.default.removeItem(atPath: bench.file)
    list = try bench.list(
      "https://example.com/t/0\nhttps://example.com/t/1\nhttps://example.com/t/1\nhttps://b.example/\n"
    )
    ending = try bench.run([TestReader("1", tags)]) { $0.expectation = list }
    #expect(ending.found.missing == [.content("https://b.example/")])
    #expect(ending.faults == [.copy: [uids[1]], .unknown: [uids[4]]])

    // The file of a run is a list for the next one: the same tags with the same messages.
    try write("https://example.com/t/9", on: tags[0])
    list = .list(try TagList(at: bench.file))
    try FileManager.default.removeItem(atPath: bench.file)
    ending = try bench.run([TestReader("1", [tags[0], tags[2]])]) { $0.expectation = list }
    #expect(ending.faults == [.changed: [uids[0]]] && ending.found.good == 1)
    #expect(ending.found.missing == [.tag(uids[3])])
  }

  @Test("a tag that was removed too early is no fault once it was read")
  func removed() throws {
    for place in 3..<12 {
      let bench = try CollectingBench()
      let tag = try LineBench.tag(0)
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .removed(afterObeying: false))]
      let ending = try bench.run([TestReader("1", [tag, tag], faults: faults)])
      #expect(ending.found.good == 1 && bench.rows.count == 1, "removed at exchange \(place)")
      #expect(ending.found.faults.allSatisfy { $0.cause == .double }, "exchange \(place)")
    }
  }

  @Test("a tag that was swapped while it was read gets no row with the other's UID")
  func swapped() throws {
    for place in 3..<12 {
      let bench = try CollectingBench()
      let (tag, other) = (try LineBench.tag(0), try LineBench.tag(1))
      try write("https://example.com/t/0", on: tag)
      try write("https://example.com/t/1", on: other)
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .swapped(for: other))]
      _ = try bench.run([TestReader("1", [tag], faults: faults)])
      for row in bench.rows {
        let number = row[0] == UID(tag.uid).hex ? 0 : 1
        #expect(row[2] == "https://example.com/t/\(number)", "swapped at exchange \(place)")
      }
    }
  }

  @Test("a reader that fails and comes back makes no double of the tag that lies there")
  func readerTrouble() throws {
    for place in 2..<40 {
      let bench = try CollectingBench()
      let tags = [try LineBench.tag(0), try LineBench.tag(1)]
      let reader = TestReader("1", tags, lostAnswer: place)
      let ending = try bench.run([reader]) { _ in
      } options: {
        $0.count = 2
      }
      #expect(ending.found.good == 2 && ending.found.faulty == 0, "answer \(place) is lost")
      #expect(bench.rows.map { $0[0] } == tags.map { UID($0.uid).hex }, "answer \(place)")
    }
  }

  @Test("a tag that is no tag of the series is named, as audit names it")
  func journal() throws {
    let series = try LineBench(codes: 3)
    let tags = try (0..<3).map { try LineBench.tag($0) }
    _ = try series.run([TestReader("1", tags)]) { $0.timeout = .seconds(30) }
    let journal = try series.journal.open(.readOnly)
    let bench = try CollectingBench()
    try write("https://example.com/other", on: tags[1])
    let stranger = try LineBench.tag(9)
    let ending = try bench.run([TestReader("1", [tags[0], tags[1], stranger])]) {
      $0.expectation = .journal(journal)
    }
    #expect(ending.outcomes.map { $0.audit?.job } == [1, 2, nil])
    #expect(
      ending.faults == [.changed: [UID(tags[1].uid)], .unknown: [UID(stranger.uid)]])
    #expect(ending.found.expected == 3)
    #expect(ending.found.missing == [.tag(UID(tags[2].uid))])
  }

  @Test("ends after as many good tags as are asked for")
  func counted() throws {
    let bench = try CollectingBench()
    let tags = try (0..<5).map { try LineBench.tag($0) }
    let ending = try bench.run([TestReader("1", [tags[0], tags[0]] + tags[1...])]) { _ in
    } options: {
      $0.count = 3
    }
    guard case .complete = ending.summary.ending else {
      Issue.record("\(ending.summary.ending)")
      return
    }
    #expect(ending.found.good == 3 && bench.rows.count == 3)
  }
}
