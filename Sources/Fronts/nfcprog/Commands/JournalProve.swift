import ArgumentParser
import Bench
import Bytes
import CardCrypto
import JSON
import LedgerSQLite
import Line
import Provisioning
import TagMemory

struct JournalProve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove", abstract: "Prove what a journal says of a tag, by a signature.",
    discussion: """
        openssl genpkey -algorithm ed25519 -out series.pem && chmod 600 series.pem
        openssl pkey -in series.pem -pubout -out series.pub
        nfcprog journal prove 04A1B2C3D4E5F6 --journal jobs.sqlite --key series.pem >proof.json
        nfcprog verify-proof proof.json --key series.pub

      Prints the tag's events and, signed, the head that they belong to. Whoever has the public key \
      can check it with nothing else.
      """)

  @Argument(help: "The tag's UID in hexadecimal digits.")
  var uid: String

  @Option(help: ArgumentHelp("The journal.", valueName: "file"))
  var journal: String

  @Option(
    help: ArgumentHelp("A private Ed25519 key in PEM, without a password.", valueName: "file"))
  var key: String

  func run() throws {
    let console = Console(json: true)
    do throws(BenchError) {
      let proof = try prove()
      console.json(proof)
      console.remark(
        "\(counted(proof.events.count, "event")) of \(UID(proof.uid.bytes)), of \(proof.head.events) in the journal. Head: \(proof.head.digest)"
      )
    } catch {
      throw ExitCode(console.fail("journal", error).rawValue)
    }
  }

  private func prove() throws(BenchError) -> SeriesProof {
    guard let bytes = try? Hex.bytes(uid), [4, 7, 8, 10].contains(bytes.count) else {
      throw BenchError(.usage, "\(uid) is no UID: give its 4, 7, 8 or 10 bytes in hexadecimal.")
    }
    guard !PoolSeries.isPool(journal) else {
      throw BenchError(
        .usage,
        "Events are sealed in the journal of the bench that made them. Give its file, and not the database."
      )
    }
    try Files.requireSecret(key)
    guard let signer = Ed25519Key(privatePEM: try Files.read(key)) else {
      throw BenchError(
        .badInput,
        "\(key) has no private Ed25519 key in PEM without a password. Make one: openssl genpkey -algorithm ed25519 -out \(key)"
      )
    }
    let proof: SeriesProof?
    do throws(JournalError) {
      proof = try Journal(at: journal, access: .readOnly).prove(UID(bytes), signing: signer)
    } catch {
      throw BenchError(reading: error)
    }
    guard let proof else {
      throw BenchError(.refused, "\(journal) says nothing of \(UID(bytes)), so nothing is proved.")
    }
    return proof
  }
}

extension SeriesProof: OutputDocument {}
