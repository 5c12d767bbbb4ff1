import ArgumentParser
import BenchKit
import Provisioning
import TagMemory
import TagProgramming

struct ResetSDM: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-sdm",
    abstract: "Reset an NTAG 424 DNA to its delivered state: no message, all-zero keys.",
    discussion: """
      Needs the tag's keys. A random UID, LRP, a watched loop, and what --lock made read-only stay: they cannot be undone. After an \
      interruption, run the same command again to finish.
      """)

  struct HeldKeys: ParsableArguments {
    @Option(help: ArgumentHelp("The file with the keys that the tag has.", valueName: "file"))
    var keys: String

    @Option(
      help: ArgumentHelp(
        "The journal of the series: the keys must be those that it names.", valueName: "file"))
    var journal: String?
  }

  @OptionGroup(title: "NTAG 424 DNA") var held: HeldKeys

  @OptionGroup var options: TagOptions

  func job() throws(BenchError) -> Job {
    let ring = try KeyRings.read(held.keys)
    if let path = held.journal { try requireKeys(ring.identity, in: path) }
    return .resetSDM(Personalisation(keys: .delivered, before: ring))
  }

  /// Fails with `badInput` where no tag of the journal has these keys: a tag counts wrong ones.
  private func requireKeys(_ keys: KeyRing.Identity, in path: String) throws(BenchError) {
    let named: [KeyRing.Identity]
    do throws(JournalError) {
      named = try Journal(at: path, access: .readOnly).keysGiven()
    } catch {
      throw BenchError(reading: error)
    }
    // Keys that rows of a list had are in a file of their own now, and have no master.
    let mayBeRow = keys.scheme == "fixed" && named.contains { $0.scheme == "list" }
    guard !named.contains(keys), !mayBeRow else { return }
    let list = named.isEmpty ? "no keys" : named.map { "\($0)" }.joined(separator: "; ")
    throw BenchError(
      .badInput,
      "The keys in \(held.keys) are not those of the journal. The file has \(keys); the journal names \(list). Nothing was sent to the tag."
    )
  }
}
