import ArgumentParser

struct Clone: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy a wake-app tag's message to every tag that follows.",
    discussion: """
      Reads a tag or a file, makes sure that it wakes an app, and writes its message, byte for byte, onto one tag \
      after another: any type, blank ones are formatted, each is read back. The source is never written, and no tag twice. \
      A tag that cannot be written is named, and the run goes on.

      Ends after --count good tags; without it at Ctrl-C, or when no tag comes within --timeout: with 0 if any \
      tag was written, else with 75. Try it: --reader sim:ntag213,file=a.tag,then=ntag215,file=b.tag
      """)

  @Option(help: ArgumentHelp("End after this many good tags.", valueName: "n"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Copy what a file holds: a message, the output of read --json, a virtual tag, or a dump (.bin, .mfd).",
      valueName: "file"))
  var from: String?

  @Flag(help: "Copy any message, even one that does not wake an app.")
  var anyContent = false

  @Flag(help: "Write even if a tag holds other data (neither blank nor NDEF); the data are lost.")
  var overwrite = false

  @OptionGroup(title: "Tag") var classic: SectorOptions

  @OptionGroup(title: "iPhone app") var claim: ClaimOptions

  @OptionGroup(title: "Android app") var android: AndroidOptions

  @OptionGroup(title: "Tag") var seal: SealOptions

  @OptionGroup(title: "Tag") var reel: ReelOptions

  @OptionGroup var options: TagOptions

  func validate() throws {
    guard count ?? 1 >= 1 else { throw ValidationError("--count takes 1 or more.") }
    guard !(anyContent && (claim.isGiven || android.isGiven)) else {
      throw ValidationError(
        "--any-content copies what no app may ask for; leave --aasa, --app-id, --entitlement and --android-app out."
      )
    }
  }

  func run() throws {
    let status = CloneRun(clone: self).perform()
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
