import BenchKit
import NDEF
import Provisioning
import TagMemory
import TagProgramming

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The list: looked through as a whole before the first tag, or found as an earlier run left it.
extension ProvisionRun {
  /// The list as it was found good and adopted by an earlier run with this journal; nil where anything is different.
  func knownList(
    _ source: JobSource, _ write: WriteOptions
  ) throws(BenchError) -> JobReport? {
    guard let path = command.journal, !command.claim.isGiven, !command.list.android.isGiven,
      !options.dryRun
    else { return nil }
    progress.begin("Comparing the list with the journal", "rows")
    guard let known = try? Journal(at: path, access: .readOnly).checkedList(),
      let digest = try digest(source, write), digest == known.digest
    else { return nil }
    return JobReport(known)
  }

  func digest(
    _ source: JobSource, _ write: WriteOptions
  ) throws(BenchError) -> [UInt8]? {
    do throws(JobSourceError) {
      return try source.digest(
        command.list.description(locks: write.lock, arguments: Preferences.current.arguments),
        version: NFCProg.configuration.version)
    } catch {
      throw BenchError(error)
    }
  }

  /// What lies beside the list's file; nil where the list is none.
  var marker: ListMarker? {
    let home = Console.environment("HOME") ?? "/"
    return command.list.path.map {
      ListMarker(
        ofList: $0, state: Console.environment("XDG_STATE_HOME") ?? "\(home)/.local/state")
    }
  }

  /// Refuses a new journal for a list that was used with another one.
  func guardList(_ journal: Journal, _ marker: ListMarker?) throws(JournalError) {
    guard let marker else { return }
    if try journal.isUntouched() {
      if !command.startOver { try marker.check(journal) }
    } else {
      _ = try marker.add(journal)
    }
  }

  /// What the links are held to; nil where nobody asked.
  func wakeCheck() throws(BenchError) -> WakeCheck? {
    let iphone = command.claim.isGiven ? try command.claim.load().wakeCheck : nil
    guard command.list.android.isGiven else { return iphone }
    guard command.list.records.androidApp.count == 1 else {
      throw BenchError(
        .usage,
        "--assetlinks and --manifest go with one --android-app, the app to wake.")
    }
    let claim = try command.list.android.load(app: command.list.records.androidApp[0])
    let android = { (message: Message) in
      let check = claim.check(message)
      return WakeCheck.Verdict(
        refusal: check.refusal, findings: check.findings, isUndecided: check.isUndecided)
    }
    guard let iphone else { return WakeCheck(android: android) }
    iphone.android = android
    return iphone
  }

  /// Looks the whole list through; lists its mistakes and fails where there are any.
  func check(_ source: JobSource) throws(BenchError) -> JobReport {
    var check = JobCheck()
    progress.begin("Checking the list", "rows")
    check.progress = { [progress] in progress.advance(to: $0) }
    check.wake = try wakeCheck()
    let report: JobReport
    do throws(JobSourceError) {
      report = try check.report(on: source)
    } catch {
      throw BenchError(error)
    }
    guard report.isGood else {
      guard !report.lacksFilesOnly else {
        throw BenchError(
          .noInput, (["Nothing was written."] + report.lines).joined(separator: "\n"))
      }
      let count = report.problemCount == 1 ? "a mistake" : "\(report.problemCount) mistakes"
      throw BenchError(
        report.isUndecidedOnly ? .noTag : .badInput,
        (["The list has \(count); nothing was written."] + report.lines).joined(separator: "\n"))
    }
    ListRemarks(list: report).show(on: console)
    return report
  }

  /// `--dry-run`: the list, and the plan for the first tag where a reader is named.
  func plan(
    _ list: JobReport, _ source: JobSource, _ write: WriteOptions
  ) throws(BenchError) -> ExitStatus {
    console.result(
      "The list is good: \(list.rowCount) \(list.rowCount == 1 ? "job" : "jobs"), the longest message has "
        + "\(list.longestLength) bytes. Nothing was written.")
    guard let job = list.first,
      options.reader != nil || Console.environment("NFCPROG_READER") != nil
    else { return .success }
    return try TagRun(
      command: "provision", options: options, reel: job.tagType.flatMap(Product.named)
    ).plan { tag throws(BenchError) in
      let fields = TagFields(uid: tag.uid, number: job.number, secondsSince1970: Int64(time(nil)))
      var write = write
      write.lock = job.locks
      do {
        return .write(try job.message.message(for: fields, files: source.files), write)
      } catch {
        throw BenchError(.badInput, "\(error)")
      }
    }
  }
}
