import Foundation
import Synchronization
import Testing

@testable import LibNFCReaders

@Suite("Calls that do not come back", .timeLimit(.minutes(1)))
struct WatchdogTests {
  /// A pipe that nothing is ever written into; both ends stay open.
  private struct SilentPipe: ~Copyable {
    let ends: [CInt]

    init() {
      var ends: [CInt] = [-1, -1]
      _ = unsafe pipe(&ends)
      self.ends = ends
    }

    deinit { for end in ends { close(end) } }

    /// Waits for a byte that does not come; what ended that.
    func wait() -> (count: Int, code: CInt) {
      var byte: UInt8 = 0
      let count = unsafe read(ends[0], &byte, 1)
      return (count, errno)
    }
  }

  @Test("A call of the system that waits for ever ends soon after its limit, with EINTR")
  func blocked() {
    let pipe = SilentPipe()
    let watchdog = Watchdog(over: "/nonexistent/device")
    let start = ContinuousClock.now
    let ended = watchdog.run(within: .milliseconds(100)) { pipe.wait() }
    #expect(ended.count == -1)
    #expect(ended.code == EINTR)
    #expect(start.duration(to: .now) >= .milliseconds(400))
    #expect(!watchdog.hasCut)
  }

  @Test("It does so on a thread of Dispatch, which keeps signals out, and time after time")
  func dispatched() {
    let codes = Mutex<[CInt]>([])
    DispatchQueue(label: "station").sync {
      for _ in 0..<3 {
        let pipe = SilentPipe()
        let ended = Watchdog(over: "/nonexistent/device").run(within: .milliseconds(1)) {
          pipe.wait()
        }
        codes.withLock { $0.append(ended.code) }
      }
    }
    #expect(codes.withLock { $0 } == [EINTR, EINTR, EINTR])
  }

  @Test("A call that comes back in time gets no signal, and neither does what follows it")
  func healthy() {
    let watchdog = Watchdog(over: "/nonexistent/device")
    var rest = timespec()
    func sleeps(_ milliseconds: Int) -> Bool {
      var wanted = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
      return unsafe nanosleep(&wanted, &rest) == 0
    }
    #expect(watchdog.run(within: .seconds(2)) { sleeps(200) })
    #expect(!watchdog.run(within: .milliseconds(1)) { sleeps(900) })
    #expect(sleeps(900))
  }

  @Test("What heeds no signal loses its device; others that are open keep theirs")
  func deaf() throws {
    let tree = try FixtureTree()
    let (path, other) = ("\(tree.root)/device", "\(tree.root)/other")
    var files: [CInt] = []
    for name in [path, other] {
      try #require(unsafe mkfifo(name, 0o600) == 0)
      files.append(unsafe open(name, O_RDWR))
    }
    defer { for file in files { close(file) } }
    let watchdog = Watchdog(over: path)
    var interruptions = 0
    let count = watchdog.run(within: .milliseconds(1), patience: .milliseconds(1)) {
      var byte: UInt8 = 0
      while true {
        let count = unsafe read(files[0], &byte, 1)
        guard count < 0, errno == EINTR else { return count }
        interruptions += 1
      }
    }
    #expect(count == 0)
    #expect(interruptions >= 5)
    #expect(watchdog.hasCut)
    #expect(unsafe write(files[1], "x", 1) == 1)
    var byte: UInt8 = 0
    #expect(unsafe read(files[1], &byte, 1) == 1)
  }

  @Test("Calls of several threads end each by its own limit")
  func several() {
    let durations = Mutex<[Int: Duration]>([:])
    DispatchQueue.concurrentPerform(iterations: 3) { index in
      let pipe = SilentPipe()
      let start = ContinuousClock.now
      _ = Watchdog(over: "/nonexistent/device").run(within: .milliseconds(400 * index)) {
        pipe.wait()
      }
      durations.withLock { $0[index] = start.duration(to: .now) }
    }
    let seen = durations.withLock { $0 }
    for index in 0..<3 {
      let took = seen[index] ?? .zero
      #expect(took >= .milliseconds(300 + 400 * index) && took < .milliseconds(5000))
    }
  }
}
