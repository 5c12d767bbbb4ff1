import ArgumentParser
import Bench

struct Clone: PreferringCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy a wake-app tag's message to tag after tag.",
    discussion: """
        nfcprog clone --count 50
        nfcprog clone --from message.ndef --any-content --lock

      Reads a tag or a file, checks that it wakes an app, and writes its message, byte for byte, to one tag \
      after another: any type, blank ones are formatted, each is read back. The source is never written, and no tag twice. \
      A tag that cannot be written is reported, and the run continues.

      Ends after --count good tags, or at Ctrl-C, or when no tag comes within --timeout. Exit status: 0 if any \
      tag was written, else 75. Try it: --reader sim:ntag213,file=a.tag,then=ntag215,file=b.tag
      """)

  @OptionGroup(title: "Copies") var copies: CopyOptions

  @OptionGroup(title: "Tag") var replacing: ReplacingOptions

  @OptionGroup(title: "Tag", visibility: .hidden) var classic: SectorOptions

  @OptionGroup(title: "iPhone app") var link: LinkOptions

  @OptionGroup(title: "Android app", visibility: .hidden) var android: AndroidOptions

  @OptionGroup(title: "Tag") var locking: LockOptions

  @OptionGroup(title: "NTAG 424 DNA", visibility: .hidden) var proof: ProofOptions

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  @Option(help: ArgumentHelp("No option of clone.", valueName: "package", visibility: .hidden))
  var androidApp: [String] = []

  func validate() throws {
    if let app = androidApp.first {
      throw ValidationError(
        "clone copies a message as it is and makes no application record. To check that it wakes the app, give --wakes \(app)."
      )
    }
    try android.requireApp()
    try link.requireFile(android.assetlinks != nil)
    guard !(copies.anyContent && (link.isGiven || android.isGiven)) else {
      throw ValidationError(
        "--any-content copies any message, so --aasa, --app-id, --entitlement and --wakes do not go with it."
      )
    }
  }

  func run(_ preferences: Preferences) throws {
    let run = CommandRun("clone", options, preferences, tagType: tagType.product)
    try run.console.conclude("clone") { () throws(BenchError) in try perform(run) }
  }

  private func perform(_ run: CommandRun) throws(BenchError) -> ExitStatus {
    try options.requireOneReader()
    let text = CloneText("clone", console: run.console, count: copies.count)
    // All that was given is looked at before a reader is opened.
    let settings = try settings(run)
    var source: CloneSource?
    if let from = copies.from {
      let file = try CloneSource(file: from)
      text.show(file, from: from, try Cloning.verdicts(on: file, settings))
      source = file
    }
    try options.requireConsent(toLock: settings.write.lock)
    return try run.series(settings, text) { $0.run(source) }
  }

  private func settings(_ run: CommandRun) throws(BenchError) -> Cloning.Settings {
    var settings = Cloning.Settings()
    let policy = try link.load()
    settings.link = link.isGiven ? policy : nil
    settings.android = try android.load(link)
    settings.write = try locking.writeOptions(overwrite: replacing.overwrite)
    settings.write.sectors = classic.choice
    settings.write.personalisation = try proof.personalisation()
    settings.run = try run.runOptions()
    settings.count = copies.count
    settings.takesAnyContent = copies.anyContent
    return settings
  }
}
