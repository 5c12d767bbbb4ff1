import Foundation
import JobLists
import NDEF
import PN532Simulator
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning
@testable import SeriesReports

@Suite("A line that gives tags keys")
struct ProvenLineTests {
  private static let master = AESKey((1...16).map { UInt8($0) }) ?? .delivered
  private static let template = "https://example.com/{code}?e={picc}&c={mac}"

  /// The template with stand-ins in the places of the tag.
  private static func expanded() throws -> String { try SDMTemplate.expand(template).text }

  private func bytes(of bench: LineBench) throws -> Data {
    var bytes = Data()
    for suffix in ["", "-wal"] {
      bytes += (try? Data(contentsOf: URL(filePath: bench.journal.path + suffix))) ?? Data()
    }
    return bytes
  }

  @Test("names the master, the scheme and the versions before the first key changes, and no key")
  func derivation() throws {
    let bench = try LineBench(codes: 2, template: try Self.expanded())
    let ring = KeyRing(.an10922(master: Self.master, name: Array("shop".utf8)), version: 3)
    let tag = try LineBench.tag(0, "ntag424")
    let settle: (inout LineOptions) -> Void = {
      $0.personalisation = Personalisation(keys: ring)
    }
    // The run ends in the middle of the tag's job.
    let (torn, _) = try bench.run(
      [TestReader("1", [tag])], settle,
      until: { event in
        if case .progress(.step(let number, _, _)) = event.kind { number >= 3 } else { false }
      })
    #expect(torn.passed == 0, "\(torn)")
    let journal = try bench.journal.open()
    let given = try #require(try journal.keys(ofJob: 1))
    #expect(given.keys == ring.identity && given.before.isDelivered)
    #expect(given.keys.scheme == "an10922" && given.keys.version == 3 && given.keys.name == "shop")
    #expect(given.keys.master.count == 8)
    let (whole, _) = try bench.run([TestReader("1", [tag])], settle)
    #expect(whole.passed == 1)
    let report = try journal.report()
    #expect(report.keys == [Report.Keys(identity: ring.identity, tags: 1)])
    #expect(
      report.settings.contains {
        $0.name == "Keys of 1 tag"
          && $0.value == "an10922, master id \(given.keys.master), name shop, version 3"
      })
    #expect(try journal.verify().isEmpty)
    let stored = try bytes(of: bench)
    for number in KeyRing.keyNumbers {
      let key = ring.key(number, of: UID(tag.uid)).bytes
      #expect(stored.range(of: Data(key)) == nil, "key \(number)")
    }
    #expect(stored.range(of: Data(Self.master.bytes)) == nil)
  }

  private static let columns = ["k0", "k1", "k2", "k3", "k4"]

  private static func row(_ number: Int) -> [String] {
    (0..<5).map { key in
      (0..<16).map { byte in
        let text = String(UInt8(truncatingIfNeeded: number * 80 + key * 16 + byte + 1), radix: 16)
        return text.count == 1 ? "0" + text : text
      }.joined()
    }
  }

  private func list(_ rows: [[String]], in folder: URL) throws -> JobSource {
    let file = folder.appending(path: "keys.csv")
    let lines = rows.enumerated().map { "C\($0 + 1)," + $1.joined(separator: ",") }
    let text = (["code," + Self.columns.joined(separator: ",")] + lines).joined(separator: "\n")
    try Data((text + "\n").utf8).write(to: file)
    var settings = JobSource.Settings()
    settings.message = MessageTemplate(
      records: [.init(option: "uri", text: try Self.expanded())])
    settings.keyColumns = Self.columns
    return try JobSource(.table(file.path), settings)
  }

  @Test("gives each tag the keys of its row, which no journal, report or label shows")
  func columns() throws {
    let journal = try JournalBench()
    let source = try list([Self.row(1), Self.row(2)], in: journal.folder)
    let bench = LineBench(journal, source)
    let tags = try (0..<2).map { try LineBench.tag($0, "ntag424") }
    let (summary, _) = try bench.run([TestReader("1", tags)]) {
      $0.timeout = .seconds(30)
      $0.personalisation = Personalisation(keys: KeyRing(.list([], columns: Self.columns)))
    }
    #expect(summary.passed == 2, "\(summary)")
    for (index, tag) in tags.enumerated() {
      let card = try #require(tag as? VirtualNTAG424)
      for (number, key) in Self.row(index + 1).enumerated() {
        #expect(Data(card.key(UInt8(number))).map { $0 } == Self.bytes(key), "tag \(index)")
      }
    }
    let opened = try journal.open()
    let given = try #require(try opened.keys(ofJob: 1))
    #expect(given.keys.scheme == "list" && given.keys.name == "k0, k1, k2, k3, k4")
    #expect(given.keys.master.isEmpty)
    var texts = [try opened.report().lines.joined(separator: "\n")]
    let report = try opened.report()
    try opened.render(report, with: ReportCSV(report)) { texts.append($0) }
    texts.append(String(decoding: try bytes(of: bench), as: UTF8.self))
    #expect(source.openColumns == ["code"])
    for key in Self.row(1) + Self.row(2) {
      for text in texts { #expect(!text.lowercased().contains(key)) }
      #expect(try bytes(of: bench).range(of: Data(Self.bytes(key))) == nil)
    }
  }

  @Test("a row without a key, a column that is not there, and a message that shows one are refused")
  func mistakes() throws {
    let journal = try JournalBench()
    var short = Self.row(1)
    short[3].removeLast()
    var problems: [String] = []
    try list([short], in: journal.folder).forEachJob { row in
      if case .failure(let problem) = row { problems.append("\(problem)") }
    }
    #expect(problems.count == 1 && problems[0].contains("32 hexadecimal digits"), "\(problems)")
    #expect(!problems[0].contains(short[3]))
    var settings = JobSource.Settings()
    settings.keyColumns = ["k0", "k1", "k2", "k3", "nothing"]
    let path = journal.folder.appending(path: "keys.csv").path
    #expect(throws: JobSourceError.self) { try JobSource(.table(path), settings) }
    settings.keyColumns = Self.columns
    settings.message = MessageTemplate(
      records: [.init(option: "uri", text: "https://example.com/{k2}")])
    #expect(throws: JobSourceError.self) { try JobSource(.table(path), settings) }
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }
}
