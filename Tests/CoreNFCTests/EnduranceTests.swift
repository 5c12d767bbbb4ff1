import CoreNFC
import Foundation
import PN532Simulator
import PhoneSessions
import Testing

extension SessionTests {
  @Suite("Endings at any moment")
  struct Endings {
    /// Ends a session as the board gets its n-th frame.
    private final class Trigger: @unchecked Sendable {
      // Sendable by the lock; a `Mutex` is unknown to the thread sanitizer where two threads meet.
      private let lock = NSLock()
      private var left: Int?
      private var session: NFCReaderSession?

      func arm(_ frames: Int, _ session: NFCReaderSession) {
        lock.withLock { (left, self.session) = (frames, session) }
      }

      func count() {
        let ending = lock.withLock { () -> NFCReaderSession? in
          guard let frames = left else { return nil }
          left = frames == 0 ? nil : frames - 1
          return frames == 0 ? session : nil
        }
        ending?.invalidate()
      }

      /// Whether the write was over before the frame came.
      func disarm() -> Bool {
        lock.withLock {
          defer { (left, session) = (nil, nil) }
          return left != nil
        }
      }
    }

    @Test(
      "a write that is cut short leaves the old message, none, or the new one, and can be done again",
      arguments: ["ntag213", "type4", "felica-lite-s"])
    func writes(_ product: String) throws {
      Bench.rules()
      let trigger = Trigger()
      let tag = try TagCatalog.tag(product)
      let board = SimulatedBoard(field: Field(tag), recorder: { _ in trigger.count() })
      NFCReaderSession.benchReader = try board.start()
      let (old, new) = (link("https://example.com/old"), link("https://example.com/new/and/longer"))
      var seen: Set<String> = []
      var moment = 0
      while true {
        try Bench.onNDEF { _, tag in try await tag.writeNDEF(old) }
        let code = Bench.code {
          try Bench.onNDEF { [moment] session, tag in
            trigger.arm(moment, session)
            try await tag.writeNDEF(new)
          }
        }
        let isOver = trigger.disarm()
        let path = try? Bench.onNDEF { _, tag in
          try await tag.readNDEF().records[0].wellKnownTypeURIPayload()?.path
        }
        let left = path.flatMap(\.self) ?? "none"
        #expect(["/old", "none", "/new/and/longer"].contains(left), "at frame \(moment): \(left)")
        if code == nil { #expect(left == "/new/and/longer") }
        if let code { #expect(code == .readerTransceiveErrorSessionInvalidated) }
        seen.insert(left)
        if isOver { break }
        try #require(moment < 500)
        moment += Self.isExhaustive ? 1 : 5
      }
      #expect(seen.contains("/new/and/longer") && seen.count > 1)
      board.stop()
    }

    private static var isExhaustive: Bool {
      ProcessInfo.processInfo.environment["NFCPROG_EXHAUSTIVE"] != nil
    }

    private static func openFiles() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    /// In a process of its own: others of this one open and close files meanwhile.
    @Test("thousands of sessions that begin and end leave nothing behind")
    func cycles() async {
      await #expect(processExitsWith: .success) { Self.beginAndEnd() }
    }

    private static func beginAndEnd() {
      Bench.lay("ntag213")
      let count = isExhaustive ? 10_000 : 100
      var before = 0
      for number in 0..<count {
        if number == 5 { before = openFiles() }
        weak var session: NFCNDEFReaderSession?
        let client = NDEFClient { _, _ in }
        do {
          let made = NFCNDEFReaderSession(
            delegate: client, queue: nil, invalidateAfterFirstRead: false)
          session = made
          made.begin()
          // At once, while the reader opens, or while it looks.
          if number % 3 > 0 { usleep(UInt32(number % 7) * 2000) }
          made.invalidate()
        }
        client.heard.waitForEnd()
        #expect(client.heard.all.last == "ended 200")
        wait(for: "session \(number) to go") { session == nil }
      }
      #expect(openFiles() <= before + 4)
    }
  }
}
