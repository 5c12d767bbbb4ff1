import JobLists
import LedgerSQLite
import Synchronization

/// Which row of the list each station's next tag gets, where the thing that the tag goes onto says
/// so: by a code that is scanned before the tag is laid down, or while it lies there.
public final class JobPicks: Sendable {
  /// An answer says what came of a code that was scanned.
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
  private let picks = Mutex<[Int: Pick]>([:])

  /// What was scanned for a station, and what its tag is getting of it.
  private struct Pick {
    /// For the next tag.
    var next: PlannedJob?
    /// What the tag that lies there gets: it is being reserved.
    var begun: PlannedJob?

    func has(_ job: PlannedJob) -> Bool {
      next?.number == job.number || begun?.number == job.number
    }
  }

  package init(column: String, of journal: Journal) {
    (self.column, self.journal) = (column, journal)
  }

  /// Takes a code for a station, also one that is refused: what was scanned for its next tag before
  /// is not meant any more. `dropped` is that job; the tag of a refused code waits for another one.
  func take(
    _ code: String, for station: Int
  ) throws(JournalError) -> (answer: Answer, dropped: PlannedJob?) {
    let before = picks.withLock { picks in
      defer { picks[station]?.next = nil }
      return picks[station]?.next
    }
    let answer = try answer(code, for: station)
    // The same thing scanned twice is meant once.
    return (answer, before?.number == answer.job?.number ? nil : before)
  }

  private func answer(_ code: String, for station: Int) throws(JournalError) -> Answer {
    let found = try journal.jobs(whose: column, is: code)
    guard let (job, state) = found.first else { return .unknown }
    guard found.count == 1 else { return .ambiguous(count: found.count) }
    switch isElsewhere(job, state) ? "elsewhere" : state {
    case "pending":
      // The same thing may be scanned at two stations.
      let isFree = picks.withLock { picks in
        guard !picks.values.contains(where: { $0.has(job) }) else { return false }
        picks[station, default: Pick()].next = job
        return true
      }
      return isFree ? .taken(job) : .repeated(job)
    case "failed": return .failed(job)
    default: return .repeated(job)
    }
  }

  /// Returns whether another bench of the pool has the job.
  private func isElsewhere(_ job: PlannedJob, _ state: String) -> Bool {
    state == "pending" && journal.pool?.isWaiting(job.number) == false
  }

  /// The job that the station's tag gets; nil as long as nothing was scanned for it. A code that
  /// comes from now on is for the tag behind it.
  func begin(_ station: Int) -> Int? {
    picks.withLock { picks in
      guard let next = picks[station]?.next else { return nil }
      picks[station] = Pick(next: nil, begun: next)
      return next.number
    }
  }

  /// The job is on its tag, or cannot be on any here.
  func finish(_ station: Int) { picks.withLock { $0[station]?.begun = nil } }

  /// The tag did not get the job: the next one does, where nothing else was scanned for that.
  /// Gives the job otherwise.
  func giveBack(_ station: Int) -> PlannedJob? {
    picks.withLock { picks in
      guard var pick = picks[station], let begun = pick.begun else { return nil }
      pick.begun = nil
      defer { picks[station] = pick }
      guard pick.next == nil else { return begun }
      pick.next = begun
      return nil
    }
  }
}
