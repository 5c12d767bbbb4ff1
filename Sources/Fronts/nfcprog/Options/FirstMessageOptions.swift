import ArgumentParser
import Bench
import NDEF

/// The message that a command which formats writes in the same pass.
struct FirstMessageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write this URL in the same pass.", valueName: "url"))
  var url: String?

  /// The message, nil without `--url`, and what was changed in the URL. Fails with `badInput` for
  /// text that is not a URL.
  func message() throws(BenchError) -> (message: Message?, remarks: InputRemarks) {
    guard let url else { return (nil, InputRemarks()) }
    let link = try MessageArguments.link(url)
    return (Message(link.record.record), link.remarks)
  }
}
