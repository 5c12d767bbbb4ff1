import ArgumentParser
import Bench
import NDEF
import TagProgramming

struct WriteURL: TypedTagCommand {
  static let configuration = CommandConfiguration(
    commandName: "write-url", abstract: "Write one URL; a blank tag is formatted first.",
    discussion: """
        nfcprog write-url https://example.com/t/1
        nfcprog write-url https://example.com/t/1 --dry-run
        nfcprog write-url https://example.com/t/1 --aasa aasa --domain example.com

      With --aasa, --app-id or --wakes, the tag is written only if the URL wakes the app.
      """)

  @Argument(help: "The URL; invalid characters are encoded and reported.")
  var url: String

  @Option(help: ArgumentHelp("Write so many tags, each once.", valueName: "n"))
  var count: Int?

  @OptionGroup(title: "Message", visibility: .hidden) var content: ContentOptions

  @OptionGroup(title: "iPhone app") var link: LinkOptions

  @OptionGroup(title: "Android app", visibility: .hidden) var android: AndroidOptions

  @Option(
    help: ArgumentHelp("An Android application record behind the URL.", valueName: "package"))
  var androidApp: [String] = []

  @OptionGroup(title: "Tag") var leave: LeaveOptions

  @OptionGroup(title: "Tag", visibility: .hidden) var classic: SectorOptions

  @OptionGroup(title: "Tag") var locking: LockOptions

  @OptionGroup(title: "NTAG 424 DNA", visibility: .hidden) var proof: ProofOptions

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  var consent: NamedFile.Consent { .filesAndTags(leave.force) }

  var showsPhone: Bool { link.isGiven }

  var loss: Loss? { locking.lock ? .writeAccess : nil }

  func validate() throws {
    guard count ?? 1 >= 1 else { throw ValidationError("--count takes 1 or more.") }
    try android.requireApp(recorded: androidApp)
    try link.requireFile(android.assetlinks != nil)
  }

  func prepare(_ arguments: [String]) throws(BenchError) -> Preparation {
    let mirrored = try MirrorPlace.expand(url)
    guard mirrored.content == nil || !proof.sdm else {
      throw BenchError(
        .badInput,
        "A mirror, such as {mirror:uid}, is for an NTAG 21x, and --sdm for an NTAG 424 DNA. Nothing was written."
      )
    }
    let url = mirrored.text
    guard proof.sdm || !proof.isTemplate(url) else {
      throw BenchError(
        .badInput,
        "The URL has a place that an NTAG 424 DNA fills in, such as {picc}: give --sdm --keys FILE with it. Nothing was written."
      )
    }
    let (address, personalisation) = try proof.expand(url)
    var (record, remarks) = try MessageArguments.link(address)
    try content.insist(on: record.uri)
    let message = try message(record)
    var options = try locking.writeOptions(overwrite: leave.overwrite, force: leave.force)
    options.sparesMessage = leave.ifEmpty
    options.sectors = classic.choice
    options.personalisation = personalisation
    options.mirror = try mirrored.place(in: message)
    try locking.requireMirror(options.mirror != nil)
    guard options.mirror != nil || personalisation != nil else {
      remarks.link = try link.insist(on: record.uri)
      remarks.android = try android.load(link)?.insist(on: message, otherwise: Self.consequence)
      return Preparation(.write(message, options), remarks)
    }
    var preparation = Preparation(.write(message, options), remarks)
    preparation.demand = try demand(message, options)
    return preparation
  }

  private static let consequence = "Nothing was written."

  /// Which link it is shows when the tag lies there; what is wrong with every one is said before.
  private func demand(
    _ message: Message, _ options: WriteOptions
  ) throws(BenchError) -> LinkDemand? {
    guard link.isGiven || android.isGiven else { return nil }
    let demand = LinkDemand(
      link.isGiven ? try link.load() : nil, try android.load(link))
    _ = try demand.insist(
      on: VaryingMessage(
        message.serialize(), mirror: options.mirror,
        provesItself: options.personalisation != nil, uid: nil),
      otherwise: Self.consequence)
    return demand
  }

  /// The URL, and behind it the application records.
  private func message(_ link: URIRecord) throws(BenchError) -> Message {
    do throws(NDEFError) {
      var records = [link.record]
      for app in androidApp { records.append(try AndroidApplicationRecord(app).record) }
      return try Message(records)
    } catch {
      throw BenchError(.badInput, "\(sentence("\(error)")) Nothing was written.")
    }
  }
}
