import CoreNFC
import CoreNFCTesting
import Foundation
import Synchronization
import Testing

/// Parallel tests, each with its own reader: none sees the others' tags, nor their sessions.
@Suite("A bench for each test")
struct BenchTraitTests {
  private static let numbers = Array(1...3)

  @Test("tests with arguments run beside each other", .bench("ntag213"), arguments: numbers)
  func parallel(number: Int) async throws {
    let url = "https://example.com/t/\(number)"
    #expect(try await LinkSession.read() == nil, "the tag is another test's")
    _ = try await LinkSession.write(url)
    #expect(try await LinkSession.read() == url)
  }

  @Test("a virtual tag's options may have colons", .bench("ntag213,uid=04:79:37:3A:9E:6C:80"))
  func colons() {
    #expect(NFCReaderSession.benchReader == "sim:ntag213,uid=04:79:37:3A:9E:6C:80")
  }

  @Test("a reader has its own name", .bench("pn532_uart:/dev/ttyUSB0")) func named() {
    #expect(NFCReaderSession.benchReader == "pn532_uart:/dev/ttyUSB0")
  }

  @Test("another one at the same time", .bench("type4")) func other() async throws {
    _ = try await LinkSession.write("https://example.com/other")
    #expect(try await LinkSession.read() == "https://example.com/other")
  }

  @Test("a session that a delegate or a handler makes is on the test's bench", .bench("ntag215"))
  func callbacks() async {
    let chain = Chain()
    let family = await chain.run()
    #expect(family == "second: 2")
  }

  @Test("what a test sets counts for its own sessions alone", .bench("ntag213"))
  func settings() {
    #expect(NFCReaderSession.benchReader == "sim:ntag213" && NFCBench.mode == .phone)
    NFCBench.mode = .bench
    NFCReaderSession.benchReader = "sim:ntag216"
    #expect(NFCReaderSession.benchReader == "sim:ntag216" && NFCBench.mode == .bench)
  }

  @Test("the rules are those that the trait names", .bench("classic1k,content=blank", mode: .bench))
  func mode() async throws {
    _ = try await LinkSession.write("https://example.com/classic")
    #expect(try await LinkSession.read() == "https://example.com/classic")
  }
}

/// A suite's trait gives each of its tests a bench.
@Suite("A bench for each test of a suite", .bench("ntag213"))
struct BenchSuiteTests {
  @Test(arguments: 1...2) func empty(number: Int) async throws {
    #expect(try await LinkSession.read() == nil)
    _ = try await LinkSession.write("https://example.com/\(number)")
  }

  @Test("its own trait counts before the suite's", .bench("type4")) func own() {
    #expect(NFCReaderSession.benchReader == "sim:type4")
  }
}

/// Reads or writes a link, as an app does.
private final class LinkSession: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
  // Sendable by hand: the session's queue alone uses it once it has begun.
  private let message: NFCNDEFMessage?
  private var continuation: CheckedContinuation<String?, any Error>?
  private var outcome: Result<String?, any Error>?

  private init(_ message: NFCNDEFMessage?) { self.message = message }

  static func read() async throws -> String? { try await LinkSession(nil).run() }
  static func write(_ url: String) async throws -> String? {
    try await LinkSession(link(url)).run()
  }

  private func run() async throws -> String? {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: false).begin()
    }
  }

  func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}
  func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}

  func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
    nonisolated(unsafe) let tag = tags[0]
    session.connect(to: unsafe tag) { error in
      if let error { return self.end(session, .failure(error)) }
      guard let message = self.message else {
        return unsafe tag.readNDEF { message, _ in
          let text = message?.records.first?.wellKnownTypeURIPayload()?.absoluteString
          self.end(session, .success(text))
        }
      }
      unsafe tag.writeNDEF(message) { error in
        self.end(session, error.map { .failure($0) } ?? .success(nil))
      }
    }
  }

  private func end(_ session: NFCNDEFReaderSession, _ outcome: Result<String?, any Error>) {
    self.outcome = outcome
    session.invalidate()
  }

  func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
    continuation?.resume(with: outcome ?? .failure(error))
    continuation = nil
  }
}

/// Makes its second session where the first one tells that it has ended.
private final class Chain: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
  // Sendable by hand: the sessions' queue alone uses it once it has begun.
  private let queue = DispatchQueue(label: "chain")
  private var continuation: CheckedContinuation<String, Never>?
  private var text = ""
  private var number = 1

  func run() async -> String {
    await withCheckedContinuation { continuation in
      self.continuation = continuation
      begin()
    }
  }

  private func begin() {
    NFCTagReaderSession(pollingOption: .iso14443, delegate: self, queue: queue)?.begin()
  }

  func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

  func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
    session.connect(to: tags[0]) { _ in
      if self.number == 2, case .miFare(let tag) = tags[0] {
        self.text = "second: \(tag.mifareFamily.rawValue)"
      }
      session.invalidate()
    }
  }

  func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
    guard number == 1 else {
      continuation?.resume(returning: text.isEmpty ? "\(error)" : text)
      continuation = nil
      return
    }
    number = 2
    begin()
  }
}

extension SessionTests {
  @Suite("Sessions of nobody knows which test") struct StrayTests {
    @Test(
      "a session that a queue of the app's own makes beside several tests ends, and reads nothing")
    func ofNobodyKnowsWhom() async {
      NFCReaderSession.benchReader = nil
      let heard = await NFCBench.withReader("sim:ntag213") {
        await NFCBench.withReader("sim:ntag215") {
          await withCheckedContinuation { continuation in
            DispatchQueue(label: "the app's own").async {
              let client = ReadClient()
              NFCNDEFReaderSession(delegate: client, queue: nil, invalidateAfterFirstRead: true)
                .begin()
              client.heard.waitForEnd()
              continuation.resume(returning: client.heard.all)
            }
          }
        }
      }
      #expect(heard.count == 1 && heard.first?.hasPrefix("ended") == true, "\(heard)")
    }

    @Test("a session of a detached task ends, too, though one test alone has a bench")
    func detached() async {
      NFCReaderSession.benchReader = nil
      await NFCBench.withReader("sim:ntag213") {
        let session = Task.detached { try await LinkSession.read() }
        await #expect(throws: (any Error).self) { try await session.value }
      }
    }
  }
}
