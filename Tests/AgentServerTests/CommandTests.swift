import Bench
import Foundation
import HTTPTypes
import Testing

@testable import AgentServer
@testable import HTTPServing

@Suite("Commands at a reader of an agent")
struct CommandTests {
  @Test("a tag is read, written and read again, with the documents of --json")
  func whole() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    let readers = try await agent.ask("/v1/readers")
    #expect(readers.body.contains(#""id":"sim-ntag213""#), "\(readers.body)")
    let tag = try await agent.ask("/v1/readers/sim-ntag213/tag")
    #expect(tag.status == 200 && tag.text("command") == "info" && tag.text("tag") == "ntag213")
    let url = #"{"url": "https://example.com/t/1"}"#
    let plan = try await agent.post("sim-ntag213/write-url?dry-run=true", url)
    #expect(plan.status == 200 && plan.text("result") == "planned" && plan.text("confirm") == nil)
    let written = try await agent.post("sim-ntag213/write-url", url)
    #expect(written.status == 200 && written.text("result") == "written", "\(written.body)")
    #expect(written.json["verified"] as? Bool == true)
    let again = try await agent.post("sim-ntag213/write-url", url)
    #expect(again.text("result") == "unchanged")
    let read = try await agent.post("sim-ntag213/read")
    #expect(read.body.contains("https://example.com/t/1"))
    let records = #"{"records": [{"text": "Hello"}, {"lang": "de"}, {"text": "Hallo"}]}"#
    #expect(try await agent.post("sim-ntag213/write", records).status == 200)
    let both = try await agent.post("sim-ntag213/read")
    #expect(both.body.contains("Hallo") && both.body.contains("Hello"))
  }

  @Test("a message is written as it stands, and bytes where a person names a file")
  func bytes() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    let url = "D1010B5504612E6578616D706C652F"
    for (body, payload) in [
      (#"{"ndef": "\#(url)"}"#, "04612e6578616d706c652f"),
      (#"{"mime": "a/b=@00FF"}"#, "00ff"), (#"{"ndef": "D00000"}"#, #""tnf":0"#),
    ] {
      let written = try await agent.post("sim-ntag213/write", "{\"records\": [\(body)]}")
      #expect(written.status == 200, "\(body) \(written.body)")
      let read = try await agent.post("sim-ntag213/read")
      #expect(read.body.contains(payload), "\(body) \(read.body)")
    }
    for (body, status) in [("D", 400), ("D1 01", 400), ("message.ndef", 400), ("D101", 422)] {
      let records = #"{"records": [{"ndef": "\#(body)"}]}"#
      #expect(try await agent.post("sim-ntag213/write", records).status == status, "\(body)")
    }
  }

  @Test("a tag that holds a message is left alone where only empty ones are to be written")
  func onlyEmpty() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    func write(_ text: String, _ isWanted: Bool = true) async throws -> Answer {
      let body = #"{"records": [{"text": "\#(text)"}], "if-empty": \#(isWanted)}"#
      return try await agent.post("sim-ntag213/write", body)
    }
    #expect(try await write("first").status == 200)
    for text in ["first", "second"] {
      let refused = try await write(text)
      #expect(refused.status == 422 && refused.text("content") == "message", "\(refused.body)")
      #expect(refused.json["code"] as? Int == 77)
    }
    #expect(try await agent.post("sim-ntag213/read").body.contains("first"))
    #expect(try await agent.post("sim-ntag213/erase").status == 200)
    #expect(try await write("second").status == 200)
    #expect(try await write("third", false).status == 200)
  }

  @Test("what cannot be undone is done once somebody has said yes to the plan for this tag")
  func confirmation() async throws {
    let agent = try AgentUnderTest(["sim:ntag213", "sim:ntag213,uid=04a1b2c3d4e5f6"])
    defer { agent.close() }
    for command in [
      "lock", "write-url", "protect",
    ] {
      let body =
        switch command {
        case "lock": #"{"force": true"#
        case "protect": #"{"set-password": "A1B2C3D4""#
        default: #"{"url": "https://example.com/", "lock": true"#
        }
      func ask(_ reader: String, _ more: String) async throws -> Answer {
        try await agent.post("\(reader)/\(command)", body + more + "}")
      }
      let bare = try await ask("sim-ntag213", "")
      #expect(bare.status == 428 && bare.problem == "unconfirmed", "\(command) \(bare.body)")
      let plan = try await ask("sim-ntag213", #", "dry-run": true"#)
      let confirm = try #require(plan.text("confirm"), "\(command) \(plan.body)")
      #expect(!plan.body.contains("A1B2C3D4") && !plan.body.lowercased().contains("a1b2c3d4"))
      let other = try await ask(
        "sim-ntag213-uid-04a1b2c3d4e5f6", #", "confirm": "\#(confirm)""#)
      #expect(other.status == 409 && other.problem == "other-plan", "\(other.body)")
      let wrong = try await ask("sim-ntag213", #", "confirm": "\#(confirm)0""#)
      #expect(wrong.status == 409)
    }
    // Nothing of all that has changed a tag.
    for reader in ["sim-ntag213", "sim-ntag213-uid-04a1b2c3d4e5f6"] {
      let tag = try await agent.ask("/v1/readers/\(reader)/tag")
      #expect(
        tag.report["locked"] as? Bool == false && tag.report["passwordProtected"] as? Bool == false)
    }
    let lock = #"{"url": "https://example.com/", "lock": true"#
    let plan = try await agent.post("sim-ntag213/write-url?dry-run=true", lock + "}")
    let confirm = try #require(plan.text("confirm"))
    let done = try await agent.post(
      "sim-ntag213/write-url", lock + #", "confirm": "\#(confirm)"}"#)
    #expect(done.status == 200 && done.report["locked"] as? Bool == true, "\(done.body)")
    // A password that was not in the plan is another plan.
    let first = try await agent.post(
      "sim-ntag213-uid-04a1b2c3d4e5f6/protect?dry-run=true", #"{"set-password": "A1B2C3D4"}"#)
    let yes = try #require(first.text("confirm"))
    let swapped = try await agent.post(
      "sim-ntag213-uid-04a1b2c3d4e5f6/protect",
      #"{"set-password": "A1B2C3D5", "confirm": "\#(yes)"}"#)
    #expect(swapped.status == 409)
    let right = try await agent.post(
      "sim-ntag213-uid-04a1b2c3d4e5f6/protect",
      #"{"set-password": "A1B2C3D4", "confirm": "\#(yes)"}"#)
    #expect(right.status == 200, "\(right.body)")
  }

  @Test("a yes is to one request and to the message that the tag held then")
  func yesToOneRequest() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    func write(_ url: String) async throws {
      let done = try await agent.post("sim-ntag213/write-url", #"{"url": "\#(url)"}"#)
      #expect(done.status == 200, "\(done.body)")
    }
    try await write("https://example.com/good")
    let plan = try await agent.post("sim-ntag213/lock?dry-run=true", "{}")
    let yes = try #require(plan.text("confirm"))
    try await write("https://example.com/other")
    let changed = try await agent.post("sim-ntag213/lock", #"{"confirm": "\#(yes)"}"#)
    #expect(changed.status == 409, "\(changed.body)")
    try await write("https://example.com/good")
    let forced = try await agent.post(
      "sim-ntag213/lock", #"{"force": true, "confirm": "\#(yes)"}"#)
    #expect(forced.status == 409, "\(forced.body)")
    let same = try await agent.post("sim-ntag213/lock", #"{"confirm": "\#(yes)"}"#)
    #expect(same.status == 200, "\(same.body)")
  }

  @Test("nothing that a client sends names a file, a variable or an option")
  func files() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    let secret = NSTemporaryDirectory() + "secret-\(UUID().uuidString)"
    try Data("A1B2C3D4\n".utf8).write(to: URL(filePath: secret))
    defer { try? FileManager.default.removeItem(atPath: secret) }
    let bodies = [
      ("write", #"{"records": [{"mime": "text/plain=@FILE"}]}"#),
      ("write", #"{"records": [{"vcard": "@FILE"}]}"#),
      ("write", #"{"records": [{"ndef": "FILE"}]}"#),
      ("write", #"{"records": [{"smart-poster": "https://a.example/,icon=image/png=@FILE"}]}"#),
      ("write", #"{"records": [{"external": "example.com:x=@FILE"}]}"#),
      ("write-url", #"{"url": "https://a.example/", "aasa": "FILE"}"#),
      ("write-url", #"{"url": "https://a.example/", "keys": "FILE"}"#),
      ("protect", #"{"set-password": "file:FILE"}"#),
      ("protect", #"{"set-password": "derived:FILE"}"#),
      ("protect", #"{"set-password": "env:HOME"}"#),
      ("protect", #"{"set-password": "ask"}"#),
      ("info", #"{"password": "file:FILE"}"#),
      ("read", #"{"raw": "FILE.raw"}"#),
      ("read", #"{"trace": "FILE.trace"}"#),
      ("read", #"{"key": ["file:FILE"]}"#),
      ("erase", #"{"backup": "FILE"}"#),
      ("format-classic", #"{"key-b": "file:FILE"}"#),
    ]
    for (command, body) in bodies {
      let answer = try await agent.post(
        "sim-ntag213/\(command)", body.replacing("FILE", with: secret))
      #expect(answer.status == 400 || answer.status == 422, "\(command) \(body) \(answer.body)")
      #expect(!answer.body.contains("A1B2C3D4"))
    }
    let option = try await agent.post("sim-ntag213/write-url", #"{"url": "--lock"}"#)
    #expect(option.status == 422, "\(option.body)")
    let tag = try await agent.ask("/v1/readers/sim-ntag213/tag")
    #expect(tag.report["locked"] as? Bool == false)
  }

  @Test("what is not known is refused, and not left out")
  func strictness() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    for body in [
      #"{"url": "https://a.example/", "lok": true}"#,
      #"{"url": "https://a.example/", "lock": "yes"}"#,
      #"{"url": "https://a.example/", "url": "https://b.example/"}"#, #"{"url": 1}"#, "{}", "[]",
      "{",
      #"{"url": "https://a.example/", "timeout": -1}"#, #"{"url": null}"#,
      #"{"url": "https://a.example/", "tag": "nonesuch"}"#,
    ] {
      let answer = try await agent.post("sim-ntag213/write-url", body)
      #expect(answer.status == 400, "\(body) \(answer.body)")
    }
    for path in [
      "sim-ntag213/write-url?dry-run=maybe", "sim-ntag213/write-url?dry=true",
      "sim-ntag213/write-url?wait=-1", "sim-ntag213/read?dry-run=true",
    ] {
      let answer = try await agent.post(path, #"{"url": "https://a.example/"}"#)
      #expect(answer.status == 400, "\(path)")
    }
    let text = try await agent.post(
      "sim-ntag213/write-url", #"{"url": "https://a.example/"}"#,
      headers: [.contentType: "text/plain"])
    #expect(text.status == 415)
    #expect(try await agent.post("none/read").status == 404)
    #expect(try await agent.ask("/v1/readers/sim-ntag213/read").status == 405)
    let large = #"{"url": ""# + String(repeating: "a", count: 1 << 20) + #""}"#
    #expect(try await agent.post("sim-ntag213/write-url", large).status == 413)
    #expect(try await agent.post("sim-ntag213/read").text("content") == "empty")
  }

  @Test("a command that fails gives its exit status, its message and its document")
  func failures() async throws {
    let agent = try AgentUnderTest(["sim:classic1k"])
    defer { agent.close() }
    let long = #"{"url": "https://example.com/\#(String(repeating: "a", count: 300))"}"#
    let answer = try await agent.post("sim-classic1k/apdu", #"{"hex": ["00A40400"]}"#)
    #expect(
      answer.json["code"] as? Int != nil
        && answer.headers[.contentType] == "application/problem+json")
    let single = try AgentUnderTest()
    defer { single.close() }
    let full = try await single.post("sim-ntag213/write-url", long)
    #expect(full.status == 422 && full.json["code"] as? Int == 65, "\(full.body)")
    #expect(full.text("result") == "failed" && full.text("command") == "write-url")
  }

  @Test("raw commands that may change a tag ask for a yes; those that read do not")
  func raw() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    let read = try await agent.post("sim-ntag213/transceive", #"{"hex": ["60", "3004"]}"#)
    #expect(read.status == 200 && (read.json["answers"] as? [Any])?.count == 2, "\(read.body)")
    let write = #"{"hex": ["A20401020304"]"#
    #expect(try await agent.post("sim-ntag213/transceive", write + "}").status == 428)
    let plan = try await agent.post("sim-ntag213/transceive?dry-run=true", write + "}")
    let confirm = try #require(plan.text("confirm"), "\(plan.body)")
    let done = try await agent.post(
      "sim-ntag213/transceive", write + #", "confirm": "\#(confirm)"}"#)
    #expect(done.status == 200, "\(done.body)")
    let other = try await agent.post(
      "sim-ntag213/transceive", #"{"hex": ["A20401020305"], "confirm": "\#(confirm)"}"#)
    #expect(other.status == 409)
  }

  @Test("one has a reader at a time; the others wait, or hear at once that it is taken")
  func turns() async throws {
    let agent = try AgentUnderTest(["sim:ntag213"])
    defer { agent.close() }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await agent.post(
            "sim-ntag213/write-url?wait=600", #"{"url": "https://example.com/\#(number)"}"#
          ).status
        }
      }
      for try await status in group { #expect(status == 200) }
    }
    let station = try agent.agent.stations.station("sim-ntag213")
    let (held, holds) = AsyncStream<Void>.makeStream()
    let release = DispatchSemaphore(value: 0)
    let holder = Task {
      try await station.perform(for: nil, patience: .seconds(60)) { _ in
        holds.yield()
        release.wait()
        return ((), hasLostReader: false)
      }
    }
    for await _ in held { break }
    let busy = try await agent.post("sim-ntag213/read?wait=0")
    #expect(busy.status == 409 && busy.problem == "reader-busy")
    let list = try await agent.ask("/v1/readers")
    #expect(list.body.contains(#""state":"busy""#))
    release.signal()
    try await holder.value
    #expect(try await agent.post("sim-ntag213/read?wait=0").status == 200)
  }
}
