import HTTPTypes
import HubKit
import Testing

@testable import HubServer

@Suite("Batches are made by others")
struct MakingTests {
  @Test("a batch comes as an object with CSV or with rows, or as CSV with the rest in the address")
  func forms() async throws {
    let store = SampleStore()
    let answers = try await ask(
      store, nil,
      .post(
        "/v1/batches",
        #"{"id":"B 1","csv":"url\nx\n","template":"t","tag":"ntag213","lock":true}"#),
      .post("/v1/batches", #"{"id":"B2","rows":[{"b":"x\"y","a":1},{"a":"2"}]}"#),
      .post("/v1/batches?id=B3&tag=ntag213&lock=false", "url\nx\n", [.contentType: "text/csv"]))
    #expect(answers.map(\.status) == [201, 201, 201])
    #expect(answers[0].headers[.location] == "/v1/batches/B%201")
    #expect(
      store.state.withLock(\.made) == [
        HubList(id: "B 1", csv: "url\nx\n", template: "t", tagType: "ntag213", locks: true),
        HubList(id: "B2", csv: "\"a\",\"b\"\r\n\"1\",\"x\"\"y\"\r\n\"2\",\"\"\r\n"),
        HubList(id: "B3", csv: "url\nx\n", tagType: "ntag213"),
      ])
  }

  @Test("rows are added, and a batch is closed")
  func more() async throws {
    let store = SampleStore()
    let answers = try await ask(
      store, nil, .post("/v1/batches/A17/rows", #"{"rows":[{"url":"x"}]}"#),
      .post("/v1/batches/A17/close", "{}"), .post("/v1/batches/A17/close", ""))
    #expect(answers.map(\.status) == [200, 200, 200])
    #expect(store.state.withLock(\.extended) == ["\"url\"\r\n\"x\"\r\n"])
    #expect(answers[1].json["closed"] as? Bool == true)
  }

  @Test(
    "what is no batch is refused",
    arguments: [
      "", "[]", "{", "null", "{}", #"{"id":"B"}"#, #"{"csv":"x"}"#,
      #"{"id":"B","csv":"x","rows":[]}"#,
      #"{"id":1,"csv":"x"}"#, #"{"id":"B","csv":"x","other":1}"#, #"{"id":"","csv":"x"}"#,
      #"{"id":"..","csv":"x"}"#, #"{"id":"a\u0000","csv":"x"}"#, #"{"id":"B","rows":[{"a":1.5}]}"#,
      #"{"id":"B","rows":[{"a":null}]}"#, #"{"id":"B","csv":"x","lock":"yes"}"#,
    ])
  func badObjects(body: String) async throws {
    let answer = try await ask(SampleStore(), nil, .post("/v1/batches", body))[0]
    #expect(answer.status == 400, "\(answer.body)")
  }

  @Test("another content type, and too large a body, are not taken")
  func otherBodies() async throws {
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
      let answer = try await ask(
        SampleStore(), nil, .post("/v1/batches", "{}", [.contentType: type]))[0]
      #expect(answer.status == 415 && answer.problem == "media-type", "\(type)")
    }
    let large = String(repeating: "x", count: 5000)
    let answer = try await ask(SampleStore(), nil, .post("/v1/batches/A17/close", large))[0]
    #expect(answer.status == 413 && answer.problem == "too-large")
    // JSON of that size would take much memory; a CSV text may have it.
    let list = String(repeating: "x", count: 17 << 20)
    let answers = try await ask(
      SampleStore(), nil, .post("/v1/batches", list),
      .post("/v1/batches?id=B", list, [.contentType: "text/csv"]))
    #expect(answers.map(\.status) == [413, 201] && answers[0].body.contains("text/csv"))
  }

  @Test("a key gives its answer once more, and belongs to one request")
  func idempotency() async throws {
    let store = SampleStore()
    let key: HTTPFields = [.idempotencyKey: "k1"]
    let rows = #"{"rows":[{"url":"x"}]}"#
    let answers = try await ask(
      store, nil, .post("/v1/batches/A17/rows", rows, key),
      .post("/v1/batches/A17/rows", rows, key), .post("/v1/batches/A17/rows", "{}", key),
      .post("/v1/batches/A17/close", "{}", key),
      .post("/v1/batches/A17/rows", rows, [.idempotencyKey: "k2"]))
    #expect(answers.map(\.status) == [200, 200, 422, 422, 200])
    #expect(answers[2].problem == "reused-key")
    #expect(answers[0].body == answers[1].body)
    #expect(store.state.withLock(\.extended).count == 2)
  }

  @Test("a key without characters, with a blank or too long a one is a mistake")
  func badKeys() async throws {
    for key in ["", "a b", String(repeating: "k", count: 201)] {
      let answer = try await ask(
        SampleStore(), nil, .post("/v1/batches/A17/close", "{}", [.idempotencyKey: key]))[0]
      #expect(answer.status == 400, "\(key)")
    }
  }

  @Test("what failed may be tried again with its key")
  func failedKey() async throws {
    let store = SampleStore(.away("Away."))
    let key: HTTPFields = [.idempotencyKey: "k1"]
    let hub = HubUnderTest(store, try HubSettings())
    for status in [503, 200] {
      let answer = try await hub.answer(.post("/v1/batches/A17/close", "{}", key))
      #expect(answer.status == status)
      store.state.withLock { $0.trouble = nil }
    }
  }
}
