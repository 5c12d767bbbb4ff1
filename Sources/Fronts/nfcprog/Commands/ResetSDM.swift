import ArgumentParser
import Bench
import LedgerSQLite
import Line
import Provisioning
import TagMemory
import TagProgramming

struct ResetSDM: TagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-sdm",
    abstract: "Reset an NTAG 424 DNA to its delivered state.",
    discussion: """
        nfcprog reset-sdm --keys shop.keys

      Removes the message and gives the tag keys of zeros; needs the tag's keys. A random UID, LRP, a watched loop, and what --lock made read-only stay: they cannot be undone. The message that the tag shows is saved first, in ~/.local/state/nfcprog/backups. After an \
      interruption, run the same command again to finish.
      """)

  struct HeldKeys: ParsableArguments {
    @Option(help: ArgumentHelp("The file with the keys that the tag has.", valueName: "file"))
    var keys: String

    @Option(
      help: ArgumentHelp(
        "The journal of the series: the keys must be those that it names, and it records that the tag was given back, so that its job goes to another (not in a database, whose job stays on the tag).",
        valueName: "file"))
    var journal: String?
  }

  @OptionGroup(title: "NTAG 424 DNA") var held: HeldKeys

  @OptionGroup(title: "Tag") var backups: BackupOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var loss: Loss? { .content }

  var backup: Backup? { backups.backup(byDefault: true) }

  func job() throws(BenchError) -> Job {
    let ring = try KeyRings.read(held.keys)
    if let path = held.journal { try KeyRings.require(ring.identity, of: held.keys, in: path) }
    return .resetSDM(Personalisation(keys: .delivered, before: ring))
  }

  /// Records in the journal that the tag has its job no more.
  func finish(_ report: TagReport) throws(BenchError) -> NamedFile.Saved? {
    guard let path = held.journal, report.result != .planned, let uid = report.target?.uid else {
      return nil
    }
    let console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
    guard !PoolSeries.isPool(path) else {
      console.remark(
        "The database was not changed: a job that it has on tag \(uid) stays there, and no other tag gets it."
      )
      return nil
    }
    let tag = PresentedTag(
      uid: uid, tagType: report.product?.name, station: Self._commandName,
      reader: options.reader ?? "")
    let job = try BenchError.journaled { () throws(JournalError) in
      let session = try Journal(at: path, access: .readWrite(creating: false)).begin(
        operator: CommandOrigin.loginName, command: CommandOrigin.commandLine,
        version: ProgramVersion.number)
      defer { try? session.end() }
      return try session.givenBack(tag)
    }
    console.remark(
      job.map { "In the journal job \($0.number) has no tag now: it goes to the next one." }
        ?? (uid.isRandom
          ? "The tag shows a random UID, by which the journal does not know it: the journal is as it was."
          : "The journal has no job on tag \(uid), so it is as it was."))
    return nil
  }
}
