import ArgumentParser
import BenchKit
import TagMemory
import TagProgramming

struct ResetSDM: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-sdm",
    abstract: "Give an NTAG 424 DNA back as it was delivered: no message, keys of zeros.",
    discussion: """
      The keys that the tag has are needed. A random UID stays, and so does what --lock made read-only: neither can ever be undone. \
      Run the same command again if it was interrupted.
      """)

  struct HeldKeys: ParsableArguments {
    @Option(help: ArgumentHelp("The file with the keys that the tag has.", valueName: "file"))
    var keys: String
  }

  @OptionGroup(title: "Proof") var held: HeldKeys

  @OptionGroup var options: TagOptions

  func job() throws(BenchError) -> Job {
    .resetSDM(Personalisation(keys: .delivered, before: try KeyRings.read(held.keys)))
  }
}
