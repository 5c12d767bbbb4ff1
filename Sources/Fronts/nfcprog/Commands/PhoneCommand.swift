import ArgumentParser
import Bench
import NDEF
import PhoneSessions
import UniversalLinks

/// `phone`: a tag as an iPhone sees it.
struct PhoneCommand: PreferringCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone",
    abstract: "Show what an iPhone does with a tag.",
    discussion: """
        nfcprog phone --aasa aasa --domain example.com
        nfcprog phone --session ndef

      Without --session: what happens when the tag is held to a phone with no app open, by the rules of --aasa and --app-id as \
      in check-link; exit status 0 if an app is woken. With --session: an app's session and each of its callbacks; exit status 0 if \
      the app got a tag, 77 if it did not declare what it asks for, 75 if no tag that it can get was presented in time. \
      iPhone XS, XR and later read tags by themselves, iPhone 7, 8 and X with NFC Tag Reader in Control Center.
      """)

  @OptionGroup(title: "Session") var phone: PhoneOptions

  @OptionGroup(title: "iPhone app") var link: LinkOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  func validate() throws {
    try link.requireFile()
    guard phone.session == nil || !link.isGiven else {
      throw ValidationError("--aasa, --app-id and --entitlement go without --session.")
    }
  }

  func run(_ preferences: Preferences) throws {
    let status = phone.session == nil ? readInPocket(preferences) : runSession(preferences)
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private var console: Console {
    Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
  }

  // MARK: An app's session

  private func runSession(_ preferences: Preferences) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let choice = try ReaderChoice(options, preferences)
      let trace = try options.openTrace(preferences)
      let (boards, speed, isVerbose) = (preferences.boards, options.baud.speed, options.verbose)
      var settings = PhoneSession.Settings { () throws(BenchError) in
        var settings = ReaderSession.Settings()
        (settings.speed, settings.isVerbose, settings.trace) = (speed, isVerbose, trace)
        settings.boards = boards
        return try ReaderSession(opening: choice, settings)
      }
      settings.mode = phone.unlimited ? .bench : .phone
      let declared = try phone.grants()
      settings.grants = (phone.poll ?? .standard).narrow(declared)
      settings.timeLimit = .seconds(phone.unlimited ? options.timeout : min(60, options.timeout))
      settings.endsAfterFirstRead = phone.invalidateAfterFirstRead
      let console = console
      settings.remark = { console.complain("nfcprog: \($0.text)") }
      let interruption = Interruption()
      let transcript = SessionTranscript { Self.show($0, on: console) }
      let (end, hasFound) = transcript.run(
        phone.kind, settings, restarts: phone.restartPolling.map { $0.step(declared) },
        shouldStop: { interruption.isRequested })
      if let trace { console.remark(trace.saved.sentence) }
      if interruption.isRequested { return .interrupted }
      return Self.status(end, hasFound: hasFound)
    } catch {
      return console.fail("phone", error)
    }
  }

  private static func status(_ end: SessionError, hasFound: Bool) -> ExitStatus {
    switch end.code {
    case .securityViolation: .refused
    case .unsupportedFeature, .systemIsBusy, .terminatedUnexpectedly: .unavailable
    default: hasFound ? .success : .noTag
    }
  }

  private static func show(_ line: SessionTranscript.Line, on console: Console) {
    if console.json { console.json(CallbackJSON(line)) }
    guard !(console.json && console.quiet) else { return }
    let number = line.error.map { "error \($0.code.rawValue): " } ?? ""
    console.result("\(line.callback): \(number)\(line.text)")
    for tag in line.tags {
      console.result("  \(tag.kind) \(tag.detail), \(tag.identifier)")
    }
    for bytes in line.messages {
      let message = RawMessage(parsing: bytes)
      for record in message.faults.isEmpty ? message.unjoinedRecords : [] {
        console.result("  \(record.content.summary)")
      }
    }
  }

  // MARK: In the pocket

  private func readInPocket(_ preferences: Preferences) -> ExitStatus {
    let policy: LinkPolicy
    do throws(BenchError) {
      try options.requireOneReader()
      policy = try link.load()
    } catch {
      return console.fail("phone", error)
    }
    return CommandRun("phone", options, preferences).perform(.info) {
      report throws(BenchError) in
      guard let reading = BackgroundReading(report), let target = report.target else {
        throw Self.unknownTag
      }
      return show(PocketOutcome(try policy.checkWithSite(reading), reading), on: target.uid.hex)
    }
  }

  static let unknownTag = BenchError(
    .badInput, "This type of tag is not known, so its message cannot be read.")

  private func show(_ outcome: PocketOutcome, on uid: String) -> ExitStatus {
    if options.json {
      console.json(PocketJSON(uid: uid, outcome))
    }
    if !(options.json && options.quiet) {
      console.result(console.styled(outcome.text, outcome.wakesApp ? .good : .bad))
      if outcome.act != .nothing { console.result("  \(PhoneText.models)") }
      for line in outcome.reasons { console.result("  " + line) }
    }
    return outcome.wakesApp ? .success : outcome.isUndecided ? .noTag : .badInput
  }
}
