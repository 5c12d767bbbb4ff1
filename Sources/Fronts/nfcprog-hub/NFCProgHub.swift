import ArgumentParser
import Bytes
import Foundation
import HTTPServing
import HubKit
import HubServer
import LedgerPostgreSQL
import LedgerSQLite
import Provisioning

@main
struct NFCProgHub: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nfcprog-hub", abstract: "Show the line in a browser.",
    discussion: """
      Shows a journal of `nfcprog provision` while it is worked on, or all batches of a pool. It only reads a \
      journal; in a pool, batches can be made, extended and closed. Its API is described at /openapi.json.

      The password of the database comes from ~/.pgpass, from the file that PGPASSFILE names, or from PGPASSWORD.

      Exit status: 0 after Ctrl-C or SIGTERM, 64 wrong options or address, 65 no journal of nfcprog, 66 no such file or \
      batch, 69 the address is in use, or the database does not answer or does not let the hub in, 78 a hub that would \
      be open to others, or a database without nfcprog's tables.
      """,
    version: HubVersion.text)

  @Argument(help: ArgumentHelp("The journal, or a pool's address.", valueName: "file|address"))
  var source: String?

  @Option(
    help: ArgumentHelp("The same, as nfcprog's commands name it.", valueName: "file|address"))
  var journal: String?

  @OptionGroup(title: "Access") var access: AccessOptions

  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      // The parser's own texts repeat arguments.
      let (code, text) = (exitCode(for: error), fullMessage(for: error))
      if !text.isEmpty { write(text, to: code.isSuccess ? .standardOutput : .standardError) }
      Foundation.exit(code.rawValue)
    }
  }

  func validate() throws {
    guard (source == nil) != (journal == nil) else {
      throw ValidationError("Name one journal, or one pool: <file|address>.")
    }
  }

  mutating func run() async throws {
    guard let journal = source ?? journal else { return }
    PoolSeries.takeWarnings { Self.say("Warning: \($0)") }
    do throws(ServerMistake) {
      let settings = try access.settings()
      let store = try Self.open(journal)
      let remark = settings.remark(takesBatches: store.takesBatches)
      let (source, address) = (Self.name(of: journal), settings.address)
      try await HubApplication.run(store, settings) { port in
        let place = ListenAddress(host: address.host, port: port).text
        Self.say("http://\(place)/ shows \(source)")
        if let remark { Self.say(remark) }
      }
    } catch {
      Self.say(error.text)
      throw ExitCode(error.code.status)
    }
  }

  private static func open(_ journal: String) throws(ServerMistake) -> any HubStore {
    do throws(JournalError) {
      return try openHubStore(journal: journal)
    } catch {
      let code: ServerMistake.Code =
        switch error {
        case .missing, .cannotOpen: .noInput
        case .pool(.badAddress, _): .usage
        case .pool(.away, _), .pool(.notAllowed, _), .pool(.failed, _), .busy: .unavailable
        case .pool(.noBatch, _): .noInput
        case .pool: .configuration
        default: .badInput
        }
      throw ServerMistake(code, "\(error)")
    }
  }

  /// Without a password.
  private static func name(of journal: String) -> String {
    (try? PoolAddress(parsing: journal, needsBatch: false))?.description ?? journal
  }

  private static func say(_ text: String) {
    // Paths, addresses and what a database says are anybody's.
    write("nfcprog-hub: \(text)", to: .standardError)
  }

  private static func write(_ text: String, to file: FileHandle) {
    try? file.write(contentsOf: Data((text.escapingControlsInLines + "\n").utf8))
  }
}
