import ArgumentParser
import Bench
import Bytes
import LedgerSQLite
import Line
import Provisioning

struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "Work on the journal of a series of tags.",
    discussion: """
        nfcprog journal verify jobs.sqlite

      A journal is a file of one machine, or a batch in a PostgreSQL database that several benches share: \
      postgresql://USER@HOST/DATABASE?batch=NAME, and whatever else libpq knows, such as sslmode=verify-full. \
      Keep the password in ~/.pgpass or PGPASSWORD.
      """,
    subcommands: [
      JournalVerify.self, JournalInit.self, JournalList.self, JournalBenches.self,
      JournalExport.self, JournalClose.self, JournalRelease.self, JournalProve.self,
    ])
}

struct JournalVerify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check a journal for inconsistencies.",
    discussion: """
        nfcprog journal verify jobs.sqlite

      Checks the file, the tables, and the jobs against their history. Nothing is changed. Exit \
      status 65 if something is wrong.
      """)

  @Argument(
    help: ArgumentHelp(
      "The journal: a file, or the address of a batch in a database.", valueName: "file|address"))
  var file: String

  @OptionGroup(title: "Output") var output: DocumentOptions

  /// Without a password.
  private var shown: String { PoolSeries.isPool(file) ? PoolSeries.shown(file) : file }

  func run() throws {
    let console = Console(json: output.json)
    let status: ExitStatus
    do throws(JournalError) {
      let journal = try Journal(at: file, access: .readOnly)
      status = show(try journal.verify(messages: true), try journal.tally(), console)
    } catch {
      status = console.fail("journal", BenchError(reading: error))
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func show(_ found: [Inconsistency], _ tally: Tally, _ console: Console) -> ExitStatus {
    if output.json { console.json(JournalJSON(shown, found, tally)) }
    for finding in found { console.result(finding.text) }
    let verdict =
      found.isEmpty
      ? "consistent: \(tally.summary)"
      : "\(counted(found.count, "contradiction"))"
    console.result(console.styled("\(shown): \(verdict)", found.isEmpty ? .good : .bad))
    return found.isEmpty ? .success : .badInput
  }
}
