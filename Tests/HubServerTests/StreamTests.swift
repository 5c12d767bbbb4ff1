import Foundation
import HTTPTypes
import HubKit
import Hummingbird
import Testing

@testable import HTTPServing
@testable import HubServer

/// Takes what a stream sends, until it has had enough.
private struct Recorder: ResponseBodyWriter {
  final class Text: @unchecked Sendable {
    // Used by one task after the other.
    var text = ""
  }
  struct Enough: Error {}
  let taken = Text()
  let isEnough: @Sendable (String) -> Bool

  mutating func write(_ buffer: ByteBuffer) async throws {
    taken.text += String(buffer: buffer)
    if isEnough(taken.text) { throw Enough() }
  }
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

@Suite("The stream of a batch")
struct StreamTests {
  /// What comes to a watcher from the event behind `after` on, until `end` is there. `atBoard` is
  /// called once a board has come, at each piece.
  static func stream(
    _ store: SampleStore, after: Int64?, until end: String,
    atBoard: @escaping @Sendable () -> Void = {}, atTrouble: @escaping @Sendable () -> Void = {}
  ) async throws -> String {
    let path = "/v1/batches/A17/events/stream" + (after.map { "?after=\($0)" } ?? "")
    let response = try await HubUnderTest(store, try HubSettings()).respond(to: Asking(path))
    #expect(response.headers[.contentType] == "text/event-stream")
    let recorder = Recorder(isEnough: { text in
      if text.contains("event: board") { atBoard() }
      if text.contains("event: trouble") { atTrouble() }
      return text.contains(end)
    })
    await #expect(throws: Recorder.Enough.self) { try await response.body.write(recorder) }
    return recorder.taken.text
  }

  /// The ids of the events of one kind.
  static func numbers(_ text: String, of kind: String = "happened") -> [Int] {
    text.components(separatedBy: "\n\n").filter { $0.contains("event: \(kind)\n") }
      .flatMap { $0.split(separator: "\n") }
      .filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
  }

  @Test("a watcher gets every event behind its last one, in order, and the board")
  func resumes() async throws {
    let store = SampleStore()
    store.happen(1497)
    let text = try await Self.stream(store, after: 700, until: "id: 1500\n")
    #expect(Self.numbers(text) == Array(701...1500))
    #expect(text.hasPrefix("retry: "))
    #expect(text.contains("event: board\ndata: {"))
  }

  @Test("the first board of a new watcher has a number to come back with")
  func boardNumber() async throws {
    let text = try await Self.stream(SampleStore(), after: nil, until: "event: board")
    #expect(Self.numbers(text, of: "board") == [3])
  }

  @Test("trouble of the store is an event, said once, and a board ends it")
  func trouble() async throws {
    let store = SampleStore()
    let text = try await Self.stream(store, after: nil, until: "\"lastEvent\":5") {
      store.state.withLock { state in
        if state.trouble == nil, state.events == 3 { state.trouble = .away("The disk is away.") }
      }
    } atTrouble: {
      store.state.withLock { $0.trouble = nil }
      if store.state.withLock(\.events) == 3 { store.happen(2) }
    }
    let parts = text.components(separatedBy: "\n\n").filter { $0.contains("event: trouble") }
    #expect(parts.count == 1)
    #expect(parts[0].contains(#"data: {"detail":"The disk is away.""#))
    #expect(Self.numbers(text) == [4, 5])
  }

  @Test("who signs out watches no longer")
  func signedOut() async throws {
    let hub = HubUnderTest(SampleStore(), try SecurityTests.guarded())
    let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    let login = try await hub.answer(.post("/login", "token=\(SecurityTests.secret)", form))
    let cookie = try #require(login.headers[.setCookie]).prefix { $0 != ";" }
    let headers: HTTPFields = [.cookie: String(cookie)]
    let path = "/v1/batches/A17/events/stream"
    let response = try await hub.respond(to: Asking(path, .get, headers))
    _ = try await hub.answer(Asking("/logout", .post, headers))
    let recorder = Recorder(isEnough: { _ in false })
    try await response.body.write(recorder)
    #expect(!recorder.taken.text.contains("event: "))
  }

  @Test("a new watcher gets what happens from now on")
  func begins() async throws {
    let store = SampleStore()
    let text = try await Self.stream(store, after: nil, until: "id: 5\n") {
      if store.state.withLock(\.events) == 3 { store.happen(2) }
    }
    #expect(Self.numbers(text) == [4, 5])
  }

  @Test("the jobs of a batch come as one document")
  func download() async throws {
    let answer = try await ask(SampleStore(), nil, Asking("/v1/batches/A17/jobs.json"))[0]
    let jobs = try #require(answer.json["jobs"] as? [[String: Any]])
    #expect(jobs.map { $0["name"] as? String } == ["one", "two", "\"three\""])
    #expect(answer.json["batch"] as? String == "A17" && answer.json["schema"] as? Int == 1)
    #expect(answer.headers[.contentDisposition] == "attachment; filename=\"A17.json\"")
  }

  @Test("a file's name has no characters that a header could misunderstand")
  func names() {
    #expect(Hub.attachment("a\"; b/ä", "csv") == "attachment; filename=\"a___b__.csv\"")
  }
}
