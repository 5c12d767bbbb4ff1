import ArgumentParser
import BenchKit
import NDEF
import TagProgramming

struct FormatFeliCa: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "format-felica", abstract: "Make a FeliCa Lite or Lite-S an NDEF tag.",
    discussion: """
      A tag that holds data and is not NDEF is refused; use --overwrite to replace them. A tag whose \
      memory configuration is closed is refused: it can never become an NDEF tag.
      """)

  @Option(help: ArgumentHelp("Write this URL in the same pass.", valueName: "url"))
  var url: String?

  @Flag(help: "Do not check for data on the tag; any data are lost.")
  var overwrite = false

  @OptionGroup var options: TagOptions

  func prepare(_ arguments: [String]) throws(BenchError) -> Preparation {
    var format = FeliCaFormat()
    var remarks = InputRemarks()
    if let url {
      let link = try MessageArguments.link(url)
      format.message = Message(link.record.record)
      remarks = link.remarks
    }
    format.overwrite = overwrite
    return Preparation(.formatFeliCa(format), remarks)
  }
}
