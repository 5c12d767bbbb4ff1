import Bench
import JSON
import PhoneSessions
import TagMemory
import TagProgramming
import UniversalLinks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ServedCommand {
  /// Follows a job up to the moment at which its plan is known and nothing is written.
  private final class Consent {
    /// Is true if the tag may lose something for good.
    private let isDangerous: Bool
    /// The tag for which somebody has said yes; nil: for none.
    private let agreed: UID?
    private var uid: UID?
    private var isAsked = false
    /// Is true if the job must not go on.
    private(set) var isMissing = false
    /// The plan that needs a yes, and the tag that it is for.
    private(set) var wanted: (program: TagProgram, uid: UID)?

    init(isDangerous: Bool, agreed: UID? = nil) {
      (self.isDangerous, self.agreed) = (isDangerous, agreed)
    }

    func hear(_ progress: JobProgress) {
      switch progress {
      case .found(let target):
        uid = target.uid
        // Another tag than the one that was spoken of.
        if let agreed, agreed != target.uid { isMissing = true }
      case .planned(let program) where !isAsked && program.changesTag:
        isAsked = true
        guard isDangerous || program.needsConsent, let uid else { break }
        wanted = (program, uid)
        isMissing = isMissing || uid != agreed
      default: break
      }
    }
  }

  /// Does the command on the tag that comes. `confirmation` is what the client says yes to.
  package func perform(
    on session: ReaderSession, _ seal: PlanSeal, confirmation: String?,
    shouldStop: @escaping () -> Bool
  ) -> ServedAnswer {
    switch work {
    case .job(let preparation):
      perform(preparation, on: session, seal, confirmation, shouldStop)
    case .raw(let series):
      perform(series, on: session, seal, confirmation, shouldStop)
    }
  }

  private func perform(
    _ preparation: Preparation, on session: ReaderSession, _ seal: PlanSeal,
    _ confirmation: String?, _ shouldStop: @escaping () -> Bool
  ) -> ServedAnswer {
    func run(_ consent: Consent, isDry: Bool) -> TagReport {
      var options = options
      options.dryRun = isDry
      let backup = self.run.backup
      var settings = ReaderSession.JobSettings(options) {
        shouldStop() || !isDry && consent.isMissing || backup?.obstacle != nil
      }
      settings.namesEverything = command == "info"
      if let backup { settings.keepMemory = { if !consent.isMissing { backup.keep($0) } } }
      return session.run(preparation.job, settings) { consent.hear($0) }
    }
    func text(_ consent: Consent, _ report: TagReport) -> String? {
      consent.wanted.map {
        seal.text(of: $0.program, on: $0.uid, asked: asked, report.content.stored ?? [])
      }
    }
    let first = Consent(isDangerous: isDangerous)
    let report = run(first, isDry: options.dryRun)
    guard !options.dryRun, first.isMissing else {
      return .ended(
        ending(report, preparation.remarks, options.dryRun ? text(first, report) : nil))
    }
    guard let confirmation else { return .unconfirmed }
    // What was said yes to is what a dry run foresees, later passes included.
    let foreseen = Consent(isDangerous: isDangerous)
    let plan = run(foreseen, isDry: true)
    guard let wanted = foreseen.wanted else {
      return .ended(ending(plan, preparation.remarks, nil))
    }
    guard text(foreseen, plan) == confirmation else { return .otherPlan }
    let agreed = Consent(isDangerous: isDangerous, agreed: wanted.uid)
    let done = run(agreed, isDry: false)
    if agreed.isMissing { return .otherPlan }
    return .ended(ending(done, preparation.remarks, nil))
  }

  private func ending(
    _ report: TagReport, _ remarks: InputRemarks, _ confirm: String?
  ) -> ServedAnswer.Ending {
    if let policy, report.failure == nil { return pocket(report, policy) }
    let phone = showsPhone ? BackgroundReading(ofDone: report) : nil
    var object = TagJSON(command, report, remarks, phone, run.backup)
    var late = run.backup?.obstacle
    var data: String?
    do throws(BenchError) {
      if report.failure == nil, let dump {
        data = Data(try dump.bytes(of: report.dump?.withoutSecrets)).base64EncodedString()
      }
    } catch {
      late = late ?? error
    }
    if let late {
      object.result = TagReport.Result.failed.rawValue
      object.error = FailureJSON(late)
    }
    return ServedAnswer.Ending(
      status: object.error?.code ?? 0,
      document: JSONLine.text(ServedDocument(document: object, confirm: confirm, data: data)),
      message: object.error?.message,
      hasLostReader: report.failure?.kind == .readerUnavailable)
  }

  /// What a telephone does with the tag.
  private func pocket(_ report: TagReport, _ policy: LinkPolicy) -> ServedAnswer.Ending {
    do throws(BenchError) {
      guard let reading = BackgroundReading(report), let target = report.target else {
        throw PhoneCommand.unknownTag
      }
      let outcome = PocketOutcome(try policy.checkWithSite(reading), reading)
      return ServedAnswer.Ending(
        status: 0, document: JSONLine.text(PocketJSON(uid: target.uid.hex, outcome)))
    } catch {
      let document = TagJSON(command: command, failure: FailureJSON(error))
      return ServedAnswer.Ending(
        status: error.status.rawValue, document: JSONLine.text(document), message: error.message)
    }
  }

  // MARK: An operator's own commands

  private func perform(
    _ series: RawSeries, on session: ReaderSession, _ seal: PlanSeal, _ confirmation: String?,
    _ shouldStop: @escaping () -> Bool
  ) -> ServedAnswer {
    session.reader.look(for: options.expected)
    let words = asked + series.commands.map { "\($0)" }
    var wanted: String?
    let report = series.run(
      on: session.reader, timeout: options.timeout, dryRun: options.dryRun
    ) { tag in
      wanted = series.onlyReads ? nil : seal.text(of: words, on: tag.uid)
      return wanted == nil || wanted == confirmation
    } shouldStop: {
      shouldStop()
    }
    if !options.dryRun, let wanted, wanted != confirmation {
      return confirmation == nil ? .unconfirmed : .otherPlan
    }
    let object = RawJSON(command: command, report: report, asking: RemedyText.option)
    return .ended(
      ServedAnswer.Ending(
        status: object.error?.code ?? 0,
        document: JSONLine.text(
          ServedDocument(document: object, confirm: options.dryRun ? wanted : nil)),
        message: object.error?.message,
        hasLostReader: report.failure?.kind == .readerUnavailable))
  }
}
