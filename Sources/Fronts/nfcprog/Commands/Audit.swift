import ArgumentParser
import Bench
import LedgerSQLite
import Line
import Provisioning
import TagMemory
import TagProgramming

struct Audit: PreferringCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Check which job a tag is, and if it still holds it.",
    discussion: """
        nfcprog audit --journal jobs.sqlite

      The tag's content, type, locks, password and mirror are compared with the journal; the proofs of an \
      NTAG 424 DNA, and which tag a random UID stands for, need --keys. Exit status: 0 if the tag is what the journal says, \
      76 if it differs or is a copy of another tag, 74 if its job was never finished, 77 if not all of it can be read, \
      65 if the journal does not list it or has set it aside, or a random UID hides which tag it is. Nothing is written.

      With --count, --follow or several readers it continues with tag after tag, as nfcprog collect does.
      """)

  /// What the tag is compared with.
  struct Series: ParsableArguments {
    @Option(help: ArgumentHelp("The journal of the series.", valueName: "file|address"))
    var journal: String

    @Option(
      help: ArgumentHelp(
        "The file with the keys of NTAG 424 DNA tags, or the one that provision --export-keys made; checks their proofs.",
        valueName: "file"))
    var keys: String?

    /// The keys that proofs are checked with. Fails with `badInput` for a file that has others than
    /// the journal names.
    func proofKeys() throws(BenchError) -> (any ProofKeys)? {
      guard let keys else { return nil }
      let read = try KeyRings.readForProofs(keys)
      if let ring = read as? KeyRing { try KeyRings.require(ring.identity, of: keys, in: journal) }
      return read
    }
  }

  @OptionGroup(title: "Journal") var series: Series

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Stations") var stations: StationOptions
  @OptionGroup(title: "Stations") var following: FollowOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  func validate() throws {
    try stations.requireOneChoice(options)
    try following.requireOneEnd(stations)
  }

  private var isForSeveral: Bool {
    stations.count != nil || following.follow || stations.allReaders || options.readers.count > 1
  }

  func run(_ preferences: Preferences) throws {
    guard !isForSeveral else { return try runOverSeveral(preferences) }
    let run = CommandRun("audit", options, preferences, tagType: tagType.product)
    let status: ExitStatus
    do throws(BenchError) {
      let journal = try Self.opened(series.journal)
      let proofKeys = try series.proofKeys()
      status = run.perform(.info) { report throws(BenchError) in
        try show(report, journal, proofKeys, run.console)
      }
    } catch {
      status = run.console.fail("audit", error)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// Audits tag after tag.
  private func runOverSeveral(_ preferences: Preferences) throws {
    try CollectingCommand(
      command: "audit", options: options, stations: stations, follows: following.follow,
      preferences: preferences
    ).run { () throws(BenchError) in
      var settings = CollectingRun.Settings()
      (settings.expected, settings.demandsAll) = (series.journal, false)
      settings.keys = try series.proofKeys()
      settings.line.credentials = try options.credentials()
      return settings
    }
  }

  private static func opened(_ path: String) throws(BenchError) -> Journal {
    do throws(JournalError) {
      return try Journal(at: path, access: .readOnly)
    } catch {
      throw BenchError(reading: error)
    }
  }

  private func show(
    _ report: TagReport, _ journal: Journal, _ proofKeys: (any ProofKeys)?, _ console: Console
  ) throws(BenchError) -> ExitStatus {
    if let obstacle = report.content.obstacle {
      throw BenchError(.refused, "What the tag holds cannot be read: \(obstacle.sentence)")
    }
    guard let uid = report.target?.uid else {
      throw BenchError(.bug, "A tag was read that has no UID.")
    }
    let audit: TagAudit
    var (keys, inspection): (GivenKeys?, InspectionRecord?)
    do throws(JournalError) {
      audit = try journal.audit(TagReading(report, uid, keys: proofKeys))
      if let job = audit.job {
        keys = try journal.keys(ofJob: job)
        inspection = try journal.inspection(ofJob: job)
      }
    } catch {
      throw BenchError(reading: error)
    }
    let status = ExitStatus(failing: audit.code)
    let sentence = audit.sentence(
      reading: JournalSession.link(in: report.content.stored ?? []))
    if options.json {
      let failure = FailureJSON(code: status.rawValue, message: sentence)
      console.json(
        AuditJSON(
          report, audit, keys: keys, provedBy: proofKeys, inspection: inspection,
          failure: status == .success ? nil : failure))
    }
    let tag = [report.product?.name, uid.description].compactMap(\.self).joined(separator: " ")
    if status != .success {
      console.complain("nfcprog: \(tag): \(sentence)")
    } else if !(options.json && options.quiet) {
      console.result("\(tag): \(sentence)")
    }
    if !(options.json && options.quiet) {
      if let keys {
        let unchecked = proofKeys == nil ? " Its proofs were not checked: that needs --keys." : ""
        console.remark("Keys, as the journal has it: \(keys.keys).\(unchecked)")
      }
      if let inspection { console.remark(inspection.sentence) }
    }
    return status
  }
}
