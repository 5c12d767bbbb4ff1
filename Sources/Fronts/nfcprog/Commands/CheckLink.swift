import AppLinks
import ArgumentParser
import Bench
import NDEF
import RecordText
import TagProgramming
import UniversalLinks

struct CheckLink: PreferringCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-link",
    abstract: "Check if a link wakes an app, and which rule decides.",
    discussion: """
        nfcprog check-link https://example.com/t/1 --aasa aasa --domain example.com
        nfcprog check-link --tag --aasa aasa --domain example.com

      Exit status: 0 if the link wakes the app (any app, without --app-id; with --wakes, on each version of Android asked \
      for), 65 if it does not, or if that is not certain, 75 if the servers did not answer. A file counts for the hosts of \
      --domain or --entitlement. iPhone XS, XR and later read tags by themselves, iPhone 7, 8 and X with NFC Tag Reader in \
      Control Center.
      """)

  @Argument(help: "The link.")
  var url: String?

  @Flag(help: "Check the link on the tag on the reader.")
  var tag = false

  @OptionGroup(title: "iPhone app") var link: LinkOptions

  @OptionGroup(title: "Android app") var android: AndroidOptions

  @Option(
    help: ArgumentHelp(
      "An application record behind the link, as `write --android-app` makes it (repeatable; without a package: of the app of --wakes).",
      valueName: "package"))
  var androidRecord: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --wakes: the same as --android-record. Without it: the app to check.",
      valueName: "package", visibility: .hidden))
  var androidApp: [String] = []

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  func validate() throws {
    guard tag != (url != nil) else {
      throw ValidationError("Give either a URL or --tag.")
    }
    if app == nil || android.isGiven {
      try android.requireApp(recorded: android.isGiven ? androidApp : [])
    }
    guard android.isGiven || androidApp.count <= 1 else {
      throw ValidationError(
        "Give the app to check with --wakes, and its records with --android-record.")
    }
    guard records.isEmpty || url != nil else {
      throw ValidationError("--android-record goes with a URL: a tag has its own records.")
    }
    guard app != nil || !records.contains(BareRecord.sign) else {
      throw ValidationError(
        "--android-record without a package is a record of the app of --wakes: give --wakes, or the package."
      )
    }
    try link.requireFile(android.assetlinks != nil)
  }

  func run(_ preferences: Preferences) throws {
    let status = if let url { check(url) } else { checkTag(preferences) }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// The app that is to be woken.
  private var app: String? { android.wakes ?? androidApp.first }

  /// The apps that application records behind the link name.
  private var records: [String] { (android.isGiven ? androidApp : []) + androidRecord }

  private var console: Console {
    Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
  }

  private func check(_ url: String) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let url = try MessageArguments.address(url)
      let check = try link.load().checkWithSite(BackgroundReading(uri: url))
      let phone = try android.load(link, app: app)
      let message = try message(url, app: phone?.app.packageName)
      return show(check, message.flatMap { message in phone?.check(message) }, on: nil)
    } catch {
      return console.fail("check-link", error)
    }
  }

  /// The link as a tag would have it, with its application records; nil where the URL is none,
  /// which the other verdict says.
  private func message(_ url: String, app: String?) throws(BenchError) -> Message? {
    guard let link = try? AddressArgument.record(url) else { return nil }
    do throws(NDEFError) {
      var all = [link.record.record]
      for name in records {
        let name = name == BareRecord.sign ? app ?? "" : name
        all.append(try AndroidApplicationRecord(name).record)
      }
      return try Message(all)
    } catch {
      throw BenchError(.badInput, sentence("\(error)"))
    }
  }

  private func checkTag(_ preferences: Preferences) -> ExitStatus {
    let policy: LinkPolicy
    let phone: AndroidLinkPolicy?
    do throws(BenchError) {
      try options.requireOneReader()
      policy = try link.load()
      phone = try android.load(link, app: app)
    } catch {
      return console.fail("check-link", error)
    }
    return CommandRun("check-link", options, preferences).perform(.info) {
      report throws(BenchError) in
      guard let reading = BackgroundReading(report), let target = report.target else {
        throw BenchError(
          .badInput, "This type of tag is not known, so its message cannot be read.")
      }
      let check = try policy.checkWithSite(reading)
      let droid = phone?.check(report.message)
      return show(
        check, droid, on: (uid: target.uid.hex, tag: report.product?.name ?? ""))
    }
  }

  /// Prints the verdicts; both have to be good, but the iPhone's where an Android app alone was
  /// asked for: then nothing of it is an error.
  private func show(
    _ iPhone: LinkCheck, _ droid: AppLinkCheck?, on tag: (uid: String, tag: String)?
  ) -> ExitStatus {
    let isAsked = link.isGiven || droid == nil
    let check = isAsked ? iPhone : iPhone.beside
    if options.json {
      console.json(LinkCheckJSON(check, android: droid, uid: tag?.uid, tag: tag?.tag))
    }
    if !(options.json && options.quiet) {
      console.result(console.styled(check.description, check.wakesApp ? .good : .bad))
      for line in check.explanation { console.result("  " + line) }
      if let remedy = check.remedy { console.result("  " + RemedyText.sentence(remedy)) }
      if check.wakesApp {
        console.result("  \(PhoneText.models)")
      }
      if let droid {
        for (index, line) in droid.lines.enumerated() {
          console.result(index == 0 ? console.styled(line, droid.wakesApp ? .good : .bad) : line)
        }
        for line in Self.table(check, droid) { console.result(line) }
      }
    }
    let status = isAsked ? ExitStatus(failing: check.code) : .success
    return status != .success ? status : ExitStatus(failing: droid?.code)
  }

  /// Both platforms side by side.
  private static func table(_ check: LinkCheck, _ droid: AppLinkCheck) -> [String] {
    [
      "",
      "platform  wakes     opens",
      "iPhone    \(word(check.wakesApp, check.opens == .unknown))  \(check.opens.rawValue)",
      "Android   \(word(droid.wakesApp, droid.opens == .unknown))  \(droid.opens.rawValue)",
    ]
  }

  private static func word(_ wakes: Bool, _ isUnknown: Bool) -> String {
    wakes ? "yes     " : isUnknown ? "unknown " : "no      "
  }
}
