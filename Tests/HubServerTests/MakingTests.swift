import Dispatch
import Foundation
import HTTPTypes
import HubKit
import Pace
import Testing

@testable import HTTPServing
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
      .post("/v1/batches/A17/close", "{}"), .post("/v1/batches/A17/close", ""),
      .post("/v1/batches/A17/close", "", [.contentType: "text/csv"]))
    #expect(answers.map(\.status) == [200, 200, 200, 415])
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

  @Test("a mark behind a quotation mark leaves the columns what they are")
  func marks() async throws {
    let store = SampleStore()
    let rows = "{\"id\":\"B\",\"rows\":[{\"a\":\"x\\\"\u{301},y\",\"b\":\"z\"}]}"
    let answer = try await ask(store, nil, .post("/v1/batches", rows))[0]
    #expect(answer.status == 201, "\(answer.body)")
    let table = try #require(store.state.withLock(\.made).first?.csv)
    let expected = "\"a\",\"b\"\r\n\"x\"\"\u{301},y\",\"z\"\r\n"
    #expect(Array(table.utf8) == Array(expected.utf8))
  }

  @Test("rows of many columns do not grow into a table that is many times as large")
  func wide() async throws {
    func answer(_ count: Int) async throws -> Answer {
      let rows = (0..<count).map { #"{"c\#($0)":"1"}"# }.joined(separator: ",")
      return try await ask(
        SampleStore(), nil, .post("/v1/batches", #"{"id":"B","rows":[\#(rows)]}"#))[0]
    }
    #expect(try await answer(200).status == 201)
    let refused = try await answer(20_000)
    #expect(refused.status == 422 && refused.problem == "bad-list", "\(refused.body)")
    // Before there is any table.
    let mistakes = try #require(refused.json["mistakes"] as? [String])
    #expect(mistakes.count == 1 && mistakes[0].hasSuffix("columns in all."), "\(mistakes)")
    // Few columns, and many rows without them.
    let empty = String(repeating: "{},", count: 200_000)
    let names = (0..<200).map { #""c\#($0)":"1""# }.joined(separator: ",")
    let large = try await ask(
      SampleStore(), nil, .post("/v1/batches", #"{"id":"B","rows":[\#(empty){\#(names)}]}"#))[0]
    #expect(large.status == 413, "\(large.body)")
  }

  @Test(
    "a member that stands there twice is a mistake",
    arguments: [
      #"{"id":"B","id":"C","csv":"x"}"#, #"{"id":"B","rows":[{"a":"1"},{"a":"1","b":2,"a":"2"}]}"#,
      #"{"id":"B","rows":[{"a":"1","\u0061":"2"}]}"#,
      "{\"id\":\"B\",\"rows\":[{\"\u{e4}\":\"1\",\"a\u{308}\":\"2\"}]}",
    ])
  func twice(body: String) async throws {
    let answer = try await ask(SampleStore(), nil, .post("/v1/batches", body))[0]
    #expect(answer.status == 400 && answer.body.contains("twice"), "\(answer.body)")
  }

  @Test("a name that stands in several objects, or as a value, is no mistake")
  func notTwice() async throws {
    let body = #"{"id":"B","rows":[{"a":"a","b":"\"a\":"},{"b" : "b\\", "a":"id"}]}"#
    let answer = try await ask(SampleStore(), nil, .post("/v1/batches", body))[0]
    #expect(answer.status == 201, "\(answer.body)")
    let wide = try #require(body.data(using: .utf16))
    let other = try await ask(
      SampleStore(), nil,
      .post("/v1/batches", String(decoding: wide, as: UTF8.self)))[0]
    #expect(other.status == 400)
  }

  @Test("a template is as long in an object as it may be in the address")
  func longTemplates() async throws {
    for (count, status) in [(4000, 201), (4001, 422)] {
      // One character with many marks is no short text.
      for template in [
        String(repeating: "t", count: count), "t" + String(repeating: "\u{301}", count: count - 1),
      ] {
        let body = "{\"id\":\"B\",\"csv\":\"x\",\"template\":\"\(template)\"}"
        let answer = try await ask(SampleStore(), nil, .post("/v1/batches", body))[0]
        #expect(answer.status == status, "\(count)")
      }
    }
  }

  @Test("a request that comes while the same is being answered gets the answer to ask again")
  func inProgress() async throws {
    let store = SampleStore()
    let barrier = DispatchSemaphore(value: 0)
    store.state.withLock { $0.barrier = barrier }
    let hub = HubUnderTest(store, try HubSettings())
    let asking = Asking.post("/v1/batches", #"{"id":"B","csv":"x"}"#, [.idempotencyKey: "k1"])
    async let first = hub.answer(asking)
    #expect(await Pace.suspend { store.state.withLock(\.isMaking) })
    let second = try await hub.answer(asking)
    #expect(second.status == 409 && second.problem == "in-progress")
    #expect(second.headers[.retryAfter] == "1")
    barrier.signal()
    #expect(try await first.status == 201)
    #expect(try await hub.answer(asking).status == 201)
    #expect(store.state.withLock(\.made).count == 1)
  }

  @Test("bodies have so much room together, and one that goes makes room")
  func room() {
    let room = BodyRoom(limit: 100)
    var shares = [room.share(), room.share()]
    #expect(shares[0].take(60) && shares[1].take(30) && !shares[1].take(11))
    shares.removeFirst()
    #expect(shares[0].take(70) && !shares[0].take(1))
    shares = []
    #expect(room.share().take(100))
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

  @Test("a request whose answer is lost is carried out once, also by a hub that was started since")
  func lostAnswers() async throws {
    let store = SampleStore()
    store.state.withLock { $0.losesAnswer = true }
    let asking = Asking.post(
      "/v1/batches/A17/rows", #"{"rows":[{"url":"x"}]}"#, [.idempotencyKey: "k1"])
    for status in [503, 200, 200] {
      #expect(try await ask(store, nil, asking)[0].status == status)
    }
    #expect(store.state.withLock(\.extended).count == 1)
    // The same bytes as another content type are another request.
    var other = asking
    other.headers[.contentType] = "text/csv"
    #expect(try await ask(store, nil, other)[0].problem == "reused-key")
  }

  @Test("what stands in the address beside an object is a mistake, and not left out")
  func twoPlaces() async throws {
    for query in ["lock=true", "tag=ntag213", "template=t", "id=B"] {
      let store = SampleStore()
      let answer = try await ask(
        store, nil, .post("/v1/batches?\(query)", #"{"id":"B","csv":"x"}"#))[0]
      #expect(answer.status == 400 && store.state.withLock(\.made).isEmpty, "\(query)")
    }
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
