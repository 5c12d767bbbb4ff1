import Bench
import Foundation
import Synchronization
import Testing

@testable import Line

@Suite("A scanner")
final class ScanInputTests: Sendable {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "scan-\(UUID().uuidString)")
  private let heard = Mutex<[String]>([])

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func hear(_ happening: ScanInput.Happening) {
    let text =
      switch happening {
      case .code(let code): code
      case .lost: "lost"
      case .back: "back"
      }
    heard.withLock { $0.append(text) }
  }

  /// What was heard, once `count` things were.
  private func heard(_ count: Int) -> [String] {
    let limit = ContinuousClock.now + .seconds(60)
    while heard.withLock(\.count) < count, ContinuousClock.now < limit {
      Thread.sleep(forTimeInterval: 0.01)
    }
    return heard.withLock(\.self)
  }

  @Test("that goes away is said to be away, is opened again, and its codes are trimmed")
  func returning() throws {
    let path = folder.appending(path: "fifo").path
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let isOver = Atomic(false)
    defer { isOver.store(true, ordering: .relaxed) }
    let write: @Sendable (String) -> Void = { text in
      // Opening waits for whoever reads.
      let file = FileHandle(forWritingAtPath: path)
      try? file?.write(contentsOf: Data(text.utf8))
      try? file?.close()
    }
    DispatchQueue.global().async { write("\u{FEFF}A7\t \r\n \tB 8\t\n\t \n") }
    let input = try ScanInput(path)
    input.start(isOver: { isOver.load(ordering: .relaxed) }, take: { self.hear($0) })
    #expect(heard(3) == ["A7", "B 8", "lost"])
    DispatchQueue.global().async { write("C9\n") }
    #expect(heard(6) == ["A7", "B 8", "lost", "back", "C9", "lost"])
  }

  @Test("that is a file has an end, which is said once")
  func ending() throws {
    let path = folder.appending(path: "codes").path
    try Data("A\nB".utf8).write(to: URL(filePath: path))
    let hasEnded = DispatchSemaphore(value: 0)
    do {
      let witness = Witness(hasEnded)
      try ScanInput(path).start(
        isOver: { false },
        take: { happening in withExtendedLifetime(witness) { self.hear(happening) } })
    }
    #expect(hasEnded.wait(timeout: .now() + 60) == .success)
    #expect(heard(3) == ["A", "B", "lost"])
  }

  @Test("what is started gets no secret of the environment")
  func environment() {
    Environment.noteSecret("ONE_OF_OURS")
    let secrets = [
      "PGPASSWORD": "x", "NFCPROG_PASSWORD": "x", "NFCPROG_SET_PASSWORD": "x", "NFCPROG_KEYS": "x",
      "NFCPROG_KEY": "x", "NFCPROG_SET_PACK": "x", "ONE_OF_OURS": "x",
      "ANY": "postgresql://line:s3cret@db.example/orders",
      "OTHER": "postgres://db.example/orders?password=s3cret",
    ]
    let others = [
      "HOME": "/root", "NFCPROG_READER": "sim:ntag213", "KEYBOARD": "x",
      "HUB": "postgresql://line@db.example/orders", "PASSWORD_HINT": "none",
    ]
    let environment = Environment(secrets.merging(others) { $1 })
    #expect(environment.withoutSecrets == others)
  }
}

/// Signals when nobody holds it any more.
private final class Witness: Sendable {
  private let isGone: DispatchSemaphore

  init(_ isGone: DispatchSemaphore) { self.isGone = isGone }

  deinit { isGone.signal() }
}
