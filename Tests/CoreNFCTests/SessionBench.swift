import CoreNFC
import Foundation
import Pace
import PhoneSessions
import Synchronization
import Testing

/// All tests that use the process's one session and its one reader: one after another.
@Suite("Sessions over virtual tags", .serialized)
enum SessionTests {}

/// How many seconds is waited for what has to come, on a machine that is busy with other things.
let patience = Pace.limit(120) / .seconds(1)

/// Waits until `condition` holds.
func wait(
  for what: String, _ location: SourceLocation = #_sourceLocation, until condition: () -> Bool
) {
  let holds = Pace.wait(until: condition)
  #expect(holds, "\(what)", sourceLocation: location)
}

/// What a delegate has heard, in order, and whether it was on the session's queue.
final class Heard: Sendable {
  private let lines = Mutex<[String]>([])
  private let ended = DispatchSemaphore(value: 0)

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  func end(_ error: any Error) {
    add("ended \((error as NSError).code)")
    ended.signal()
  }
  var all: [String] { lines.withLock { $0 } }

  /// Waits for the end.
  func waitForEnd(_ location: SourceLocation = #_sourceLocation) {
    let outcome = ended.wait(timeout: .now() + patience)
    #expect(outcome == .success, "the session did not end", sourceLocation: location)
  }
}

/// A delegate of a tag session; each test gives what it does with tags.
final class TagClient: NSObject, NFCTagReaderSessionDelegate {
  let heard = Heard()
  let queue = DispatchQueue(label: "client")
  private let key = DispatchSpecificKey<Bool>()
  private let onTags: (NFCTagReaderSession, [NFCTag]) -> Void

  init(_ onTags: @escaping (NFCTagReaderSession, [NFCTag]) -> Void) {
    self.onTags = onTags
    super.init()
    queue.setSpecific(key: key, value: true)
  }

  var isOnQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

  func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
    #expect(isOnQueue)
    heard.add("active")
  }

  func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
    #expect(isOnQueue)
    heard.add("tags \(tags.count)")
    onTags(session, tags)
  }

  func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
    #expect(isOnQueue)
    heard.end(error)
  }
}

/// A delegate of an NDEF session that reads and writes.
final class NDEFClient: NSObject, NFCNDEFReaderSessionDelegate {
  let heard = Heard()
  private let onTags: (NFCNDEFReaderSession, [any NFCNDEFTag]) -> Void

  init(_ onTags: @escaping (NFCNDEFReaderSession, [any NFCNDEFTag]) -> Void) {
    self.onTags = onTags
  }

  func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
    heard.add("tags \(tags.count)")
    onTags(session, tags)
  }
  func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
    heard.add("messages \(messages.count)")
  }
  func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) { heard.add("active") }
  func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
    heard.end(error)
  }
}

/// A delegate of an NDEF session that reads alone.
final class ReadClient: NSObject, NFCNDEFReaderSessionDelegate {
  let heard = Heard()
  let messages = Mutex<[NFCNDEFMessage]>([])

  func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs found: [NFCNDEFMessage]) {
    heard.add("messages \(found.count)")
    messages.withLock { $0 += found }
  }
  func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
    heard.end(error)
  }
}

/// What an asynchronous piece of a test has to say.
final class Box<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)
  var value: Value? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// An async piece of a test that runs once, however often a session that polls again finds its tag.
final class Piece<Value: Sendable>: Sendable {
  private let result = Box<Result<Value, any Error>>()
  private let hasBegun = Atomic(false)
  private let done = DispatchSemaphore(value: 0)

  func begin(_ body: @escaping @Sendable () async throws -> Value) {
    guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
    Task(executorPreference: OwnThreads.shared) { [result, done] in
      do { result.value = .success(try await body()) } catch { result.value = .failure(error) }
      done.signal()
    }
  }

