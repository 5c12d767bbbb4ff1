import Readers
import TagMemory

/// Runs jobs on the tags of one reader: survey, plan, execute, verify, report.
///
/// Synchronous: one thread owns a programmer and its reader. Most jobs are known before the tag is;
/// where the tag decides:
///
///     let tag = try programmer.survey(target)   // what is there
///     let report = tag.run(job)                 // what becomes of it
public final class Programmer {
  let reader: TagReader
  let options: RunOptions
  let progress: (JobProgress) -> Void
  let shouldStop: () -> Bool
  /// Gets the whole memory of a tag right before the first write to it, as far as it can be read,
  /// and what a dry run would come to. Where `shouldStop` says so afterwards, nothing is written.
  package var keepMemory: ((KeptMemory) -> Void)?

  /// `shouldStop` is asked between steps: true ends the run at a point from which the same job goes
  /// on.
  public init(
    reader: TagReader, options: RunOptions = RunOptions(),
    progress: @escaping (JobProgress) -> Void = { _ in },
    shouldStop: @escaping () -> Bool = { false }
  ) {
    self.reader = reader
    self.options = options
    self.progress = progress
    self.shouldStop = shouldStop
  }

  /// Waits for a tag and runs `job` on it. Never throws: a failure is in the report.
  public func run(_ job: Job) -> TagReport { run { _ in job } }

  /// Waits for a tag and runs on it the job that `job` chooses for it.
  public func run(choosing job: (Target) -> Job) -> TagReport {
    progress(.waiting)
    let before = reader.counts
    do {
      let target = try reader.waitForTag(timeout: options.timeout, shouldStop: shouldStop)
      return run(job(target), on: target)
    } catch {
      return TagReport(
        .failed, failure: JobFailure(waiting: error), counts: reader.counts - before)
    }
  }

  /// Waits for a tag, looks at it, and runs on it the job that `job` chooses by what was found.
  package func runSurveyed(_ job: (TagFound) -> Job) -> TagReport {
    progress(.waiting)
    let before = reader.counts
    let target: Target
    do throws(ReaderError) {
      target = try reader.waitForTag(timeout: options.timeout, shouldStop: shouldStop)
    } catch {
      return TagReport(
        .failed, failure: JobFailure(waiting: error), counts: reader.counts - before)
    }
    do throws(SurveyError) {
      let surveyed = try survey(target)
      return surveyed.run(job(surveyed.found))
    } catch {
      return error.report
    }
  }

  /// Waits for a tag and reads its message as it is to be copied.
  package func readToCopy() -> TagReport {
    run { FamilyRegistry.family(of: $0)?.copying ?? .read }
  }

  /// Runs `job` on `target`, which the reader has just selected: its last look was the first thing
  /// done for this tag.
  public func run(_ job: Job, on target: Target) -> TagReport {
    let tag = meet(target)
    return options.refusal?(job, target).map(tag.report(leaving:)) ?? tag.report(of: job)
  }

  /// Looks at `target`, which the reader has just selected, as far as a decision needs: status,
  /// capacity and the whole message.
  public func survey(_ target: Target) throws(SurveyError) -> SurveyedTag {
    let run = meet(target)
    return SurveyedTag(found: try run.survey(), run: run)
  }

  private func meet(_ target: Target) -> any TagRunning {
    progress(.found(target))
    guard let family = FamilyRegistry.family(of: target) else {
      return UnknownTagRun(target, on: self)
    }
    return meet(target, in: family)
  }

  private func meet<Family: TagFamily>(_ target: Target, in family: Family.Type) -> any TagRunning {
    TagRun<Family>(target, on: self)
  }
}

/// A tag that could not be looked at; the report says why, and what it cost.
public struct SurveyError: Error {
  /// Why, and what the look cost.
  public let report: TagReport
}

/// A look at a tag has shown this before anything is planned: a decision about the tag goes by it.
public struct TagFound: Sendable {
  /// The tag as the reader selected it.
  public let target: Target
  /// Which chip it is; nil where that is not known.
  public let product: Product?
  /// In CoreNFC's words; `notSupported` is a tag that is not formatted for NDEF (yet).
  public let status: NDEFStatus
  /// The longest message in bytes that fits; nil where the tag has to be formatted first to tell.
  public let capacity: Int?
  /// The content stands where the tag's message belongs.
  public let content: Content
  /// What a telephone finds in its place.
  package let shownContent: Content
  /// The whole memory, where a decision goes by that; nil where it was not looked at.
  package let dump: TagDump?

  /// The bytes by which the message on it is known again: none when it is empty, nil when there is
  /// nothing that a reader takes for a message.
  public var message: [UInt8]? { content.stored }
}

/// A tag that was looked at, and waits for what becomes of it.
public struct SurveyedTag {
  /// The look has shown this of the tag.
  public let found: TagFound
  let run: any TagRunning

  /// Why the tag is left alone where genuine tags alone are wanted: its maker's signature is
  /// missing or wrong, or the tag could not be asked. Nil for a genuine one.
  package func refusalAsNotGenuine() -> TagReport? { run.refusalAsNotGenuine() }

  /// Runs `job` on it, once.
  public func run(_ job: Job) -> TagReport { run.report(of: job) }

  /// Leaves it alone, for this reason.
  package func leave(_ reason: JobFailure) -> TagReport { run.report(leaving: reason) }
}

/// One tag on its way from the first look to the report.
protocol TagRunning: AnyObject {
  func survey() throws(SurveyError) -> TagFound
  func refusalAsNotGenuine() -> TagReport?
  func report(of job: Job) -> TagReport
  func report(leaving reason: JobFailure) -> TagReport
}

/// A run tells its progress on its way.
public enum JobProgress: Sendable {
  /// No tag lies on the reader yet.
  case waiting
  /// A tag was found.
  case found(Target)
  /// Its product is known.
  case identified(Product)
  /// The program is known; nothing is written yet.
  case planned(TagProgram)
  /// The step `number`, from 1, of `count` begins.
  case step(number: Int, count: Int, TagProgram.Step)
  /// A pass failed and another begins.
  case retrying(after: JobFailure, attempt: Int)
}
