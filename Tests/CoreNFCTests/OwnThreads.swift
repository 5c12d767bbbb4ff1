import Dispatch

/// Runs the asynchronous part of a test on threads of its own: those of Swift's pool, one for each
/// core, may all be held by synchronous tests while a session waits for its app.
final class OwnThreads: TaskExecutor {
  static let shared = OwnThreads()
  private let queue = DispatchQueue(label: "OwnThreads", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
