import Foundation
import JobLists
import Synchronization
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("A label file")
struct LabelFileTests {
  let bench: JournalBench
  let session: JournalSession
  var path: String { bench.folder.appending(path: "labels.csv").path }

  init() throws {
    bench = try JournalBench()
    session = try bench.session(jobs: 5)
  }

  private func text() throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  private func put(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  private func row(_ number: Int) -> String {
    let time = JournalBench.timing.started.formatted(.iso8601)
    return
      "\(number),CODE-\(number),0400000000000\(number),ntag213,,\(time),no,no,1,pn532_uart:/dev/ttyUSB0,CODE-\(number)\n"
  }

  private let header = "job,name,uid,tag,uri,written,locked,protected,station,reader,code\n"

  private func write(_ number: Int, to file: LabelFile? = nil) throws {
    let written = try session.finish(session.take(JournalBench.tag(number)))
    try file?.append(written)
  }

  @Test("has a row for every finished tag")
  func rows() throws {
    let file = try LabelFile(at: path, of: session)
    try write(1, to: file)
    try write(2, to: file)
    #expect(try text() == header + row(1) + row(2))
    #expect(try LabelFile(at: path, of: session).repairs == .init())
    #expect(try text() == header + row(1) + row(2))
  }

  @Test("gets the rows that a crash kept from it, wherever it came")
  func repairs() throws {
    let file = try LabelFile(at: path, of: session)
    for number in 1...3 { try write(number, to: file) }
    let whole = Array(try text().utf8)
    for length in 0...whole.count {
      try Data(whole.prefix(length)).write(to: URL(filePath: path))
      _ = try LabelFile(at: path, of: session)
      #expect(try Array(text().utf8) == whole, "cut after \(length) bytes")
    }
    // Space that was made for a row whose bytes did not come.
    try put(header + row(1) + "\0\0\0\0")
    let repairs = try LabelFile(at: path, of: session).repairs
    #expect(repairs.wasTorn)
    #expect(repairs.added == 2)
    #expect(try text() == header + row(1) + row(2) + row(3))
  }

  @Test("gets no second row for a tag that is written once more")
  func rewriting() throws {
    let file = try LabelFile(at: path, of: session)
    try write(1, to: file)
    try file.append(session.finish(session.take(JournalBench.tag(1), rewriting: true)))
    #expect(try text() == header + row(1))
  }

  @Test("gets a row for the new tag when a job moves to it")
  func moving() throws {
    let file = try LabelFile(at: path, of: session)
    try write(1, to: file)
    let again = try session.take(JournalBench.tag(1), rewriting: true)
    try session.giveBack(again, isScrap: true)
    try write(2, to: file)
    #expect(try text().contains("\n1,CODE-1,04000000000002,"))
    #expect(try LabelFile(at: path, of: session).repairs.strangers == 1)
  }

  @Test("leaves the rows of another process that runs to that process")
  func others() throws {
    try write(1)
    let mine = try session.journal.begin()
    #expect(try LabelFile(at: path, of: mine).repairs.added == 0)
    try session.end()
    #expect(try LabelFile(at: path, of: mine).repairs.added == 1)
  }

  @Test("of another kind is left as it is")
  func otherFile() throws {
    for content in ["name,price\n1,2\n", "no line", header.dropLast() + ",more\n"] {
      try put(String(content))
      #expect(throws: LabelError.otherFile(path)) { try LabelFile(at: path, of: session) }
      #expect(try text() == content)
    }
    let nowhere = path + "/labels.csv"
    #expect(throws: LabelError.self) { try LabelFile(at: nowhere, of: session) }
  }

  @Test("that a spreadsheet has saved is named as such, and left as it is")
  func converted() throws {
    try write(1)
    for content in ["\u{FEFF}" + header + row(1), header.replacing(",", with: ";")] {
      try put(content)
      #expect(throws: LabelError.converted(path)) { try LabelFile(at: path, of: session) }
      #expect(try text() == content)
    }
  }

  @Test("that another program keeps locked is waited for, which is said, and not for ever")
  func locked() throws {
    var wait = LabelLockWait()
    (wait.quiet, wait.limit) = (.milliseconds(50), .milliseconds(200))
    let said = Mutex<[String]>([])
    wait.say = { text in said.withLock { $0.append(text) } }
    let file = try LabelFile(at: path, of: session, waiting: wait)
    let other = try #require(FileHandle(forReadingAtPath: path))
    #expect(flock(other.fileDescriptor, LOCK_EX) == 0)
    #expect(throws: LabelError.locked(path)) { try write(1, to: file) }
    #expect(said.withLock { $0.count } == 1)
    var stopped = wait
    stopped.limit = .seconds(100)
    stopped.shouldStop = { true }
    #expect(throws: LabelError.locked(path)) {
      try LabelFile(at: path, of: session, waiting: stopped)
    }
    try other.close()
    #expect(try LabelFile(at: path, of: session).repairs.added == 1)
  }

