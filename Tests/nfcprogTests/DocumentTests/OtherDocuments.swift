import AppLinks
import Bench
import BringUp
import Foundation
import NDEF
import PN532Simulator
import TagProgramming
import Traces
import UniversalLinks

@testable import LibNFCReaders
@testable import nfcprog

/// The documents of links, readers, traces and simulated boards.
enum OtherDocuments {
  private static let app = "Q7K2M9P4ZX.com.example.app"
  private static let file = """
    {"applinks": {"details": [
      {"appIDs": ["\(app)"], "components": [
        {"/": "/t/secret", "exclude": true},
        {"/": "/t/*", "?": {"v": "?"}}]}]}}
    """

  private static var tap: Tap {
    var tap = Tap(message: [0xD1, 0x01, 0x02, 0x55, 0x04, 0x61])
    (tap.number, tap.selectionCount, tap.duration) = (3, 2, .milliseconds(210))
    (tap.reader, tap.readCount, tap.isWhole) = (.android, 6, true)
    tap.commands = [[0x00, 0xB0, 0x00, 0x02, 0x06], []]
    tap.written = .refused("it has not finished")
    return tap
  }

  static func all() throws -> [Document] {
    let android = AppLinkCheck(
      Message(try URIRecord("https://example.com/t/1").record),
      app: try AndroidApp(parsing: "com.example.app"), assetLinks: .notAsked, manifest: nil)
    var reader = ReaderDescription(
      connection: "pn532_uart:/dev/ttyUSB0", attachment: .usbSerial, device: "/dev/ttyUSB0")
    reader.automaticSpeed = .raises
    let obstacle = Obstacle.held(by: "process 4711 (pcscd)")
    return [
      Document("check-link", LinkCheckJSON(check("https://example.com/t/1?v=2"))),
      Document(
        "check-link-refused",
        LinkCheckJSON(
          check("https://example.com/t/1"), android: android, uid: "04a1b2c3d4e5f6",
          tag: "ntag213")),
      Document(
        "lint-aasa",
        LintJSON(
          Lint.findings(parsing: Array(file.replacing("\"/\"", with: "\"path\"").utf8)),
          source: "aasa.json", appIDs: [app])),
      Document(
        "reader",
        ReaderJSON(
          reader, checkup: nil, obstacle: obstacle, advice: obstacle.remedy, event: "came")),
      Document("trace", try traceLine()),
      Document("trace-step", TraceReadingJSON(TraceReading(recorded).rows[1])),
      Document("trace-parted", parted()),
      Document("trace-replayable", ReplayableJSON(recorded.exchanges[1])),
      Document("statistics", StatisticsJSON(Statistics())),
      Document("bring-up", BringUpJSON(try bringUp())),
      Document(
        "report-problem",
        ProblemJSON(file: "nfcprog-problem.txt", trace: "/home/ada/session.trace")),
      Document("tap", TapJSON(tap)),
      Document(
        "phone",
        PocketJSON(
          uid: "04a1b2c3d4e5f6", outcome: "wakes", uri: "https://example.com/t/1", appIDs: [app],
          reasons: ["A rule of the site association takes the link."])),
      Document("phone-session", callback()),
    ]
  }

  /// A look, and a READ that was refused.
  private static let recorded = RecordedSession(exchanges: [
    RecordedExchange(
      line: 1, start: .zero, duration: .milliseconds(21), command: [0x4A, 0x01, 0x00],
      outcome: .answer([1, 1, 0, 0x44, 0, 7, 4, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])),
    RecordedExchange(
      line: 2, start: .milliseconds(25), duration: .microseconds(2100),
      command: [0x40, 0x01, 0x30, 0x80], outcome: .answer([0x13])),
  ])

  private static func parted() -> TraceComparisonJSON {
    var other = recorded
    other.exchanges.removeLast()
    let row = TraceReading(recorded).rows[1]
    return TraceComparisonJSON(TraceComparison(recorded, other), first: row, second: nil)
  }

  private static func callback() -> CallbackJSON {
    var callback = CallbackJSON("didDetect")
    callback.tags = [.init(kind: "miFare", detail: "ultralight", identifier: "04a1b2c3d4e5f6")]
    (callback.ndefStatus, callback.capacity) = ("readWrite", 137)
    callback.error = FailureJSON(code: 100, message: "The connection to the tag is lost.")
    return callback
  }

  private static func check(_ url: String) -> LinkCheck {
    LinkCheck(
      url: url, association: LinkCheck.Association(parsing: file.utf8, host: "example.com"),
      appIDs: [app])
  }

  /// A point that passed and one that failed.
  private static func bringUp() throws -> BringUpReport {
    let points = try BoardQuestions.points(named: ["wakes-for-data", "fast-read"])
    let answers: [Evidence] = [
      Evidence([
        Evidence.Reply(
          "read", [0x40, 0x01, 0x30, 0x00], answer: [0] + [UInt8](repeating: 4, count: 16))
      ]),
      Evidence([
        Evidence.Reply("fast", [0x42, 0x3A, 0x04, 0x07], answer: [0x05]),
        Evidence.Reply(
          "fast", [0x42, 0x3A, 0x04, 0x07], answer: nil, failure: "the board does not answer"),
      ]),
    ]
    let results = zip(points, answers).map { point, evidence in
      BoardQuestions.Result(point, point.judge(evidence), evidence.replies, .milliseconds(7))
    }
    var report = BringUpReport(
      reader: "pn532_uart:/dev/ttyUSB0", firmware: "PN532 v1.6", version: "1.0.0",
      libnfc: "1.8.0", results: results)
    (report.kernel, report.driver) = ("Linux 6.1.0-18-amd64", "ftdi_sio")
    report.applied = "/home/ada/.config/nfcprog.toml"
    return report
  }

  /// The first line of a trace.
  private static func traceLine() throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "documents-\(UUID()).trace")
      .path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var settings = ReaderSession.Settings()
    settings.trace = try Trace(NamedFile(path, .given))
    let session = try ReaderSession(opening: ReaderChoice(named: "sim:ntag213"), settings)
    _ = Programmer(reader: session.reader).run(.read)
    try session.close()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return String(text.prefix { $0 != "\n" })
  }
}
