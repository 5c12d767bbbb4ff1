import JobLists
import LedgerSQLite
import TagProgramming

/// A finished tag whose job is written once more.
extension Attempt {
  /// Writes the job of a finished tag to it again; nil where the tag is left alone. Its job is kept
  /// for it anew right before the first write: until then it is finished, as it was.
  func rewrite(
    _ planner: RowPlanner, with programmer: (FirstWrite) -> Programmer
  ) throws(JournalError) -> TagReport? {
    var (found, wanted) = (TagFound?.none, [UInt8]?.none)
    let first = FirstWrite { [self] () throws(JournalError) in
      try reserve(found, planner)
      return reservation.map { $0.message == wanted } ?? false
    }
    let surveyed: SurveyedTag
    do throws(SurveyError) {
      surveyed = try programmer(first).survey(tag)
    } catch {
      return error.report
    }
    product = surveyed.found.product ?? product
    found = surveyed.found
    _ = try choose(
      surveyed.found, planner, isReserving: false, isRefused: { refuse(surveyed) })
    guard case .arrived = stage else { return nil }
    let (make, today) = (maker(surveyed.found, planner), options.day(started))
    guard let (row, message) = try session.foreseen(for: presented, today: today, make: make) else {
      // The reservation says why none can be made.
      try reserve(found, planner)
      guard let reservation else { return nil }
      return run(surveyed, planner, reservation.job, reservation.message)
    }
    wanted = message
    let report = run(surveyed, planner, row, message)
    try first.finish(isDone: report.failure == nil)
    isAsBefore = reservation == nil
    return report
  }

  /// Leaves a finished tag alone that somebody has locked, or has given a password, as its job does
  /// not ask for: no rewriting undoes that. Returns whether it does.
  func isTakenOver(_ planner: RowPlanner) throws(JournalError) -> Bool {
    guard case .written(let written) = history else { return false }
    let report = station.programmer(planner.opening(station.runOptions, written.job))
      .run(.info, on: tag)
    guard report.failure == nil else { return false }
    let lasting = try session.journal.differences(of: TagReading(report, tag.uid), from: written)
      .filter { difference in
        switch difference {
        case .locked: !written.job.locks
        case .protected:
          !hasPassword && !written.job.hasPassword && options.protection == nil
        default: false
        }
      }
    guard !lasting.isEmpty else { return false }
    stage = .left(Self.reason(written, lasting), job: written.job)
    return true
  }

  private func run(
    _ surveyed: SurveyedTag, _ planner: RowPlanner, _ row: PlannedJob, _ message: [UInt8]
  ) -> TagReport {
    do throws(JobFailure) {
      return surveyed.run(try planner.job(of: row, holding: message, for: tag.uid))
    } catch {
      return surveyed.leave(error)
    }
  }
}