  /// What it said, once the session has ended: the session may end before the piece hears of it.
  func outcome() throws -> Value {
    if hasBegun.load(ordering: .relaxed) { _ = done.wait(timeout: .now() + patience) }
    return try #require(result.value).get()
  }
}

enum Bench {
  /// New virtual tags, and rules for the sessions that follow.
  static func lay(
    _ tags: String, mode: NFCBench.Mode = .phone, infoPlist: [String: Any]? = nil
  ) {
    let name = "sim:\(tags)"
    PhoneReader.shared.forget(name)
    NFCReaderSession.benchReader = name
    rules(mode, infoPlist: infoPlist)
  }

  /// Rules for the sessions that follow.
  static func rules(_ mode: NFCBench.Mode = .phone, infoPlist: [String: Any]? = nil) {
    NFCBench.mode = mode
    NFCBench.infoPlist = infoPlist
    NFCBench.entitlements = nil
    NFCBench.timeLimit = .seconds(60)
    NFCBench.presenter = Silence()
    NFCBench.diagnosticHandler = { _, _ in }
  }

  /// An Info.plist with these lists, entitlements included.
  static func declaring(
    applications: [String] = [], systems: [String] = [], formats: [String] = ["TAG"]
  ) -> [String: Any] {
    [
      AppGrants.Key.usageDescription: "Reads tags.", AppGrants.Key.formats: formats,
      AppGrants.Key.applicationIDs: applications, AppGrants.Key.systemCodes: systems,
    ]
  }

  /// Runs an async piece of a test on the tag that a tag session finds first, and returns what it
  /// says. The session is ended.
  static func onTag<Value: Sendable>(
    _ polling: NFCTagReaderSession.PollingOption = [.iso14443, .iso18092],
    _ body: @escaping @Sendable (NFCTagReaderSession, NFCTag) async throws -> Value
  ) throws -> Value {
    let piece = Piece<Value>()
    let client = TagClient { session, tags in
      let tag = tags[0]
      piece.begin {
        defer { session.invalidate() }
        try await session.connect(to: tag)
        return try await body(session, tag)
      }
    }
    let session = try #require(
      NFCTagReaderSession(pollingOption: polling, delegate: client, queue: client.queue))
    session.begin()
    client.heard.waitForEnd()
    return try piece.outcome()
  }

  /// The same in an NDEF session.
  static func onNDEF<Value: Sendable>(
    _ body: @escaping @Sendable (NFCNDEFReaderSession, any NFCNDEFTag) async throws -> Value
  ) throws -> Value {
    let piece = Piece<Value>()
    let client = NDEFClient { session, tags in
      nonisolated(unsafe) let tag = tags[0]
      piece.begin {
        defer { session.invalidate() }
        try await session.connect(to: unsafe tag)
        return try await body(session, unsafe tag)
      }
    }
    let session = NFCNDEFReaderSession(
      delegate: client, queue: nil, invalidateAfterFirstRead: false)
    session.begin()
    client.heard.waitForEnd()
    return try piece.outcome()
  }

  /// The code that `body` fails with; nil where it does not.
  static func code(_ body: () throws -> Void) -> NFCReaderError.Code? {
    do { try body() } catch { return (error as? NFCReaderError)?.code }
    return nil
  }
}

/// Shows nothing.
private struct Silence: NFCBenchPresenter {
  func show(alert: String) {}
  func show(error: String) {}
  func dismiss() {}
}

extension NFCTag {
  var miFare: (any NFCMiFareTag)? { if case .miFare(let tag) = self { tag } else { nil } }
  var iso7816: (any NFCISO7816Tag)? { if case .iso7816(let tag) = self { tag } else { nil } }
  var feliCa: (any NFCFeliCaTag)? { if case .feliCa(let tag) = self { tag } else { nil } }
}

/// A message with one link.
func link(_ url: String) -> NFCNDEFMessage {
  NFCNDEFMessage(records: [NFCNDEFPayload.wellKnownTypeURIPayload(string: url)!])
}
