import BenchKit
import LibNFCReaders
import Readers
import TagMemory
import TagProgramming
import UniversalLinks

/// `clone` from its options to its exit status.
struct CloneRun {
  let clone: Clone
  private let run: TagRun
  private let text: CloneText

  init(clone: Clone) {
    self.clone = clone
    run = TagRun(command: "clone", options: clone.options, reel: clone.reel.product)
    text = CloneText(console: run.console, count: clone.count)
  }

  func perform() -> ExitStatus {
    do throws(BenchError) {
      try clone.options.requireOneReader()
      // All that was given is looked at before a reader is opened.
      let claim = try clone.claim.load()
      let android = try clone.android.load()
      var writeOptions = try clone.seal.writeOptions(overwrite: clone.overwrite)
      writeOptions.sectors = clone.classic.choice
      let source = try clone.from.map { path throws(BenchError) in
        try sourceFile(path, claim, android)
      }
      let interruption = Interruption()
      let runOptions = try run.runOptions()
      let reader = try run.open(interruption)
      let bench = Bench(
        source: reader, options: runOptions, writeOptions: writeOptions,
        interruption: interruption)
      let status =
        if let source { copy(source, bench) } else { copyTag(claim, android, bench) }
      do throws(BenchError) {
        try reader.close()
      } catch {
        // What became of the tags is more than what became of a file.
        guard status != .success else { throw error }
        run.console.complain("nfcprog: \(error.message)")
      }
      return status
    } catch {
      return run.console.fail("clone", error)
    }
  }

  /// What all parts of a run work with.
  private struct Bench {
    let source: ReaderSession
    let options: RunOptions
    let writeOptions: WriteOptions
    let interruption: Interruption

    var reader: TagReader { source.reader }

    /// Also when nobody takes the results any more: no tag is to be written that no record is kept of.
    func shouldStop() -> Bool { interruption.isRequested || OutputFile.standardOutputIsLost }
  }

  /// Copies `source` onto the tags that follow.
  private func copy(_ source: CloneSource, _ bench: Bench) -> ExitStatus {
    let series = TagSeries(
      reader: bench.reader, options: bench.options,
      roll: TagRoll(reserved: [source.uid].compactMap(\.self)), progress: text.progress.show,
      shouldStop: bench.shouldStop)
    var ending: TagSeries.Ending
    repeat {
      ending = series.run(
        count: clone.count, job: { _ in source.job(bench.writeOptions) },
        tell: { text.show($0, done: series.roll.good) })
    } while isBack(bench, after: ending)
    text.conclude(ending, series)
    if OutputFile.standardOutputIsLost { return .cannotCreate }
    return Self.status(ending, series.roll, count: clone.count)
  }

  /// After the reader was lost: waits for it as long as for a tag. True when the run goes on.
  private func isBack(_ bench: Bench, after ending: TagSeries.Ending) -> Bool {
    guard case .failed(let failure) = ending, failure.kind == .readerUnavailable,
      bench.source.canReturn, bench.options.timeout > .zero
    else { return false }
    text.tellReaderIsGone(bench.reader.name)
    do {
      try bench.source.reopen(patience: bench.options.timeout, shouldStop: bench.shouldStop)
    } catch {
      return false
    }
    text.remark("Reader \(bench.reader.name) is back; the run continues.")
    return true
  }

  /// How a run ends that went over many tags.
  static func status(_ ending: TagSeries.Ending, _ roll: TagRoll, count: Int?) -> ExitStatus {
    let isEnough = count == nil && roll.good > 0
    switch ending {
    case .complete: return .success
    case .failed(let failure): return ExitStatus(rawValue: failure.exitCode) ?? .bug
    case .interrupted(onTag: true): return .interrupted
    case .interrupted(onTag: false): return isEnough ? .success : .interrupted
    case .idle:
      if isEnough { return .success }
      guard roll.good == 0 else { return .noTag }
      if let failure = roll.lastFailure { return ExitStatus(rawValue: failure.exitCode) ?? .bug }
      return roll.crowds > 0 ? .tagTrouble : .noTag
    }
  }

  // MARK: The source

  private func sourceFile(
    _ path: String, _ claim: Claim, _ android: AndroidClaim?
  ) throws(BenchError) -> CloneSource {
    let source = try CloneSource(file: path)
    text.show(source, from: path, try decide(source, claim, android))
    return source
  }

  /// Reads the tag that is to be copied, sees it off and goes on with the others.
  private func copyTag(_ claim: Claim, _ android: AndroidClaim?, _ bench: Bench) -> ExitStatus {
    text.askForSource()
    let programmer = Programmer(
      reader: bench.reader, options: bench.options, progress: text.progress.show,
      shouldStop: bench.shouldStop)
    // Only `info` reads the configuration of a Type 2 tag, which may change what the memory shows.
    let report = programmer.run { tag in Geometry(tag) == nil ? .info : .read }
    let source: CloneSource
    do throws(BenchError) {
      if let failure = report.failure {
        throw BenchError(
          ExitStatus(rawValue: failure.exitCode)?.code ?? .bug, failure.message)
      }
      source = try CloneSource(report)
      text.show(source, read: report, try decide(source, claim, android))
    } catch {
      return text.fail(report, error)
    }
    guard !OutputFile.standardOutputIsLost else { return .cannotCreate }
    do throws(ReaderError) {
      guard let tag = report.target else { return .bug }
      text.askForRemoval()
      let stays = try bench.reader.waitForRemoval(
        of: tag, timeout: bench.options.timeout, shouldStop: bench.shouldStop)
      if !stays { return copy(source, bench) }
      text.remark("The source is still on the reader; nothing was copied.")
      return .noTag
    } catch .interrupted {
      text.remark("Interrupted; nothing was copied.")
      return .interrupted
    } catch {
      text.remark(sentence(error.description))
      return .unavailable
    }
  }

  /// What the source does with apps, as far as somebody asked. Fails with `badInput` for a source that
  /// is not to be copied.
  private func decide(
    _ source: CloneSource, _ claim: Claim, _ android: AndroidClaim?
  ) throws(BenchError) -> LinkVerdicts {
    guard !clone.anyContent else { return LinkVerdicts() }
    if let refusal = source.refusal {
      throw BenchError(
        .badInput, refusal + " Nothing was copied. Use --any-content to copy it anyway.")
    }
    var verdicts = LinkVerdicts()
    verdicts.android = try android?.insist(on: source.message, otherwise: "Nothing was copied.")
    guard clone.claim.isGiven else { return verdicts }
    let check = claim.check(source.reading)
    if let refusal = check.refusal {
      let hint = check.hint.map { " " + $0 } ?? ""
      throw BenchError(check.status.code ?? .badInput, refusal + hint + " Nothing was copied.")
    }
    verdicts.iphone = check
    return verdicts
  }
}
