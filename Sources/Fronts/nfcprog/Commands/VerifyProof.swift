import ArgumentParser
import Bench
import Bytes
import CardCrypto
import Foundation
import JSON
import LedgerSQLite
import SeriesReports
import TagMemory

struct VerifyProof: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify-proof", abstract: "Check a proof of what a journal says of a tag.",
    discussion: """
        nfcprog verify-proof proof.json --key series.pub
        nfcprog verify-proof proof.json --key series.pub --journal jobs.sqlite

      With --journal it also says whether the journal still holds all that was signed: an event that \
      was changed, moved or put in, a journal that was rolled back or went on as a copy. Exit status 0 for a proof, 77 for none, 65 for a file \
      that is none.
      """)

  @Argument(help: "The proof; - is standard input.")
  var file: String

  @Option(
    help: ArgumentHelp(
      "The public Ed25519 key of whoever has signed it, in PEM.", valueName: "file"))
  var key: String

  @Option(help: ArgumentHelp("The journal, if it is at hand.", valueName: "file"))
  var journal: String?

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  func run() throws {
    let console = Console(json: json)
    do throws(BenchError) {
      let proof = try read()
      let faults = try faults(of: proof)
      if faults.isEmpty { return show(proof, console) }
      let sentence = "\(UID(proof.uid.bytes)): no proof. " + faults.joined(separator: " ")
      if json { console.json(ProvedJSON(proof, faults, sentence, limits: Self.limits)) }
      console.complain("nfcprog: \(sentence)")
    } catch {
      throw ExitCode(console.fail("verify-proof", error).rawValue)
    }
    throw ExitCode(ExitStatus.refused.rawValue)
  }

  /// What it does not prove.
  private static let limits =
    "Not proved: that the journal says nothing else of the tag (--journal shows that), that the tag holds this now, that its UID is on no other tag, and that what the journal was told is true."

  private func show(_ proof: SeriesProof, _ console: Console) {
    if json { return console.json(ProvedJSON(proof, [], nil, limits: Self.limits)) }
    console.result(
      "\(UID(proof.uid.bytes)): proved, as signed with head \(proof.head.digest)")
    for event in proof.events { console.result("  \(Self.line(event))") }
    console.remark(Self.limits)
  }

  private static func line(_ event: SealedEvent) -> String {
    var words = [
      Date(milliseconds: event.startedAt).reportText, event.kind.escapingControls,
      event.job.map { "job \($0)" },
      event.link.map(\.escapingControls),
    ]
    words.removeAll { $0 == nil }
    return words.compactMap(\.self).joined(separator: "  ")
  }

  private func faults(of proof: SeriesProof) throws(BenchError) -> [String] {
    guard let owner = Ed25519Key(publicPEM: try Files.read(key)) else {
      throw BenchError(
        .badInput,
        "\(key) has no public Ed25519 key in PEM. It is made of the private one: openssl pkey -in series.pem -pubout -out \(key)"
      )
    }
    let faults = proof.faults(owner)
    guard faults.isEmpty, let journal else { return faults }
    do throws(JournalError) {
      return try Journal(at: journal, access: .readOnly).contradictions(to: proof)
        .map { "\(journal): \($0)" }
    } catch {
      throw BenchError(reading: error)
    }
  }

  private func read() throws(BenchError) -> SeriesProof {
    let bytes = try Files.read(file)
    do {
      return try JSONDecoder().decode(SeriesProof.self, from: Data(bytes))
    } catch {
      throw BenchError(.badInput, "\(file) is no proof that journal prove has made.")
    }
  }
}

/// What a proof says, and whether it is one: `verify-proof`.
struct ProvedJSON: OutputDocument {
  var uid: String
  var proved: Bool
  var faults: [String]
  /// Those of the tag; of no proof none.
  var events: [SealedEvent]
  var head: String
  var notProved: String
  var failure: FailureJSON?

  init(_ proof: SeriesProof, _ faults: [String], _ sentence: String?, limits: String) {
    (uid, proved) = (UID(proof.uid.bytes).hex, faults.isEmpty)
    (self.faults, events) = (faults, faults.isEmpty ? proof.events : [])
    (head, notProved) = (proof.head.digest, limits)
    failure = sentence.map { FailureJSON(code: ExitStatus.refused.rawValue, message: $0) }
  }
}
