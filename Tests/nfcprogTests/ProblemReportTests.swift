import Bench
import Foundation
import Settings
import Testing

@testable import nfcprog

@Suite("A problem report")
struct ProblemReportTests {
  private static let secrets = [
    "DEADBEEF", "C0FFEE123456", "00112233445566778899AABBCCDDEEFF", "hunter2", "top-secret.key",
    "postgresql://ada:hunter2@db/journal",
  ]

  @Test("shows no value of a setting that may be secret, under any option's name")
  func settings() throws {
    // Every option of every command but the few that are shown: a new one is left out.
    let root = try #require(CommandOptions.all(of: NFCProg.self))
    var names: Set<String> = []
    func collect(_ command: CommandOptions) {
      names.formUnion((command.arguments ?? []).compactMap(\.longName))
      for next in command.subcommands ?? [] { collect(next) }
    }
    collect(root)
    #expect(names.contains("password") && names.contains("key") && names.contains("journal"))
    let hidden = names.subtracting(SettingsFile.shownOptions)
    let entries = hidden.sorted().enumerated().map { index, name in
      "\(name) = \"\(Self.secrets[index % Self.secrets.count])\""
    }
    let text =
      "[defaults]\n\(entries.joined(separator: "\n"))\n[commands.info]\nkey = ['\(Self.secrets[1])']\ntimeout = 7\n"
    let shown = try SettingsFile(parsing: text).shownLines.joined(separator: "\n")
    for secret in Self.secrets { #expect(!shown.contains(secret), "\(secret)") }
    #expect(shown.contains("timeout = 7") && shown.contains("password = (value left out)"))
  }

  @Test("shows no value of a variable that may be secret")
  func environment() {
    let lines = ProblemReport.variables(
      Environment([
        "NFCPROG_PASSWORD": Self.secrets[0], "NFCPROG_KEYS": Self.secrets[1],
        "NFCPROG_SET_PASSWORD": Self.secrets[2], "NFCPROG_JOURNAL": Self.secrets[5],
        "NFCPROG_SOMETHING_NEW": Self.secrets[3], "NFCPROG_READER": "sim:ntag213",
        "HOME": "/home/ada",
      ]))
    let text = lines.joined(separator: "\n")
    for secret in Self.secrets { #expect(!text.contains(secret), "\(secret)") }
    #expect(text.contains("NFCPROG_READER=sim:ntag213") && !text.contains("HOME"))
    #expect(lines.contains("NFCPROG_PASSWORD=(value left out)"))
  }

  @Test("masks keys and passwords in a trace that is not masked, and keeps all else")
  func trace() {
    let trace = """
      {"command":"4a0200","answer":"01","durationMs":1.5,"time":1,"schema":1}
      {"command":"40016004c0ffee12345601020304","answer":"00","time":2,"durationMs":1,"note":"hunter2"}
      {"command":"4001a007c0ffee123456ff078069c0ffee123456","answer":"00","time":3,"durationMs":1}
      {"command":"40013007","answer":"00c0ffee123456ff078069c0ffee123456","time":4,"durationMs":1}
      {"command":"421bdeadbeef","answer":"00c0ff","time":5,"durationMs":1}
      hunter2
      {"command":"hunter2","time":6,"durationMs":1}
      {"command":"40013004","answer":"00deadbeef","error":null,"time":7,"durationMs":1}
      """
    let excerpt = TraceExcerpt(parsing: trace)
    let text = excerpt.lines.joined(separator: "\n")
    for secret in ["c0ffee", "hunter2", "421bdeadbeef", "00c0ff"] {
      #expect(!text.lowercased().contains(secret), "\(secret)")
    }
    #expect(excerpt.unusable == 2 && excerpt.lines.count == 6)
    #expect(text.contains("\"command\":\"40016004************01020304\""))
    #expect(text.contains("\"command\":\"4001a007************ff078069************\""))
    #expect(text.contains("\"command\":\"421b********\"") && text.contains("\"answer\":\"00****\""))
    #expect(text.contains("\"answer\":\"00deadbeef\""))
  }

  @Test("keeps the end of a long trace and says what is missing")
  func length() {
    let line = "{\"command\":\"02\",\"answer\":\"32010607\",\"time\":1,\"durationMs\":1}\n"
    let excerpt = TraceExcerpt(parsing: String(repeating: line, count: TraceExcerpt.limit + 5))
    #expect(excerpt.lines.count == TraceExcerpt.limit && excerpt.leftOutBefore == 5)
  }

  @Test("remembers the trace that was written last")
  func lastTrace() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())").path()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let last = LastTrace(Environment(["XDG_STATE_HOME": folder]))
    #expect(last.path == nil)
    last.remember("/tmp/a.trace")
    last.remember("/tmp/b.trace")
    #expect(last.path == "/tmp/b.trace")
  }

  @Test("begins with the version: number, commit, libnfc")
  func version() {
    #expect(
      ProgramVersion.text(commit: "abc123", libnfc: "1.8.0")
        == "nfcprog \(ProgramVersion.number)\ncommit abc123\nlibnfc 1.8.0")
    #expect(ProgramVersion.text(commit: nil, libnfc: "1.8.0").contains("commit not known"))
    #expect(ProgramVersion.text.contains(/\nlibnfc \d+\.\d+/))
  }
}
