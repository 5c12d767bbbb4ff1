import Synchronization

/// Which row of the list each station's next tag gets, where the thing that the tag goes onto says
/// so: by a code that is scanned before the tag is laid down, or while it lies there.
public final class JobPicks: Sendable {
  /// What came of a code that was scanned.
  public enum Answer: Hashable, Sendable {
    /// The next tag gets this job.
    case taken(PlannedJob)
    /// No row has it.
    case unknown
    /// Several rows have it.
    case ambiguous(count: Int)
    /// Its job is on a tag already, or kept for one.
    case repeated(PlannedJob)
    /// No message can be made of its job.
    case failed(PlannedJob)

    /// The job that the code stands for, where it is one.
    package var job: PlannedJob? {
      switch self {
      case .taken(let job), .repeated(let job), .failed(let job): job
      case .unknown, .ambiguous: nil
      }
    }
  }

  /// The column that the codes are those of, as the list writes it.
  package let column: String
  private let journal: Journal
  /// By station.
  private let picked = Mutex<[Int: Int]>([:])

  package init(column: String, of journal: Journal) {
    (self.column, self.journal) = (column, journal)
  }

  /// Takes a code for a station. A code that is refused leaves what was scanned before as it is not
  /// meant any more: the station's next tag then waits for another code.
  func take(_ code: String, for station: Int) throws(JournalError) -> Answer {
    picked.withLock { $0[station] = nil }
    let found = try journal.jobs(whose: column, is: code)
    guard let (job, state) = found.first else { return .unknown }
    guard found.count == 1 else { return .ambiguous(count: found.count) }
    switch isElsewhere(job, state) ? "elsewhere" : state {
    case "pending":
      // The same thing may be scanned at two stations.
      let isFree = picked.withLock { picked in
        guard !picked.values.contains(job.number) else { return false }
        picked[station] = job.number
        return true
      }
      return isFree ? .taken(job) : .repeated(job)
    case "failed": return .failed(job)
    default: return .repeated(job)
    }
  }

  /// Whether another bench of the pool has the job.
  private func isElsewhere(_ job: PlannedJob, _ state: String) -> Bool {
    state == "pending" && journal.pool?.isWaiting(job.number) == false
  }

  /// The job that the station's tag gets; nil as long as nothing was scanned for it.
  func job(for station: Int) -> Int? { picked.withLock { $0[station] } }

  /// The job is on its tag, or the tag was another.
  func clear(_ station: Int) { picked.withLock { $0[station] = nil } }
}
