import CoreNFC
import Foundation
import NDEF
import PhoneSessions
import Readers
import TagProgramming
import Testing

import struct Bench.ReaderChoice
import class Bench.ReaderSession

extension SessionTests {
  @Suite("Messages")
  struct Messages {
    @Test(
      "a message is written, read back, and there for the next session",
      arguments: [
        "ntag213", "ntag203", "type4", "ntag424", "felica-lite-s",
      ])
    func writeAndRead(_ tag: String) throws {
      Bench.lay(tag)
      let url = "https://example.com/t/1"
      try Bench.onNDEF { _, tag in
        let (status, capacity) = try await tag.queryNDEFStatus()
        #expect(status == .readWrite && capacity > 40)
        #expect(tag.isAvailable)
        try await tag.writeNDEF(link(url))
      }
      let message = try Bench.onNDEF { _, tag in try await tag.readNDEF() }
      #expect(message.records.map { $0.wellKnownTypeURIPayload()?.absoluteString } == [url])
      #expect(message.length == 20)
    }

    @Test("a Classic is read and written in an NDEF session of the bench")
    func classic() throws {
      Bench.lay("classic1k", mode: .bench)
      try Bench.onNDEF { _, tag in try await tag.writeNDEF(link("https://example.com/a")) }
      let length = try Bench.onNDEF { _, tag in try await tag.readNDEF().length }
      #expect(length == 18)
    }

    @Test("an empty tag is nil and 403 together")
    func empty() throws {
      Bench.lay("ntag213")
      let code = Bench.code { _ = try Bench.onNDEF { _, tag in try await tag.readNDEF() } }
      #expect(code == .ndefReaderSessionErrorZeroLengthMessage)
      let isNil = try Bench.onNDEF { _, tag in
        nonisolated(unsafe) let tag = tag
        return await withCheckedContinuation { done in
          unsafe tag.readNDEF { message, error in
            done.resume(returning: message == nil && (error as NSError?)?.code == 403)
          }
        }
      }
      #expect(isNil)
    }

    @Test("a blank tag is not supported: a phone does not write it, a bench formats it")
    func blank() throws {
      Bench.lay("ntag213,content=blank")
      try Bench.onNDEF { _, tag in
        let (status, capacity) = try await tag.queryNDEFStatus()
        #expect(status == .notSupported && capacity == 0)
      }
      let message = link("https://example.com")
      #expect(
        Bench.code { try Bench.onNDEF { _, tag in try await tag.writeNDEF(message) } }
          == .ndefReaderSessionErrorTagNotWritable)
      Bench.lay("ntag213,content=blank", mode: .bench)
      try Bench.onNDEF { _, tag in try await tag.writeNDEF(message) }
    }

    @Test(
      "status and capacity are those that info tells",
      arguments: ["ntag213", "ntag216", "ultralight-c", "type4", "ntag424", "felica-lite-s"])
    func capacity(_ tag: String) throws {
      Bench.lay(tag)
      let (status, capacity) = try Bench.onNDEF { _, tag in try await tag.queryNDEFStatus() }
      let opened = try PhoneReader.shared.open("sim:\(tag)")
      opened.reader.technologies = [.typeA, .feliCa]
      let info = Programmer(reader: opened.reader, options: RunOptions()).run(.info)
      try opened.close()
      let isNDEF = info.status != .notSupported
      #expect(capacity == (isNDEF ? info.capacity : 0))
      #expect("\(status)" == info.status?.rawValue)
    }

