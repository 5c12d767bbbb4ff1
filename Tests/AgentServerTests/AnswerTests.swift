import Foundation
import HTTPTypes
import Pace
import Synchronization
import Testing

@testable import AgentServer
@testable import HTTPServing

@Suite("Answers of an agent that are kept")
struct AnswerTests {
  private static let first = #"{"url": "https://example.com/1"}"#
  private static let second = #"{"url": "https://example.com/2"}"#

  private static func key(_ text: String) -> HTTPFields { [.idempotencyKey: text] }

  @Test(
    "the same key and body are the same job; another body is refused; so it stays after a restart")
  func repetitions() async throws {
    let folder = NSTemporaryDirectory() + "agent-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tag = "sim:ntag213,file=\(folder).tag"
    defer { try? FileManager.default.removeItem(atPath: folder + ".tag") }
    func with(_ body: (AgentUnderTest, String) async throws -> Void) async throws {
      let agent = try AgentUnderTest([tag], folder: folder)
      defer { agent.close() }
      try await body(agent, agent.agent.stations.all()[0].id)
    }
    var answer: Answer?
    try await with { agent, reader in
      answer = try await agent.post("\(reader)/write-url", Self.first, headers: Self.key("a"))
      #expect(answer?.status == 200 && answer?.text("result") == "written", "\(answer?.body ?? "")")
      // Without a key the same job finds the tag as it left it.
      #expect(
        try await agent.post("\(reader)/write-url", Self.first).text("result") == "unchanged")
      let again = try await agent.post("\(reader)/write-url", Self.first, headers: Self.key("a"))
      #expect(again.body == answer?.body && again.headers[.idempotentReplayed] == "true")
      let other = try await agent.post("\(reader)/write-url", Self.second, headers: Self.key("a"))
      #expect(other.status == 422 && other.problem == "reused-key")
      let elsewhere = try await agent.post(
        "\(reader)/write-url?dry-run=true", Self.first, headers: Self.key("a"))
      #expect(elsewhere.problem == "reused-key")
      for key in ["", "ä", String(repeating: "a", count: 201)] where !key.isEmpty {
        let odd = try await agent.post("\(reader)/read", "{}", headers: Self.key(key))
        #expect(odd.status == 400, "\(key)")
      }
    }
    try await with { agent, reader in
      let again = try await agent.post("\(reader)/write-url", Self.first, headers: Self.key("a"))
      #expect(again.body == answer?.body, "after a restart")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/answers")
      #expect(files.count == 1)
    }
  }

  @Test("a key is that of one program or page: no other one gets its answers, or learns of it")
  func clients() async throws {
    let pages = ["https://a.example", "https://b.example"]
    let agent = try AgentUnderTest(origins: pages)
    defer { agent.close() }
    var clients: [HTTPFields] = [[:]]
    for page in pages {
      let pairing = try await agent.ask(
        "/v1/pairing", .post, headers: [.origin: page, .authorization: ""])
      clients.append(
        [.origin: page, .authorization: "Bearer \(try #require(pairing.text("token")))"])
    }
    for (number, client) in clients.enumerated() {
      _ = try await agent.post("sim-ntag213/erase")
      let headers = client.merging(Self.key("1"))
      let body = number == 2 ? Self.second : Self.first
      let answer = try await agent.post("sim-ntag213/write-url", body, headers: headers)
      #expect(answer.text("result") == "written", "\(answer.body)")
      #expect(answer.headers[.idempotentReplayed] == nil)
      #expect(try await agent.post("sim-ntag213/read").text("content") == "message")
      let again = try await agent.post("sim-ntag213/write-url", body, headers: headers)
      #expect(again.body == answer.body && again.headers[.idempotentReplayed] == "true")
    }
  }

  @Test("a job that had begun when the agent was killed is never taken for one that had not")
  func killed() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    let path = agent.agent.settings.folder + "/answers"
    _ = try await agent.post("sim-ntag213/write-url", Self.first, headers: Self.key("a"))
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: path).first)
    let file = URL(filePath: "\(path)/\(name)")
    var note = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    // As it is while the job goes on.
    note["answer"] = nil
    try JSONSerialization.data(withJSONObject: note).write(to: file)
    let open = try await agent.post("sim-ntag213/write-url", Self.first, headers: Self.key("a"))
    #expect(open.status == 409 && open.problem == "not-known", "\(open.body)")
    try Data("{".utf8).write(to: file)
    let damaged = try await agent.post(
      "sim-ntag213/write-url", Self.first, headers: Self.key("a"))
    #expect(damaged.problem == "not-known")
  }

  @Test("what asks for a yes keeps no key, and no file holds a password")
  func secrets() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    let body = #"{"set-password": "A1B2C3D4""#
    let bare = try await agent.post("sim-ntag213/protect", body + "}", headers: Self.key("a"))
    #expect(bare.status == 428)
    let plan = try await agent.post("sim-ntag213/protect?dry-run=true", body + "}")
    let confirm = try #require(plan.text("confirm"))
    let done = try await agent.post(
      "sim-ntag213/protect", body + #", "confirm": "\#(confirm)"}"#, headers: Self.key("a"))
    #expect(done.status == 200, "\(done.body)")
    let dump = try await agent.post(
      "sim-ntag213/dump", #"{"format": "json", "password": "A1B2C3D4"}"#)
    #expect(dump.status == 200, "\(dump.body)")
    let data = try #require(dump.text("data").flatMap { Data(base64Encoded: $0) })
    let folder = agent.agent.settings.folder + "/answers"
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder).map {
      try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
    }
    for text in kept + [plan.body, done.body, dump.body, String(decoding: data, as: UTF8.self)] {
      #expect(!text.lowercased().contains("a1b2c3d4"))
    }
  }

  @Test("four readers, many jobs: no job twice under one key, each tag as the last answer says")
  func many() async throws {
    let readers = (1...4).map { "sim:ntag213,uid=04a1b2c3d4e5f\($0)" }
    let agent = try AgentUnderTest(readers)
    defer { agent.close() }
    let ids = agent.agent.stations.all().map(\.id)
    // Each job three times, by clients that do not wait for each other.
    let answers = Shared<[String: Set<String>]>([:])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        for _ in 0..<3 {
          group.addTask {
            let key = "job-\(number)"
            while true {
              let answer = try await agent.post(
                "\(ids[number % 4])/write-url?wait=600",
                #"{"url": "https://example.com/\#(number)"}"#, headers: Self.key(key))
              if answer.problem == "in-progress" {
                try await Task.sleep(for: .milliseconds(20))
                continue
              }
              #expect(answer.status == 200, "\(answer.body)")
              answers.value.withLock { _ = $0[key, default: []].insert(answer.body) }
              return
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(answers.value.withLock { $0.count } == 40)
    for (key, bodies) in answers.value.withLock(\.self) {
      #expect(bodies.count == 1 && bodies.first?.contains(#""result":"written""#) == true, "\(key)")
    }
    for (index, id) in ids.enumerated() {
      let read = try await agent.post("\(id)/read")
      let numbers = (0..<40).filter { $0 % 4 == index }
      #expect(
        numbers.contains { read.body.contains("https://example.com/\($0)\"") }, "\(read.body)")
    }
  }

  @Test(
    "who goes before its turn costs the reader nothing; who goes in the middle has its job done")
  func gone() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    let station = try agent.agent.stations.station("sim-ntag213")
    let client = ClientPresence()
    let (begun, begins) = AsyncStream<Void>.makeStream()
    let release = DispatchSemaphore(value: 0)
    let ended = Shared(false)
    let job = Task {
      try await station.perform(for: client, patience: .seconds(60)) { _ in
        begins.yield()
        release.wait()
        ended.value.withLock { $0 = true }
        return ((), hasLostReader: false)
      }
    }
    for await _ in begun { break }
    let next = ClientPresence()
    let waiting = Task {
      try await station.perform(for: next, patience: .seconds(600)) { _ in
        Issue.record("its client has gone")
        return ((), hasLostReader: false)
      }
    }
    #expect(await Pace.suspend { station.state.waiting == 1 })
    next.leave()
    client.leave()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    release.signal()
    try await job.value
    let hasEnded = ended.value.withLock(\.self)
    #expect(hasEnded)
    #expect(await Pace.suspend { station.state.word == "ready" })
  }

  @Test("events say what lies on a reader, and when that changes")
  func events() async throws {
    let agent = try AgentUnderTest(["sim:ntag213*2", "sim:ntag213+ntag215"])
    defer { agent.close() }
    let stations = agent.agent.stations.all()
    let (events, finish) = stations[0].watch.events()
    var seen: [FieldEvent] = []
    for await event in events {
      seen.append(event)
      if case .tag = event {
        // The next one comes once this one has been worked with.
        _ = try await agent.post("\(stations[0].id)/read")
      }
      if seen.count == 3 { break }
    }
    finish()
    #expect(Set(seen.map(\.name)) == ["tag", "gone"], "\(seen)")
    let (more, end) = stations[1].watch.events()
    for await event in more {
      #expect(event.name == "several", "\(event)")
      #expect(
        event.text(at: "a").hasPrefix(
          "event: several\ndata: {\"reader\":\"a\",\"schema\":1,\"uids\":[\""))
      break
    }
    end()
  }

  @Test("says what a telephone does as phone says it; a dump goes onto a tag again")
  func others() async throws {
    let agent = try AgentUnderTest(["sim:ntag213", "sim:ntag213,uid=04a1b2c3d4e5f6"])
    defer { agent.close() }
    _ = try await agent.post("sim-ntag213/write-url", Self.first)
    let phone = try await agent.post("sim-ntag213/phone")
    #expect(phone.status == 200 && phone.text("outcome") != nil, "\(phone.body)")
    let dump = try await agent.post("sim-ntag213/dump", #"{"format": "nfc"}"#)
    let data = try #require(dump.text("data"), "\(dump.body)")
    let other = "sim-ntag213-uid-04a1b2c3d4e5f6"
    let restored = try await agent.post("\(other)/restore", #"{"data": "\#(data)"}"#)
    #expect(restored.status == 200, "\(restored.body)")
    #expect(try await agent.post("\(other)/read").body.contains("https://example.com/1"))
    let forced = try await agent.post("\(other)/restore", #"{"data": "\#(data)", "force": true}"#)
    #expect([200, 428].contains(forced.status), "\(forced.body)")
    #expect(try await agent.post("\(other)/restore", #"{"data": "AAAA"}"#).status == 422)
  }
}

/// A value that several tasks use.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

extension HTTPFields {
  fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
    var all = self
    for field in others { all.append(field) }
    return all
  }
}
