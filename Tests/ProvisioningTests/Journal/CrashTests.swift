import Foundation
import GRDB
import Testing

@testable import LedgerSQLite

/// Virtual tags and somebody who writes jobs to them as a station does, until the lights go out.
private struct Line {
  struct Lights: Error {}

  let session: JournalSession
  var tags: [Int: [UInt8]] = [:]
  /// How many moments are left until the process is killed.
  var moments: Int
  /// Called at each moment, just before it might be the last.
  var atMoment: () throws -> Void = {}

  mutating func moment() throws {
    try atMoment()
    guard moments > 0 else { throw Lights() }
    moments -= 1
  }

  /// Presents a tag. Every third tag that is new is bad: it takes nothing; every fourth goes away
  /// once.
  mutating func present(_ number: Int, isNew: Bool) throws {
    let tag = JournalBench.tag(number)
    try moment()
    if case .written = try session.journal.history(of: JournalBench.uid(number)) { return }
    try moment()
    let reservation: Reservation
    if let content = tags[number], let kept = try session.takeUp(tag, holding: content) {
      reservation = kept
    } else {
      guard case .reserved(let new) = try session.reserve(for: tag, make: makeText) else { return }
      reservation = new
      try moment()
      if number % 3 == 0 {
        try session.giveBack(reservation, isScrap: true)
        return try moment()
      }
      tags[number] = reservation.message
      try moment()
      if number % 4 == 0, isNew { return try session.hold(reservation) }
    }
    try moment()
    try session.finish(reservation)
    try moment()
  }
}

@Suite("A journal in a crash")
struct CrashTests {
  private static let jobs = 7

  /// Goes on until no job is left; returns what the tags hold.
  private func finish(_ bench: JournalBench, _ tags: [Int: [UInt8]], firstNew: Int) throws
    -> [Int: [UInt8]]
  {
    let session = try bench.open().begin()
    var line = Line(session: session, tags: tags, moments: .max)
    // What lay on the bench comes by again, and then new tags.
    for number in tags.keys.sorted() { try line.present(number, isNew: false) }
    for held in try session.journal.reservations() where held.uid.bytes.count == 7 {
      try line.present(Int(held.uid.bytes[6]), isNew: false)
    }
    for number in firstNew..<firstNew + 20 { try line.present(number, isNew: false) }
    return line.tags
  }

  private func check(_ bench: JournalBench, _ tags: [Int: [UInt8]]) throws {
    let journal = try bench.open()
    #expect(try journal.verify(facts: true) == [])
    #expect(try journal.tally().written == Self.jobs)
    let texts = tags.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts.sorted() == (1...Self.jobs).map { "https://example.com/t/CODE-\($0)" })
    for (number, message) in tags {
      guard case .written(let written) = try journal.history(of: JournalBench.uid(number)) else {
        throw Unexpected(number)
      }
      #expect(written.digest == digest(of: message))
    }
  }

  @Test("at any moment leaves every job on one tag when the work is finished later")
  func everyMoment() throws {
    var moments = 0
    var isOver = false
    while !isOver {
      let bench = try JournalBench()
      var line = Line(session: try bench.session(jobs: Self.jobs), moments: moments)
      do {
        for number in 1...6 { try line.present(number, isNew: true) }
        isOver = true
      } catch is Line.Lights {}
      // What is on the disk when the process dies; its locks and shared memory die with it.
      let after = try JournalBench()
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: bench.path + suffix) {
        try FileManager.default.copyItem(atPath: bench.path + suffix, toPath: after.path + suffix)
      }
      #expect(try after.open().verify(facts: true) == [])
      // The copy's session seems alive, as this process is.
      try after.open().database.write { db in try db.execute(sql: "UPDATE session SET ended_at = 1")
      }
      try check(after, finish(after, line.tags, firstNew: 7))
      moments += 1
    }
    #expect(moments > 20)
  }

  @Test("of the machine loses nothing that a call had returned from, wherever the log is cut")
  func tornLog() throws {
    let bench = try JournalBench()
    let session = try bench.session(jobs: Self.jobs)
    // Everything stays in the log, so that each cut is one.
    try session.journal.database.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    }
    var states: [(length: Int, tally: Tally)] = []
    func note() throws {
      let length = try Data(contentsOf: URL(filePath: bench.path + "-wal")).count
      states.append((length, try session.journal.tally()))
    }
    try note()
    for number in 1...5 {
      let reservation = try session.take(JournalBench.tag(number))
      try note()
      if number == 3 {
        try session.giveBack(reservation, isScrap: true)
      } else {
        try session.finish(reservation)
      }
      try note()
    }
    let log = try Data(contentsOf: URL(filePath: bench.path + "-wal"))
    for (before, after) in zip(states, states.dropFirst()) {
      let step = max(1, (after.length - before.length) / 9)
      for length in stride(from: before.length, through: after.length, by: step) {
        let cut = try JournalBench()
        try FileManager.default.copyItem(atPath: bench.path, toPath: cut.path)
        // Where the disk had room for the rest but not yet its bytes, there are zeros.
        let rest = Data(repeating: 0, count: log.count - length)
        try (log.prefix(length) + rest).write(to: URL(filePath: cut.path + "-wal"))
        let journal = try cut.open()
        let tally = try journal.tally()
        #expect(tally == before.tally || tally == after.tally)
        #expect(try journal.verify(facts: true) == [])
      }
    }
  }
}
