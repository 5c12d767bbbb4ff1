import ArgumentParser
import LibNFCReaders

struct Readers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "readers", abstract: "List the readers and say whether they can be opened.")

  @Flag(help: "Open each one and print its firmware.")
  var check = false

  @Flag(help: "Print one JSON object per reader on standard output, nothing else.")
  var json = false

  func run() throws {
    let console = Console(json: json)
    let found = Discovery().readers()
    // A UART of the computer may lead anywhere: it is opened only when it is named.
    let states = found.map { ReaderState($0, check: check && $0.isLikely) }
    for state in states {
      if json { console.json(JSONLine.text(ReaderJSON(state))) }
      if !json { for line in ReaderText.lines(state) { console.result(line) } }
    }
    if found.isEmpty {
      console.complain(
        "No reader was found. A PN532 on a serial adapter shows up as /dev/ttyUSB0 or the like; is it plugged in?"
      )
      throw ExitCode(ExitStatus.unavailable.rawValue)
    }
    if check, !states.contains(where: { $0.firmware != nil }) {
      throw ExitCode(ExitStatus.unavailable.rawValue)
    }
  }
}
