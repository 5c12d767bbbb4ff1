import Dispatch

/// The thread of a bench: what blocks on its reader holds up none of Swift's own.
final class BenchThread: SerialExecutor {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: "bench \(name)") }

  func enqueue(_ job: consuming ExecutorJob) {
    // Run once, right here below.
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