  @Test("that is no file, such as a device without an end, is refused")
  func device() throws {
    for path in ["/dev/full", "/dev/zero", "/dev/null"] {
      #expect(throws: LabelError.cannotOpen(path, reason: "it is not a file")) {
        try LabelFile(at: path, of: session)
      }
    }
    // As long as a full disk, and no line in it.
    let handle = try #require(FileHandle(forWritingAtPath: path) ?? create())
    try handle.truncate(atOffset: 8_000_000_000)
    #expect(throws: LabelError.otherFile(path)) { try LabelFile(at: path, of: session) }
  }

  private func create() -> FileHandle? {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    return FileHandle(forWritingAtPath: path)
  }

  @Test("that its consumer moves away goes on with the rows that come then, now and in later runs")
  func consumed() throws {
    let file = try LabelFile(at: path, of: session)
    try write(1, to: file)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    try write(2, to: file)
    #expect(try text() == header + row(2))
    #expect(try LabelFile(at: path, of: session).repairs == .init())
    try write(3, to: file)
    try file.finish()
    try session.end()
    // Moved between two runs.
    try FileManager.default.moveItem(atPath: path, toPath: path + ".2")
    let next = try session.journal.begin()
    let again = try LabelFile(at: path, of: next)
    #expect(again.repairs == .init())
    #expect(try text() == header)
    try again.append(next.finish(next.take(JournalBench.tag(4))))
    #expect(try text() == header + row(4))
  }

  @Test("of the first version goes on with its columns")
  func earlierColumns() throws {
    try put("job,name,uid,tag,uri,written,locked,protected,code\n")
    let file = try LabelFile(at: path, of: session)
    try write(1, to: file)
    #expect(try text().hasSuffix(",no,no,CODE-1\n"))
    #expect(try LabelFile(at: path, of: session).repairs == .init())
  }

  @Test("with rows of another journal is not taken by a new one")
  func otherJournal() throws {
    let file = try LabelFile(at: path, of: session)
    try write(1, to: file)
    let fresh = try JournalBench()
    let begun = try fresh.session(jobs: 5)
    #expect(throws: LabelError.self) { try LabelFile(at: path, of: begun) }
    #expect(try text() == header + row(1))
    #expect(try LabelFile(at: path, of: begun, startingOver: true).repairs.strangers == 1)
  }

  @Test("takes rows from many threads whole")
  func threads() throws {
    let bench = try JournalBench()
    let session = try bench.session(jobs: 60)
    let path = bench.folder.appending(path: "labels.csv").path
    let files = try (0..<2).map { _ in try LabelFile(at: path, of: session) }
    DispatchQueue.concurrentPerform(iterations: 6) { worker in
      for index in 0..<10 {
        let tag = JournalBench.tag(worker * 100 + index, station: "\(worker)")
        guard let written = try? session.finish(session.take(tag)) else { continue }
        try? files[worker % 2].append(written)
      }
    }
    let lines = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      .split(separator: "\n").dropFirst()
    #expect(Set(lines.map { $0.prefix { $0 != "," } }).count == 60)
    #expect(lines.count == 60)
  }

  @Test(
    "a new file is written as the list is, survives a crash anywhere, and goes on as it began",
    arguments: [";", ",", "\t", "|"], [false, true])
  func dialects(_ delimiter: Unicode.Scalar, hasMark: Bool) throws {
    let dialect = TableDialect(delimiter: UInt8(ascii: delimiter), hasMark: hasMark)
    let file = try LabelFile(at: path, of: session, in: dialect)
    try write(1, to: file)
    try write(2, to: file)
    let whole =
      dialect.opening + Array((header + row(1) + row(2)).replacing(",", with: "\(delimiter)").utf8)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(whole))
    for length in 0...whole.count {
      try Data(whole.prefix(length)).write(to: URL(filePath: path))
      // An empty file begins anew, in the dialect of the list that comes.
      _ = try LabelFile(at: path, of: session, in: dialect)
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(whole), "cut after \(length) bytes")
    }
    try put(header + row(1))
    _ = try LabelFile(at: path, of: session, in: dialect)
    #expect(try text() == header + row(1) + row(2))
  }

  @Test("a dialect is known again by its setting")
  func settings() {
    for byte in UInt8(0x20)...0x7E {
      for hasMark in [false, true] {
        let dialect = TableDialect(delimiter: byte, hasMark: hasMark)
        let description = SourceDescription(kind: "csv", name: "l").written(in: dialect)
        #expect(description.dialect == dialect)
        #expect(description.written(in: .plain).dialect == .plain)
      }
    }
  }

  @Test("quotes what needs it, and reads it back", arguments: [UInt8(0x2C), 0x3B, 0x09, 0x7C])
  func quoting(_ delimiter: UInt8) throws {
    let fields = [
      "", "a,b", "say \"so\"", "two\r\nlines", " edge ", "\"", "é;😀", "=1+1", "\t", "a|b",
    ]
    let bytes =
      CSV.record(fields, dividedBy: delimiter) + CSV.record(["next"], dividedBy: delimiter)
    var read: [[String]] = []
    for size in [1, 3, bytes.count] {
      var scanner = CSVScanner(delimiter: delimiter)
      for start in stride(from: 0, to: bytes.count, by: size) {
        scanner.scan(bytes[start..<min(start + size, bytes.count)]) { read.append($0) }
      }
      #expect(!scanner.isTorn)
    }
    #expect(read == [fields, ["next"], fields, ["next"], fields, ["next"]])
  }

  @Test("a record that was cut short is torn from any byte on, and what stands before it is whole")
  func torn() throws {
    let whole = CSV.record(["one", "a \"quote\""])
    let cut = CSV.record(["two", "line\nbreak", "end"])
    for count in 0..<cut.count {
      var (scanner, read) = (CSVScanner(), [[String]]())
      scanner.scan(whole + cut[..<count]) { read.append($0) }
      #expect(read == [["one", "a \"quote\""]])
      #expect(scanner.end == UInt64(whole.count) && scanner.isTorn == (count > 0), "\(count)")
    }
  }

  @Test("reads a table on that another program saved with CRLF")
  func carriageReturns() {
    var (scanner, read) = (CSVScanner(), [[String]]())
    scanner.scan("a,b\r\n1,\"2\"\r\n".utf8) { read.append($0) }
    #expect(read == [["a", "b"], ["1", "2"]] && !scanner.isTorn)
    scanner.scan(String(repeating: "x", count: 200_001).utf8) { read.append($0) }
    #expect(scanner.isTooLong && read.count == 2)
  }
}
