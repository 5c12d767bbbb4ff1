import Readers
import TagMemory
import TagProgramming

/// Copies one message, of a tag or a file, onto the tags that follow.
///
/// The source is never written, and no tag is written twice.
package struct Cloning {
  /// What is asked for.
  package struct Settings {
    /// How many good tags end the run; nil: no limit.
    package var count: Int?
    /// How a message is written.
    package var write = WriteOptions()
    /// `timeout` is how long to wait for each tag, for its removal, and for a reader that was
    /// unplugged.
    package var run = RunOptions()
    /// Is true if whatever the source holds is copied; otherwise it must be able to wake an app.
    package var takesAnyContent = false
    /// What the source's link is held to; nil: nothing.
    package var link: LinkPolicy?
    package var android: AndroidLinkPolicy?

    package init() {}
  }

  /// What happens during a run.
  package enum Event {
    /// The tag that is to be copied is waited for.
    case sourceWanted
    /// The tag that was read may be copied.
    case source(CloneSource, TagReport, LinkVerdicts)
    /// The source is to be taken away.
    case removalWanted
    case progress(JobProgress)
    /// `good`: how many tags are as wanted so far.
    case tag(TagSeries.Event, good: Int)
    case readerLost(String)
    case readerBack(String)
  }

  /// How a run ends.
  package enum Ending {
    /// Tags were waited for, or written.
    case series(TagSeries, TagSeries.Ending)
    /// The tag that was to be copied could not be read, or must not be copied for the reason given.
    case sourceRefused(TagReport, BenchError?)
    /// The source was not taken away in time.
    case sourceStays
    /// The end was asked for, or the reader failed, before the first copy.
    case removalFailed(ReaderError)
  }

  package let settings: Settings
  private let session: ReaderSession
  private let tell: (Event) -> Void
  private let shouldStop: () -> Bool

  /// `tell` gets all events; the run ends when `shouldStop` says so.
  package init(
    _ settings: Settings, on session: ReaderSession, tell: @escaping (Event) -> Void,
    shouldStop: @escaping () -> Bool = { false }
  ) {
    (self.settings, self.session) = (settings, session)
    (self.tell, self.shouldStop) = (tell, shouldStop)
  }

  /// Copies `source`, or without one the tag that comes first.
  package func run(_ source: CloneSource?) -> Ending {
    if let source { copy(source) } else { copyTag() }
  }

  /// Fails, and says why, where `source` must not be copied: with `badInput`, or with `noTag` where
  /// that could not be found out.
  package static func verdicts(
    on source: CloneSource, _ settings: Settings
  ) throws(BenchError) -> LinkVerdicts {
    let consequence = "Nothing was copied."
    guard !settings.write.freezesMirror || source.mirror != nil else {
      throw BenchError(
        .badInput,
        "The tag fills nothing into its message, so there is no mirror to freeze. \(consequence)"
      )
    }
    guard !settings.takesAnyContent else { return LinkVerdicts() }
    if let refusal = source.refusal {
      throw BenchError(.badInput, refusal + " " + consequence, [.copyAnyContent])
    }
    return try LinkDemand(settings.link, settings.android).insist(
      on: source.shown(by: nil, provesItself: settings.write.personalisation != nil),
      isForumTag: source.isForumTag, otherwise: consequence)
  }

  /// Copies `source` onto the tags that follow.
  private func copy(_ source: CloneSource) -> Ending {
    run(source.job(settings.write), besides: [source.uid].compactMap(\.self))
  }

  /// Does `job` on each tag that comes, on none of them twice; those of `besides` are left alone.
  package func run(_ job: Job, besides: [UID] = []) -> Ending {
    var options = settings.run
    if options.refusal == nil, settings.link != nil || settings.android != nil {
      // A copy fills in its own UID: its link is another one than the source's.
      let demand = LinkDemand(settings.link, settings.android)
      options.refusal = { demand.refusal(of: $0, on: $1) }
    }
    let series = TagSeries(
      reader: session.reader, options: options,
      tally: SeriesTally(reserved: besides),
      progress: { tell(.progress($0)) }, shouldStop: shouldStop)
    var ending: TagSeries.Ending
    repeat {
      ending = series.run(
        count: settings.count, job: { _ in job },
        tell: { tell(.tag($0, good: series.tally.good)) })
    } while isBack(after: ending)
    return .series(series, ending)
  }

  /// After the reader was lost: waits for it as long as for a tag. True when the run goes on.
  private func isBack(after ending: TagSeries.Ending) -> Bool {
    guard case .failed(let failure) = ending, failure.kind == .readerUnavailable,
      session.canReturn, settings.run.timeout > .zero
    else { return false }
    tell(.readerLost(session.reader.name))
    do {
      try session.reopen(patience: settings.run.timeout, shouldStop: shouldStop)
    } catch {
      return false
    }
    tell(.readerBack(session.reader.name))
    return true
  }

  /// Reads the tag that is to be copied, sees it off and goes on with the others.
  private func copyTag() -> Ending {
    tell(.sourceWanted)
    let programmer = Programmer(
      reader: session.reader, options: settings.run, progress: { tell(.progress($0)) },
      shouldStop: shouldStop)
    let report = programmer.readToCopy()
    guard report.failure == nil, let tag = report.target else {
      return .sourceRefused(report, nil)
    }
    let source: CloneSource
    do throws(BenchError) {
      source = try CloneSource(report, copiesProofs: settings.write.personalisation != nil)
      tell(.source(source, report, try Self.verdicts(on: source, settings)))
    } catch {
      return .sourceRefused(report, error)
    }
    guard !shouldStop() else { return .removalFailed(.interrupted) }
    do throws(ReaderError) {
      tell(.removalWanted)
      let stays = try session.reader.waitForRemoval(
        of: tag, timeout: settings.run.timeout, shouldStop: shouldStop)
      return stays ? .sourceStays : copy(source)
    } catch {
      return .removalFailed(error)
    }
  }
}

extension Cloning {
  /// Why a run over many tags fails; nil where it is a success.
  package static func code(
    _ ending: TagSeries.Ending, _ tally: SeriesTally, count: Int?
  ) -> BenchError.Code? {
    let isEnough = count == nil && tally.good > 0
    switch ending {
    case .complete: return nil
    case .failed(let failure): return .init(failure.kind)
    case .interrupted(onTag: true): return .interrupted
    case .interrupted(onTag: false): return isEnough ? nil : .interrupted
    case .idle:
      if isEnough { return nil }
      guard tally.good == 0 else { return .noTag }
      if let failure = tally.lastFailure { return .init(failure.kind) }
      return tally.severalTagsCount > 0 ? .tagTrouble : .noTag
    }
  }
}
