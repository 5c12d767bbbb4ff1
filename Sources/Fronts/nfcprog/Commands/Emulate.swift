import ArgumentParser
import Bench
import NDEF
import RecordText

/// `emulate`: the board as a tag, for telephones.
struct Emulate: PreferringCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulate", abstract: "Play a tag: hold telephones to the board.",
    discussion: """
        nfcprog emulate --url https://example.com/t/1
        nfcprog emulate --follow link.txt
        nfcprog emulate --url 'https://t.example/{picc}x{mac}' --sdm --keys shop.keys
        nfcprog emulate --phone-test --report phone.txt
        nfcprog emulate --text Hello --reader sim:phone=iphone+android --count 2

      The board is an NFC Forum Type 4 tag, tap after tap, until Ctrl-C; no tag is used up. Says of each tap what was read. \
      With --sdm it is an NTAG 424 DNA that does not exist, and each reading proves itself. It takes a PN532; an ACR122U cannot do it. See Docs/LiveTag.md.
      """)

  @OptionGroup(title: "Message") var emulation: EmulationOptions
  @OptionGroup(title: "Message", visibility: .hidden) var records: RecordOptions
  @OptionGroup(title: "Proof of the tag") var proof: LiveProofOptions
  @OptionGroup(title: "Message") var phoneTest: PhoneTestOptions
  @OptionGroup(title: "iPhone app") var link: LinkOptions
  @OptionGroup(title: "Android app", visibility: .hidden) var android: AndroidOptions
  @OptionGroup(title: "Reader") var line: EmulationReaderOptions
  @OptionGroup(title: "Output") var output: EmulationOutputOptions
  @OptionGroup(title: "Output", visibility: .hidden) var files: FileOptions

  private static let consequence = "No tag is played."

  func validate() throws {
    let sources = [
      emulation.url != nil || records.isGiven, emulation.from != nil, emulation.follow != nil,
    ]
    guard !phoneTest.phoneTest else {
      guard
        !sources.contains(true), emulation.writable == nil, emulation.limit == nil, !proof.sdm,
        !link.isGiven, !android.isGiven
      else {
        throw ValidationError(
          "--phone-test has its own messages and its own end. Leave the others out.")
      }
      return
    }
    guard sources.count(where: \.self) == 1 else {
      throw ValidationError(
        "Say what the tag holds: --url, records such as --text, --from FILE or --follow FILE, one of them."
      )
    }
    guard !proof.sdm || (emulation.url != nil && emulation.writable == nil) else {
      throw ValidationError("--sdm goes with --url, and without --writable.")
    }
    try link.requireFile(android.assetlinks != nil)
    try android.requireApp(recorded: records.androidApp)
    guard emulation.url != nil || emulation.follow != nil || !(link.isGiven || android.isGiven)
    else {
      throw ValidationError(
        "--aasa, --app-id, --entitlement and --wakes go with --url or --follow.")
    }
  }

  func run(_ preferences: Preferences) throws {
    let console = Console(json: output.json, quiet: output.quiet, verbose: output.verbose)
    try console.conclude("emulate") { () throws(BenchError) in try play(preferences, console) }
  }

  private func play(
    _ preferences: Preferences, _ console: Console
  ) throws(BenchError) -> ExitStatus {
    guard line.readers.count <= 1 else {
      throw BenchError(.usage, "One board plays the tag. Give --reader once.")
    }
    if let keys = proof.keys {
      try CounterFile.requireApart("--trace", line.trace, fromKeys: keys)
    }
    let content = phoneTest.phoneTest ? nil : try content(preferences.arguments, console)
    let report = try phoneTest.report.map { path throws(BenchError) in
      try NamedFile(path, files.consent)
    }
    let choice = try ReaderChoice(naming: line.readers.first, preferences)
    var settings = ReaderSession.Settings()
    settings.speed = line.baud?.speed ?? .fixed(choice.openingSpeed)
    (settings.boards, settings.onFailure) = (preferences.boards, { console.complain($0) })
    settings.trace = try line.trace.map { path throws(BenchError) in
      try Trace(NamedFile(path, files.consent))
    }
    let session = try ReaderSession(opening: choice, settings)
    let interruption = Interruption()
    interruption.onFirst(session.interrupt)
    let status: ExitStatus
    do throws(BenchError) {
      status =
        if let content { try play(content, session, interruption, console) } else {
          try PhoneTestRun(
            session, console, interruption, patience: phoneTest.patience, file: report
          ).perform()
        }
    } catch {
      try? session.close()
      throw error
    }
    try session.close()
    if let trace = settings.trace { console.remark(trace.saved.sentence) }
    return status
  }

  private func play(
    _ content: any LiveContent, _ session: ReaderSession, _ interruption: Interruption,
    _ console: Console
  ) throws(BenchError) -> ExitStatus {
    let limit = emulation.limit
    let screen = TapScreen(console)
    let tag = LiveTag(
      session, content, isWritable: emulation.writable != nil, onArmed: { screen.arm() },
      onTap: { tap in
        screen.show(tap)
        return limit.map { tap.number < $0 } ?? true
      })
    try tag.run(shouldStop: interruption.question)
    // Without a number of taps Ctrl-C is the way to end it.
    return limit != nil && interruption.isRequested ? .interrupted : .success
  }

  // MARK: What the tag holds

  private func content(
    _ arguments: [String], _ console: Console
  ) throws(BenchError) -> any LiveContent {
    let demands = try LinkDemands(link, android, console, otherwise: Self.consequence)
    if let path = emulation.follow {
      return try FollowedContent(
        path,
        FollowedContent.Demands(
          message: { line throws(BenchError) in try demands.message(of: line) },
          check: { bytes throws(BenchError) in try demands.insist(onMessage: bytes) }),
        onTrouble: { console.complain("\($0.reason) The tag holds what it held.") })
    }
    if proof.sdm, let url = emulation.url {
      return try proof.content(
        url, console, files.consent, otherwise: Self.consequence,
        message: { address throws(BenchError) in
          try demands.template(of: address, others(arguments, console))
        }, insist: { message throws(BenchError) in try demands.insist(on: message) })
    }
    let message: [UInt8]
    if let path = emulation.from {
      message = try CloneSource(file: path).bytes
    } else {
      let others = try others(arguments, console)
      message =
        if let url = emulation.url { try demands.message(of: url, others).serialize() } else {
          try Self.joined(others).serialize()
        }
    }
    let kept = try emulation.writable.map { path throws(BenchError) in
      try NamedFile(path, files.consent)
    }
    return FixedContent(try LiveTag.fitting(message), keptIn: kept)
  }

  /// Returns what the record options make.
  private func others(
    _ arguments: [String], _ console: Console
  ) throws(BenchError) -> [Record] {
    guard records.isGiven else { return [] }
    let order = RecordOrder.names(of: RecordOption.names, in: arguments)
    let made = try MessageArguments.message(order: order, values: records.values)
    made.remarks.show(on: console)
    return made.message.records
  }

  private static func joined(_ records: [Record]) throws(BenchError) -> Message {
    do throws(NDEFError) {
      return try Message(records)
    } catch {
      throw BenchError(.badInput, "\(sentence("\(error)")) \(consequence)")
    }
  }
}
