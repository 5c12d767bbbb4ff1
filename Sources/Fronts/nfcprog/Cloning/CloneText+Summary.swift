import Bench
import Bytes
import PN532
import TagMemory
import TagProgramming
import UniversalLinks
import Wording

/// What a run of clone says at its end.
extension CloneText {
  func conclude(_ ending: Cloning.Ending, count: Int?) -> ExitStatus {
    switch ending {
    case .series(let series, let ending):
      let code = Cloning.code(ending, series.tally, count: count)
      conclude(ending, series, code)
      if OutputFile.standardOutputIsLost { return .cannotCreate }
      return ExitStatus(failing: code)
    case .sourceRefused(let report, let error): return fail(report, error)
    case .sourceStays:
      line.clear()
      return console.fail(
        command, BenchError(.noTag, "The source is still on the reader; nothing was copied."))
    case .removalFailed(.interrupted):
      if OutputFile.standardOutputIsLost { return .cannotCreate }
      remark("Interrupted; nothing was copied.")
      return .interrupted
    case .removalFailed(let error):
      line.clear()
      return console.fail(command, BenchError(.unavailable, sentence(error.description)))
    }
  }

  private func conclude(_ ending: TagSeries.Ending, _ series: TagSeries, _ code: BenchError.Code?) {
    line.clear()
    switch ending {
    case .complete: break
    case .idle:
      let sentence = "No further tag was presented in time."
      guard let code else {
        console.remark(sentence)
        break
      }
      console.complain("nfcprog: \(sentence)")
      // A tag that failed has an object of its own.
      guard console.json, code == .noTag else { break }
      console.json(TagJSON(command: command, failure: FailureJSON(BenchError(code, sentence))))
    case .interrupted where OutputFile.standardOutputIsLost: break
    case .interrupted: console.remark("Interrupted.")
    case .failed(let failure): console.complain("nfcprog: \(failure.message)")
    }
    guard !console.quiet else { return }
    console.result(Self.sum(series.tally, series.elapsed))
    if let times = Self.times(series) { console.result(times) }
  }

  /// Where the time of a run went, per tag: `1200 ms a tag: 1100 waiting for the tag, 100 at work;
  /// modelled 57 ms (link 4, …).`
  static func times(_ series: TagSeries) -> String? {
    guard series.jobs > 0 else { return nil }
    func each(_ duration: Duration) -> Int { TimeText.milliseconds(duration / series.jobs) }
    return
      "\(each(series.elapsed)) ms a tag: \(each(series.elapsed - series.working)) waiting for the tag, "
      + "\(each(series.working)) at work; modelled "
      + TimeText.modelled(series.modelledTime / series.jobs, at: nil) + "."
  }

  /// `2 tags written, 1 held the message already, 1 failed (1 too small). 720 tags an hour.`
  static func sum(_ tally: SeriesTally, _ elapsed: Duration) -> String {
    var parts = ["\(counted(tally.written, "tag")) written"]
    if tally.planned > 0 { parts.append("\(tally.planned) planned") }
    if tally.unchanged > 0 { parts.append("\(tally.unchanged) held the message already") }
    if !tally.failed.isEmpty {
      let causes = tally.failed.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.value) \(word($0.key))" }
      parts.append(
        "\(tally.failed.values.reduce(0, +)) failed (\(causes.joined(separator: ", ")))")
    }
    if tally.severalTagsCount > 0 {
      parts.append(
        "\(counted(tally.severalTagsCount, "time")) several at once"
      )
    }
    let hours = elapsed / .seconds(3600)
    let rate =
      tally.good > 0 && hours > 0 ? " \(Int(Double(tally.good) / hours)) tags an hour." : ""
    return parts.joined(separator: ", ") + "." + rate
  }

  private static func word(_ kind: JobFailure.Kind) -> String {
    switch kind {
    case .badInput: "too small"
    case .tagTrouble: "lost"
    case .mismatch: "not read back as written"
    case .refused: "refused"
    case .interrupted: "interrupted"
    case .readerUnavailable, .noTag, .internalError, .configuration: "without a reader"
    }
  }
}
