import Foundation
import NDEF
import SeededNumbers
import TagMemory
import Testing

@testable import JobLists

/// A source of random numbers that has no luck at all.
private struct Unlucky: RandomNumberGenerator {
  let value: UInt64
  func next() -> UInt64 { value }
}

@Suite("Codes in the messages of a list")
struct CodeFieldTests {
  private static let key = Array(
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n".utf8)

  private func link(_ template: String, _ row: String, uid: UID, made: String = "2026-11-27") throws
    -> String
  {
    let source = try JobFile(row).table(("uri", template))
    let job = try #require(source.jobs.first, "\(source.problems)")
    return try #require(
      try job.message.message(
        for: TagFields(uid: uid, number: job.number, made: made), files: source.files
      ).links.first)
  }

  @Test("that are drawn are never two jobs' own, however bad the luck is")
  func distinct() {
    for value in [0, UInt64.max, 0x1234_5678_9ABC_DEF0] {
      var generator = Unlucky(value: value)
      var seen: Set<String> = []
      for number in 1...20_000 {
        let code = RandomCode.draw(10, forJob: number, using: &generator)
        guard code.utf8.count == 10, seen.insert(code).inserted else {
          Issue.record("job \(number) has \(code)")
          break
        }
      }
    }
    var random = SeededGenerator(seed: 1)
    let codes = (0..<1000).map { _ in RandomCode.draw(12, forJob: 7, using: &random) }
    #expect(Set(codes).count == codes.count)
    // Every character of every place comes, but for the number's highest bits.
    for place in 0..<12 { #expect(Set(codes.map { Array($0)[place] }).count == 32) }
    var generator = Unlucky(value: 0)
    #expect(
      RandomCode.draw(10, forJob: RandomCode.mostJobs, using: &generator)
        != RandomCode.draw(10, forJob: 1, using: &generator))
  }

  @Test("that are drawn stand where the template has them, the same in all places")
  func drawn() throws {
    let uid = UID([4, 1, 2, 3, 4, 5, 6])
    let made = "2026-11-27 0123456789"
    #expect(
      try link(
        "https://example.com/{random:10}?d={date}&again={random:10}", "code\nA\n", uid: uid,
        made: made)
        == "https://example.com/0123456789?d=2026-11-27&again=0123456789")
    // Nothing is written that was not drawn.
    #expect(throws: (any Error).self) {
      try link("https://example.com/{random:10}", "code\nA\n", uid: uid)
    }
    #expect(throws: (any Error).self) {
      try link("https://example.com/{random:10}/{random:12}", "code\nA\n", uid: uid, made: made)
    }
    for wrong in ["random", "random:9", "random:65", "random:x"] {
      #expect(throws: JobSourceError.self) {
        try JobFile("code\nA\n").table(("uri", "https://example.com/{\(wrong)}"))
      }
    }
    let source = try JobFile("code\nA\nB\n").table(("uri", "https://example.com/{random:16}"))
    #expect(try JobCheck().report(on: source).isGood)
    #expect(RandomCode.made(on: "2026-11-27", for: source.jobs[0]).utf8.count == 27)
    // A tag of another journal is known by its link, whatever its code.
    func message(_ made: String) throws -> [UInt8] {
      try source.jobs[0].message.message(for: TagFields(uid: uid, number: 1, made: made))
        .serialize()
    }
    #expect(
      TagFields.isSame(
        try message(TagFields.anyDay), try message("2026-11-27 0123456789ABCDEF")))
  }

  @Test("of a key are those that another program makes, over the UID or a column")
  func authentic() throws {
    let folder = FileManager.default.temporaryDirectory.path()
    let path = "\(folder)/hmac-\(UUID().uuidString):x.key"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(Self.key).write(to: URL(filePath: path))
    let uid = UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80])
    let over = try link("https://example.com/{code}?h={hmac:\(path)}", "code\nA7F3\n", uid: uid)
    #expect(over == "https://example.com/A7F3?h=JXYETYG09S0ZXDS9S7CMTJ038D")
    let link = try link(
      "https://example.com/t?c={code}&h={hmac.code:\(path):16}", "code\nA7F3\n", uid: uid)
    #expect(link == "https://example.com/t?c=A7F3&h=5NVW7C4AN0N5GMBR")
    let key = try HMACField.key(in: Self.key, of: "")
    #expect(try HMACProof.find(in: over, key: key, uid: uid)?.input == .uid(uid))
    #expect(try HMACProof.find(in: over, key: key) == nil)
    #expect(try HMACProof.find(in: link, key: key)?.input == .value("A7F3"))
    #expect(
      try HMACProof.find(in: link.lowercased().replacing("a7f3", with: "A7F3"), key: key) != nil)
    #expect(try HMACProof.find(in: link.replacing("A7F3", with: "A7F4"), key: key) == nil)
    #expect(try HMACProof.find(in: link, key: key.reversed()) == nil)
    #expect(throws: HMACProof.NoCode.self) {
      try HMACProof.find(in: "https://example.com/t?c=A7F3", key: key)
    }
    // Behind the value itself, and with the UID in the link.
    let behind = try self.link(
      "https://example.com/{code}-{hmac.code:\(path):10}", "code\nA7F3\n", uid: uid)
    #expect(try HMACProof.find(in: behind, key: key)?.input == .value("A7F3"))
    let own = try self.link(
      "https://example.com/?u={uid}&h={hmac:\(path):20}", "code\nA7F3\n", uid: uid)
    #expect(try HMACProof.find(in: own, key: key)?.input == .uid(uid))
    // Of a tag that is known its own UID alone proves anything.
    #expect(try HMACProof.find(in: link, key: key, uid: uid) == nil)
    // Copied onto another tag.
    #expect(try HMACProof.find(in: own, key: key, uid: UID([4, 1, 2, 3, 4, 5, 6])) == nil)
    let source = try JobFile("code\nA\n").table(("uri", "https://example.com/{hmac:\(path)}"))
    #expect(source.remarks.map(\.code) == ["hmac-of-uid"])
    for (text, reason) in [
      ("hmac:\(path):7", "8 to 51"), ("hmac:\(path):52", "8 to 51"), ("hmac::8", "8 to 51"),
      ("hmac.serial:\(path)", "no field"), ("hmac.uid:\(path)", "over the value of a column"),
      ("hmac", "no field"),
    ] {
      let error = #expect(throws: JobSourceError.self) {
        try JobFile("code\nA\n").table(("uri", "https://example.com/{\(text)}"))
      }
      #expect(error?.message.contains(reason) == true, "\(text): \(error?.message ?? "")")
    }
    try Data("no key".utf8).write(to: URL(filePath: path))
    let refused = try JobFile("code\nA\n").table(("uri", "https://example.com/{hmac:\(path)}"))
    let report = try JobCheck().report(on: refused)
    #expect(report.problems.first?.message.contains("has no key") == true, "\(report.lines)")
  }
}