    @Test("a message that is too long is 402, and nothing is written")
    func tooLong() throws {
      Bench.lay("ntag213")
      let message = link("https://example.com/" + String(repeating: "x", count: 200))
      #expect(
        Bench.code { try Bench.onNDEF { _, tag in try await tag.writeNDEF(message) } }
          == .ndefReaderSessionErrorTagSizeTooSmall)
      let code = Bench.code { _ = try Bench.onNDEF { _, tag in try await tag.readNDEF() } }
      #expect(code == .ndefReaderSessionErrorZeroLengthMessage)
    }

    @Test(
      "a locked tag is read-only for good, and a write to it is 400",
      arguments: [
        "ntag213", "felica-lite-s",
      ])
    func lock(_ tag: String) throws {
      Bench.lay(tag)
      try Bench.onNDEF { _, tag in
        try await tag.writeNDEF(link("https://example.com/1"))
        try await tag.writeLock()
        #expect(try await tag.queryNDEFStatus().0 == .readOnly)
      }
      let code = Bench.code {
        try Bench.onNDEF { _, tag in try await tag.writeNDEF(link("https://example.com/2")) }
      }
      #expect(code == .ndefReaderSessionErrorTagNotWritable)
      let path = try Bench.onNDEF { _, tag in
        try await tag.readNDEF().records[0].wellKnownTypeURIPayload()?.path
      }
      #expect(path == "/1")
    }

    @Test("chunks stay chunks on the tag")
    func chunks() throws {
      Bench.lay("ntag213")
      let message = NFCNDEFMessage(records: [
        NFCNDEFPayload(
          format: .media, type: Data("text/plain".utf8), identifier: Data(),
          payload: Data("abcdefghi".utf8), chunkSize: 3)
      ])
      try Bench.onNDEF { _, tag in try await tag.writeNDEF(message) }
      let read = try Bench.onNDEF { _, tag in try await tag.readNDEF() }
      #expect(read.records.map(\.typeNameFormat) == [.media, .unchanged, .unchanged])
      #expect(read.length == message.length)
    }

    @Test("a tag that was not connected is 104")
    func notConnected() throws {
      Bench.lay("ntag213")
      let code = Box<Int>()
      let client = NDEFClient { session, tags in
        tags[0].readNDEF { _, error in
          code.value = (error as NSError?)?.code
          session.invalidate()
        }
      }
      let session = NFCNDEFReaderSession(
        delegate: client, queue: nil, invalidateAfterFirstRead: true)
      session.begin()
      client.heard.waitForEnd()
      #expect(code.value == 104)
      #expect(client.heard.all == ["active", "tags 1", "ended 200"])
    }
  }

  @Suite("Sessions that read by themselves")
  struct Reading {
    @Test("without didDetect the session reads, and the first message ends it with 204")
    func firstRead() throws {
      Bench.lay("ntag213")
      try Bench.onNDEF { _, tag in try await tag.writeNDEF(link("https://example.com/t/1")) }
      let client = ReadClient()
      let session = NFCNDEFReaderSession(
        delegate: client, queue: nil, invalidateAfterFirstRead: true)
      session.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["messages 1", "ended 204"])
      let message = client.messages.withLock { $0.first }
      #expect(message?.records.first?.wellKnownTypeURIPayload()?.path == "/t/1")
    }

    @Test("else polling goes on once the tag has gone, and every tag is read once")
    func goesOn() throws {
      let board = try Board("ntag213")
      Bench.rules()
      try Bench.onNDEF { _, tag in try await tag.writeNDEF(link("https://example.com")) }
      let client = ReadClient()
      let session = NFCNDEFReaderSession(
        delegate: client, queue: nil, invalidateAfterFirstRead: false)
      session.begin()
      wait(for: "a message") { client.heard.all.count == 1 }
      board.waitForLooks("looks at the tag that lies there still")
      #expect(client.heard.all == ["messages 1"])
      board.clear()
      // The session has seen that the tag has gone.
      board.waitForLooks("looks at the empty field")
      board.lay()
      wait(for: "another message") { client.heard.all.count == 2 }
      session.invalidate()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["messages 1", "messages 1", "ended 200"])
    }

    @Test("an empty tag is not told of")
    func empty() {
      Bench.lay("ntag213")
      NFCBench.timeLimit = .milliseconds(300)
      let client = ReadClient()
      let session = NFCNDEFReaderSession(
        delegate: client, queue: nil, invalidateAfterFirstRead: true)
      session.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["ended 201"])
    }
  }

  @Suite("Beginning and ending")
  struct Life {
    init() { Bench.lay("ntag213") }

    private func ndef(_ client: any NFCNDEFReaderSessionDelegate) -> NFCNDEFReaderSession {
      NFCNDEFReaderSession(delegate: client, queue: nil, invalidateAfterFirstRead: false)
    }

    @Test("a second session is 203, and the first goes on")
    func busy() {
      let first = NDEFClient { _, _ in }
      let second = NDEFClient { _, _ in }
      let (one, two) = (ndef(first), ndef(second))
      one.begin()
      two.begin()
      second.heard.waitForEnd()
      #expect(second.heard.all == ["ended 203"])
      one.invalidate()
      first.heard.waitForEnd()
      #expect(first.heard.all.last == "ended 200")
    }

    @Test("a reader that another program holds is 203, too")
    func held() throws {
      let board = try Board("ntag213")
      defer { board.unplug() }
      let holder = try ReaderSession(
        opening: ReaderChoice(named: #require(NFCReaderSession.benchReader)))
      defer { try? holder.close() }
      let client = NDEFClient { _, _ in }
      ndef(client).begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["ended 203"])
    }

    @Test("the next session may begin in the last call of the one before")
    func successor() {
      let next = NDEFClient { session, _ in session.invalidate() }
      final class Chain: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
        let next: NFCNDEFReaderSession
        init(_ next: NFCNDEFReaderSession) { self.next = next }
        func readerSession(
          _ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]
        ) {}
        func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
          session.invalidate()
        }
        func readerSession(
          _ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error
        ) { next.begin() }
      }
      let chain = Chain(ndef(next))
      ndef(chain).begin()
      next.heard.waitForEnd()
      #expect(next.heard.all.last == "ended 200")
    }

    @Test("a session that was ended before it began says so, once")
    func endedFirst() {
      let client = NDEFClient { _, _ in }
      let session = ndef(client)
      session.invalidate()
      session.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["ended 200"])
    }

    @Test("time is over after the limit of a phone")
    func timeout() {
      NFCBench.timeLimit = .seconds(4)
      let client = NDEFClient { _, _ in }
      ndef(client).begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["active", "tags 1", "ended 201"])
    }

    @Test("a phone's limit is 60 seconds, a bench has none")
    func limits() { #expect(PhoneSession.Settings.phoneTimeLimit == .seconds(60)) }

    @Test("the delegate is held weakly, the session lives while it is active")
    func ownership() {
      weak var weakSession: NFCNDEFReaderSession?
      let client = NDEFClient { _, _ in }
      do {
        let session = ndef(client)
        weakSession = session
        session.begin()
      }
      #expect(weakSession != nil)
      weakSession?.invalidate()
      client.heard.waitForEnd()
      wait(for: "the session to go") { weakSession == nil }
      var lonely: NDEFClient? = NDEFClient { _, _ in }
      let session = ndef(lonely!)
      lonely = nil
      #expect(session.delegate == nil)
    }

    @Test("a reader that is not there is 1, and reading is not available")
    func noReader() {
      NFCReaderSession.benchReader = "pn532_uart:/dev/nothing"
      let client = NDEFClient { _, _ in }
      #expect(!NFCNDEFReaderSession.readingAvailable)
      ndef(client).begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["ended 1"])
      NFCReaderSession.benchReader = "sim:ntag213"
      #expect(NFCTagReaderSession.readingAvailable)
    }

    @Test("a board that is unplugged ends the session with 202")
    func unplugged() throws {
      let board = try Board("ntag213")
      let client = NDEFClient { _, tags in board.unplug() }
      let session = ndef(client)
      session.begin()
      wait(for: "the tag") { client.heard.all.count == 2 }
      wait(for: "the board to be gone") { !board.isPlugged }
      session.restartPolling()
      client.heard.waitForEnd()
      #expect(client.heard.all.last == "ended 202")
    }

    @Test("what no PN532 does ends with 1: ISO 15693 and passes of Wallet")
    func unsupported() throws {
      let client = TagClient { _, _ in }
      NFCTagReaderSession(pollingOption: .iso15693, delegate: client, queue: client.queue)?.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["ended 1"])
      let passes = PassClient()
      NFCVASReaderSession(
        vasCommandConfigurations: [
          NFCVASCommandConfiguration(vasMode: .normal, passTypeIdentifier: "pass.x", url: nil)
        ], delegate: passes, queue: nil
      ).begin()
      passes.heard.waitForEnd()
      #expect(passes.heard.all == ["ended 1"])
    }

    @Test("the sheet shows what the session says, until it has ended")
    func sheet() {
      let sheet = Sheet()
      NFCBench.presenter = sheet
      let client = NDEFClient { session, _ in
        session.alertMessage = "Found"
        session.invalidate(errorMessage: "Wrong tag")
      }
      let session = ndef(client)
      session.alertMessage = "Hold it here"
      session.begin()
      client.heard.waitForEnd()
      session.alertMessage = "Too late"
      #expect(session.alertMessage == "Found")
      #expect(sheet.heard.all == ["Hold it here", "Found", "failed: Wrong tag", "gone"])
    }
  }
}

/// A presenter that remembers.
private final class Sheet: NFCBenchPresenter {
  let heard = Heard()
  func show(alert: String) { heard.add(alert) }
  func show(error: String) { heard.add("failed: \(error)") }
  func dismiss() { heard.add("gone") }
}

private final class PassClient: NSObject, NFCVASReaderSessionDelegate {
  let heard = Heard()
  func readerSession(_ session: NFCVASReaderSession, didReceive responses: [NFCVASResponse]) {}
  func readerSession(_ session: NFCVASReaderSession, didInvalidateWithError error: any Error) {
    heard.end(error)
  }
}
