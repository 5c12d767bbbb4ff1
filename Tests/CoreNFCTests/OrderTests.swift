import CoreNFC
import Foundation
import PhoneSessions
import Testing

/// A delegate that takes its time with a message.
private final class SlowClient: NSObject, NFCNDEFReaderSessionDelegate {
  let heard = Heard()

  func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs found: [NFCNDEFMessage]) {
    Thread.sleep(forTimeInterval: 0.1)
    heard.add("messages \(found.count)")
  }
  func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
    heard.end(error)
  }
}

extension SessionTests {
  @Suite("Which call comes when")
  struct Order {
    private let board: Board

    init() throws {
      board = try Board("ntag213")
      Bench.rules()
      try Bench.onNDEF { _, tag in
        let record = try #require(
          NFCNDEFPayload.wellKnownTypeURIPayload(string: "https://example.com"))
        try await tag.writeNDEF(NFCNDEFMessage(records: [record]))
      }
    }

    @Test("on a concurrent queue the end does not overtake the message")
    func concurrentQueue() {
      let client = SlowClient()
      let session = NFCNDEFReaderSession(
        delegate: client, queue: .global(), invalidateAfterFirstRead: true)
      session.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["messages 1", "ended 204"])
    }

    @Test("a session that reads by itself does not read a tag again after restartPolling()")
    func restart() {
      let client = ReadClient()
      let session = NFCNDEFReaderSession(
        delegate: client, queue: nil, invalidateAfterFirstRead: false)
      session.begin()
      wait(for: "the message") { !client.heard.all.isEmpty }
      session.restartPolling()
      board.waitForLooks("looks at the tag that was read")
      session.invalidate()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["messages 1", "ended 200"])
    }

    @Test("a session that many end at once, and one begins, ends once")
    func endedByMany() {
      for _ in 0..<50 {
        let client = NDEFClient { _, _ in }
        let session = NFCNDEFReaderSession(
          delegate: client, queue: nil, invalidateAfterFirstRead: false)
        DispatchQueue.concurrentPerform(iterations: 8) { index in
          if index == 3 { session.begin() } else { session.invalidate() }
        }
        client.heard.waitForEnd()
        session.sessionQueue.sync {}
        #expect(client.heard.all.filter { $0.hasPrefix("ended") } == ["ended 200"])
      }
    }
  }
}
