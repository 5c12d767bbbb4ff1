import ArgumentParser
import Bench
import Bytes
import JSON
import LedgerSQLite
import Line
import Provisioning

/// Runs a command on a pool, and tells what stopped it. `makesFile`: it makes a journal's file.
private func onPool(
  _ console: Console, makesFile: Bool = false, _ body: () throws(JournalError) -> Void
) throws {
  do throws(JournalError) {
    try body()
  } catch {
    let failure = makesFile ? BenchError(error) : BenchError(reading: error)
    throw ExitCode(console.fail("journal", failure).rawValue)
  }
}

extension Console {
  /// Prints `document` where JSON is asked for, else `line`.
  fileprivate func tell(_ document: some OutputDocument, _ line: String) {
    // Whoever may write to the database gives names.
    if json { self.json(document) } else { result(line.escapingControls) }
  }
}

private let addressHelp: ArgumentHelp =
  "The database: postgresql://USER@HOST/DATABASE, with ?batch=NAME where one batch is meant."

struct JournalInit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make the tables of a pool in a PostgreSQL database.",
    discussion: """
      Run it once as the owner of the database, and again to give further users their rights or to bring the tables to this version. \
      A bench may not change what happened nor take jobs away; a viewer only reads; a hub that takes lists \
      (nfcprog-hub) reads, and makes, extends and closes batches. Make the users before (createuser --pwprompt USER).
      """)

  @Argument(help: addressHelp) var address: String

  @Option(help: ArgumentHelp("A user of the database for benches.", valueName: "user"))
  var bench: [String] = []

  @Option(help: ArgumentHelp("A user of the database that only reads.", valueName: "user"))
  var viewer: [String] = []

  @Option(
    help: ArgumentHelp(
      "A user of the database for a hub that makes batches.", valueName: "user"))
  var hub: [String] = []

  func run() throws {
    let console = Console(json: false)
    try onPool(console) { () throws(JournalError) in
      try PoolOperator.prepare(address, benches: bench, viewers: viewer, hubs: hub)
      let users =
        bench.map { "\($0) (bench)" } + viewer.map { "\($0) (viewer)" } + hub.map { "\($0) (hub)" }
      console.result(
        "\(PoolSeries.shown(address)): the tables are ready"
          + (users.isEmpty ? "." : "; rights given to \(users.joined(separator: ", "))."))
    }
  }
}

struct JournalList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the batches of a pool.")

  @Argument(help: addressHelp) var address: String

  @Flag(help: "Print JSON Lines on standard output: an object for each batch.")
  var json = false

  func run() throws {
    let console = Console(json: json)
    try onPool(console) { () throws(JournalError) in
      for batch in try PoolOperator.batches(address) {
        console.tell(
          PoolBatchJSON(batch.name, batch.source, batch.jobs),
          "\(batch.name): \(counted(batch.jobs, "job")) of \(batch.source)")
      }
    }
  }
}

struct JournalBenches: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benches", abstract: "List the benches of a batch and the jobs that they have.")

  @Argument(help: addressHelp) var address: String

  @Flag(help: "Print JSON Lines on standard output: an object for each bench.")
  var json = false

  func run() throws {
    let console = Console(json: json)
    try onPool(console) { () throws(JournalError) in
      for bench in try PoolOperator.benches(address) {
        console.tell(
          PoolBenchJSON(
            bench.name, isAtWork: bench.isAlive, bench.claimed, bench.bound, bench.written),
          "\(bench.name): \(bench.isAlive ? "at work" : "silent"), \(bench.claimed) claimed, \(bench.bound) begun, \(bench.written) finished"
        )
      }
    }
  }
}

struct JournalExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy a batch of a pool to a journal's file.",
    discussion: """
      The file is the batch as it is at one moment: it can be reported, verified and audited without the database. \
      Do not provision with it while benches work on the pool.
      """)

  @Argument(help: addressHelp) var address: String

  @Argument(help: "The file; it must not exist.") var file: String

  func run() throws {
    let console = Console(json: false)
    try onPool(console, makesFile: true) { () throws(JournalError) in
      try Journal.export(address, to: file)
      console.result("Written: \(file)")
    }
  }
}

struct JournalClose: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Close a batch of a pool: benches claim no more of its jobs.",
    discussion: """
      Benches finish the tags that they have begun; a bench that waits for rows (provision --follow) then ends. \
      The batch takes no more rows and cannot be opened again. \
      Give a user that may close batches: the owner of the tables, or a hub's (journal init --hub).
      """)

  @Argument(help: addressHelp) var address: String

  func run() throws {
    let console = Console(json: false)
    try onPool(console) { () throws(JournalError) in
      try PoolOperator.close(address)
      console.result("\(PoolSeries.shown(address)): the batch is closed.")
    }
  }
}

struct JournalRelease: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Give the jobs of a bench that does not come back to others.",
    discussion: """
      Only for a bench that is lost with its disk: collect and destroy the tags that it had begun, as their jobs are put on other tags. \
      A bench that was only switched off continues by itself. Refused while the bench is at work. \
      Give a user that may do so: the owner of the tables, or a bench's (journal init --bench).
      """)

  @Argument(help: addressHelp) var address: String

  @Option(help: ArgumentHelp("The bench, as `journal benches` names it.", valueName: "name"))
  var bench: String

  func run() throws {
    let console = Console(json: false)
    var count: Int?
    try onPool(console) { () throws(JournalError) in
      count = try PoolOperator.release(address, bench: bench)
    }
    guard let count else {
      let error = BenchError(
        .unavailable, "The bench \(bench) is at work: end its program first. Nothing was released.")
      throw ExitCode(console.fail("journal", error).rawValue)
    }
    console.result("\(count == 1 ? "1 job waits" : "\(count) jobs wait") for a tag again.")
  }
}
