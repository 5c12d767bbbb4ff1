import HTTPTypes
import HubKit
import Testing

@testable import HTTPServing
@testable import HubServer

@Suite("Errors are problem documents")
struct ErrorTests {
  @Test("a store's trouble has a status, a stable word and a sentence")
  func storeErrors() async throws {
    let cases: [(HubError, Int, String)] = [
      (.away("The database is away."), 503, "away"), (.noBatch("A17"), 404, "no-batch"),
      (.badList(["Line 2: no URL."]), 422, "bad-list"), (.exists("A17"), 409, "exists"),
      (.closed("A17"), 409, "closed"), (.oneJournal, 409, "one-journal"),
      (.notAllowed("The user may not."), 403, "not-allowed"), (.failed("Broken."), 500, "failed"),
    ]
    for (error, status, word) in cases {
      let answer = try await ask(
        SampleStore(error), nil, .post("/v1/batches", #"{"id":"A17","csv":"url\n"}"#))[0]
      #expect(answer.status == status && answer.problem == word, "\(error)")
      #expect(answer.headers[.contentType] == "application/problem+json")
      #expect(answer.headers[.retryAfter] == (status == 503 ? "5" : nil))
      #expect(answer.json["mistakes"] as? [String] == (status == 422 ? ["Line 2: no URL."] : nil))
      #expect(answer.json["status"] as? Int == status)
    }
  }

  @Test("every route says that the store is away")
  func away() async throws {
    let store = SampleStore(.away("The database is away."))
    for path in [
      "", "/A17", "/A17/board", "/A17/stations", "/A17/events", "/A17/events/stream", "/A17/jobs",
      "/A17/jobs/1", "/A17/jobs.csv", "/A17/jobs.json", "/A17/report", "/A17/report.html",
    ] {
      let answer = try await ask(store, nil, Asking("/v1/batches" + path))[0]
      #expect(answer.status == 503 && answer.problem == "away", "\(path)")
    }
    for path in ["/v1/tags/04010203040506", "/v1/search?q=one", "/ready"] {
      #expect(try await ask(store, nil, Asking(path))[0].status == 503, "\(path)")
    }
    #expect(try await ask(store, nil, Asking("/health"))[0].status == 200)
    let metrics = try await ask(store, nil, Asking("/metrics"))[0]
    #expect(metrics.status == 200 && metrics.body.contains("\nnfcprog_hub_store_up 0\n"))
    let answers = try await ask(SampleStore(), nil, Asking("/ready"), Asking("/metrics"))
    #expect(answers[0].status == 200)
    #expect(answers[1].body.contains("\nnfcprog_hub_store_up 1\n"))
  }

  @Test(
    "a value that cannot be is a mistake of the client",
    arguments: [
      "/v1/batches?x=1", "/v1/batches/A17/events?limit=0", "/v1/batches/A17/events?limit=1001",
      "/v1/batches/A17/events?limit=99999999999999999999", "/v1/batches/A17/events?limit=",
      "/v1/batches/A17/events?limit=1&limit=2", "/v1/batches/A17/events?limit=+1",
      "/v1/batches/A17/events?after=-1", "/v1/batches/A17/events?after=9223372036854775808",
      "/v1/batches/A17/events?after=1e3", "/v1/batches/A17/events/stream?after=x",
      "/v1/batches/A17/jobs?limit=501", "/v1/batches/A17/jobs?state=lost",
      "/v1/batches/A17/jobs?uid=04zz", "/v1/batches/A17/jobs?uid=040102",
      "/v1/batches/A17/jobs?name=", "/v1/batches/A17/jobs?name=%ff",
      "/v1/batches/A17/jobs?name=%0", "/v1/batches/A17/jobs?name=a%00b",
      "/v1/batches/A17/jobs?after=2147483648", "/v1/batches/A17/jobs/0",
      "/v1/batches/A17/jobs/x", "/v1/batches/A17/jobs/99999999999999999999",
      "/v1/batches/%00", "/v1/batches/%ff", "/v1/batches/%", "/v1/tags/04", "/v1/tags/%20",
      "/v1/search", "/v1/search?q=",
    ])
  func badValues(path: String) async throws {
    let answer = try await ask(SampleStore(), nil, Asking(path))[0]
    #expect(answer.status == 400 && answer.problem == "bad-request", "\(answer.body)")
  }

  @Test("a Last-Event-ID that is no number is a mistake, and wins over after")
  func lastEventID() async throws {
    for text in ["9223372036854775808", "-1", "x", "1 2"] {
      let answer = try await ask(
        SampleStore(), nil,
        Asking("/v1/batches/A17/events/stream?after=1", .get, [.lastEventID: text]))[0]
      #expect(answer.status == 400, "\(text)")
    }
  }

  @Test("an address that is not there is not found, and one that is names its methods")
  func addresses() async throws {
    for path in ["/nope", "/v1", "/v1/batches/A17/nope", "/assets/..%2findex.html", "/assets/../x"]
    {
      let answer = try await ask(SampleStore(), nil, Asking(path))[0]
      #expect(answer.status == 404 && answer.problem == "not-found", "\(path)")
    }
    for (method, path) in [
      (HTTPRequest.Method.delete, "/v1/batches"), (.options, "/v1/batches/A17"), (.put, "/"),
      (.post, "/v1/batches/A17/board"),
    ] {
      let answer = try await ask(SampleStore(), nil, Asking(path, method))[0]
      #expect(answer.status == 405 && answer.problem == "method", "\(path)")
      #expect(answer.headers[.allow]?.hasPrefix("GET, HEAD") == true)
    }
    let answer = try await ask(SampleStore(), nil, Asking("/v1/batches/A17/close"))[0]
    #expect(answer.status == 405 && answer.headers[.allow] == "POST")
  }

  @Test("a batch and a job that are not there have words of their own")
  func nothing() async throws {
    let answers = try await ask(
      SampleStore(), nil, Asking("/v1/batches/B1/board"), Asking("/v1/batches/A17/jobs/4"))
    #expect(answers.map(\.status) == [404, 404])
    #expect(answers.map(\.problem) == ["no-batch", "no-job"])
  }

  @Test("a search says whether it has found all that there is")
  func search() async throws {
    let store = SampleStore()
    let known = try await ask(store, nil, Asking("/v1/search?q=one"))[0].json
    #expect(known["complete"] as? Bool == true && (known["jobs"] as? [Any])?.count == 1)
    store.state.withLock { $0.older = 60 }
    let many = try await ask(store, nil, Asking("/v1/search?q=one"))[0].json
    #expect(many["complete"] as? Bool == false && (many["jobs"] as? [Any])?.count == 1)
    // The tag's batch is the oldest.
    store.state.withLock { $0.newer = 60 }
    let tag = try await ask(store, nil, Asking("/v1/search?q=04010203040506"))[0].json
    #expect((tag["jobs"] as? [[String: Any]])?.first?["batch"] as? String == "A17")
  }

  @Test("HEAD gives a GET's headers without its body")
  func head() async throws {
    let answer = try await ask(SampleStore(), nil, Asking("/v1/batches", .head))[0]
    #expect(answer.status == 200 && answer.body.isEmpty)
    #expect(answer.headers[.contentType] == "application/json")
    let whole = try await ask(SampleStore(), nil, Asking("/v1/batches"))[0]
    #expect(answer.headers[.contentLength] == whole.headers[.contentLength])
    #expect(answer.headers[.contentLength] == "\(whole.body.utf8.count)")
  }

  @Test("a request for two hosts is none")
  func hosts() async throws {
    let host = try #require(HTTPField.Name("Host"))
    let answer = try await ask(
      SampleStore(), nil, Asking("/v1/batches", .get, [host: "localhost"]))[0]
    #expect(answer.status == 400)
  }

  @Test("a label of a figure ends where it should, whatever is in it")
  func labels() {
    let text = "a\"\u{301}b\r\nc\\\u{301}d"
    let expected = "\"a\\\"\u{301}b\r\\nc\\\\\u{301}d\""
    #expect(Array(Hub.label(text).utf8) == Array(expected.utf8))
  }
}
