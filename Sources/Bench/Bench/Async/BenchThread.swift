import Dispatch
import Synchronization

/// The thread of a bench: what blocks on its reader holds up none of Swift's own.
final class BenchThread: SerialExecutor {
  private let queue: DispatchQueue
  /// This many jobs wait for their turn.
  private let waiting = Atomic(0)

  init(_ name: String) { queue = DispatchQueue(label: "bench \(name)") }

  /// Is true if somebody waits for what is done now to end.
  var isAwaited: Bool { waiting.load(ordering: .relaxed) > 0 }

  func enqueue(_ job: consuming ExecutorJob) {
    // Run once, right here below.
    let job = UnownedJob(job)
    waiting.add(1, ordering: .relaxed)
    queue.async { [self] in
      waiting.subtract(1, ordering: .relaxed)
      unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
