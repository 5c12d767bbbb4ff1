import PN532
import Readers
import TagMemory

/// A run over many tags on one reader, which stays open: each is awaited, programmed once and seen
/// off.
///
/// Synchronous: one thread owns a series and its reader. A tag that fails does not end the run; it
/// may come again.
package final class TagSeries {
  /// What a run tells on its way.
  package enum Event: Sendable {
    /// The reader is free for the next tag.
    case ready
    /// Several tags lie on the reader; none is touched.
    case severalTags([UID])
    /// The tag is left alone.
    case passedOver(Target, SeriesTally.Reason)
    /// The job on a tag has ended, well or not.
    case finished(TagReport)
  }

  /// Why a run ended.
  package enum Ending: Hashable, Sendable {
    /// As many tags as were asked for are in their wanted state.
    case complete
    /// No tag was presented, or the last one was not taken away, in time.
    case idle
    /// Somebody asked for the end: while a tag was being programmed, or between tags.
    case interrupted(onTag: Bool)
    /// The reader failed, or this program.
    case failed(JobFailure)
  }

  package private(set) var tally: SeriesTally
  /// From the start of the run to the end of the last tag; further runs of the same series add to
  /// it.
  package private(set) var elapsed = Duration.zero
  /// The part of it with a tag at work; the rest went by waiting for tags to come and to go.
  package private(set) var working = Duration.zero
  /// What the work costs on a bench, modelled.
  package private(set) var modelledTime = TimeSplit()
  /// Jobs that were run, well or not.
  package private(set) var jobs = 0

  private let reader: TagReader
  private let options: RunOptions
  private let programmer: Programmer
  private let shouldStop: () -> Bool

  /// `options.timeout` is how long to wait for each tag, and for the one before to be taken away.
  package init(
    reader: TagReader, options: RunOptions, tally: SeriesTally = SeriesTally(),
    progress: @escaping (JobProgress) -> Void = { _ in },
    shouldStop: @escaping () -> Bool = { false }
  ) {
    (self.reader, self.options, self.tally, self.shouldStop) = (reader, options, tally, shouldStop)
    programmer = Programmer(
      reader: reader, options: options, progress: progress, shouldStop: shouldStop)
  }

  /// Runs `job` on one tag after another, until `count` of them (nil: no limit) are in their wanted
  /// state. A series that has ended may be run again, as when its reader has returned: it goes on
  /// with its tally.
  package func run(
    count: Int? = nil, job: (Target) -> Job, tell: (Event) -> Void
  ) -> Ending {
    let start = reader.clock.now() - elapsed
    while tally.good < count ?? .max {
      tell(.ready)
      do throws(ReaderError) {
        let tag = try reader.waitForTag(timeout: options.timeout, shouldStop: shouldStop)
        if let reason = tally.reason(against: tag.uid) {
          tell(.passedOver(tag, reason))
        } else {
          let report = programmer.run(job(tag), on: tag)
          tally.enter(report)
          elapsed = reader.clock.now() - start
          working += report.duration
          modelledTime += report.counts.modelledTime
          jobs += 1
          tell(.finished(report))
          if let ending = Self.ending(after: report) { return ending }
        }
        guard tally.good < count ?? .max else { break }
        guard try isGone(tag) else { return .idle }
      } catch .severalTags(let uids) {
        tally.enterSeveralTags()
        tell(.severalTags(uids))
        if let ending = waitOut(uids) { return ending }
      } catch {
        return Self.ending(of: error)
      }
    }
    return .complete
  }

  /// Waits until `tag` has been taken away; false when it was not in time.
  package func isGone(_ tag: Target) throws(ReaderError) -> Bool {
    try !reader.waitForRemoval(of: tag, timeout: options.timeout, shouldStop: shouldStop)
  }

  /// Waits until other tags lie there; nil when they do.
  private func waitOut(_ uids: [UID]) -> Ending? {
    do {
      return try reader.waitForChange(from: uids, timeout: options.timeout, shouldStop: shouldStop)
        ? .idle : nil
    } catch {
      return Self.ending(of: error)
    }
  }

  private static func ending(of error: ReaderError) -> Ending {
    switch error {
    case .noTag: .idle
    case .interrupted: .interrupted(onTag: false)
    default: .failed(JobFailure(waiting: error))
    }
  }

  /// Nil when the run goes on.
  private static func ending(after report: TagReport) -> Ending? {
    guard let failure = report.failure else { return nil }
    switch failure.kind {
    case .interrupted: return .interrupted(onTag: true)
    case .readerUnavailable, .internalError, .configuration: return .failed(failure)
    case .badInput, .tagTrouble, .noTag, .mismatch, .refused: return nil
    }
  }
}
