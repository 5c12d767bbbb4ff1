import Dispatch

/// Runs the asynchronous part of a test on threads of its own: those of Swift's pool, one for each
/// core, may all be held by synchronous tests while a session waits for its app.
final class OwnThreads: TaskExecutor {
  static let shared = OwnThreads()
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A queue of its own for each job: a concurrent one has no thread where others block theirs.
    DispatchQueue(label: "OwnThreads").async {
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}
