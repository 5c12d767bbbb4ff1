import Foundation
import SeededNumbers
import TagMemory
import Testing

@testable import JobLists

@Suite("Any job list, any bytes")
struct RandomListTests {
  private static let pieces: [[UInt8]] =
    [
      "\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "\r", " ", "a", "code", "url", "{", "}", "@", "=",
      "%", "\u{E4}",
      "\u{FEFF}", "https://example.com/", "01020304", "yes", "\u{0}",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

  @Test("gives jobs or problems, in order, and every job is found again", arguments: 0..<8)
  func anyBytes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<60 {
      let start = round % 3 == 0 ? "" : "code,url,password,lock\n"
      let list =
        Array(start.utf8)
        + (0..<Int.random(in: 0..<120, using: &random)).flatMap { _ in
          Self.pieces.randomElement(using: &random) ?? []
        }
      let file = try JobFile(list)
      try check(try? file.table())
      try check(try? file.table(("mime", "text/plain={code}")))
      try check(try? file.codes(("smart-poster", "https://example.com/{code},title={code}")))
    }
  }

  private func check(_ source: JobSource?) throws {
    guard let source else { return }
    var lines: [Int] = []
    for row in source.rows {
      switch row {
      case .failure(let problem): lines.append(problem.line)
      case .success(let job):
        lines.append(job.line)
        let fields = TagFields(uid: UID([4, 1, 2, 3]), number: job.number, secondsSince1970: 0)
        _ = try? job.message.message(for: fields)
        #expect(try source.password(of: job)?.count == (job.hasPassword ? 4 : nil))
        #expect(!job.columns.contains { $0.name == "password" })
      }
    }
    #expect(lines == lines.sorted())
    #expect(lines.count == source.count)
    #expect(source.jobs.map(\.offset) == source.jobs.map(\.offset).sorted())
  }

  @Test("what a spreadsheet writes is read as it was", arguments: 0..<4)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: 100 + seed)
    let delimiter = [",", ";", "\t"].randomElement(using: &random) ?? ","
    let characters = ["a", "\u{E4}", "\"", ",", ";", "\t", "\n", "\r\n", " ", "{", "}", "="]
    let table = (0..<200).map { _ in
      (0..<3).map { _ in
        "x"
          + (0..<Int.random(in: 0..<12, using: &random))
          .map { _ in characters.randomElement(using: &random) ?? "" }.joined()
      }
    }
    let rows = ([["a", "b", "c"]] + table).map { row in
      row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: delimiter) + "\r\n"
    }
    let source = try JobFile(rows.joined()).table(("text", "{a}"))
    #expect(source.jobs.map { $0.columns.map(\.value) } == table)
  }

  @Test("what comes through a pipe is read as often as a file")
  func pipe() throws {
    let pipe = Pipe()
    let list = "code,password\n" + (1...20_000).map { "A\($0),01020304\n" }.joined()
    let writer = Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: Data(list.utf8))
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let source = try JobSource(.table(path), settings([("text", "{code}")]))
    #expect(source.count == 20_000)
    let last = try #require(source.jobs.last)
    #expect(last.name == "A20000")
    #expect(try source.password(of: last) == [1, 2, 3, 4])
  }
}
