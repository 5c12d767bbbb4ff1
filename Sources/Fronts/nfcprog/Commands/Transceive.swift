import ArgumentParser
import Bench
import Bytes
import Readers
import TagProgramming

struct Transceive: RawCommandLine, FilesCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send a tag's own commands, such as 3004.",
    discussion: """
        nfcprog transceive 60 3004

      Each argument is one command, without its CRC: 30 (read), A2 (write a page), 3A (fast read), 3C (signature), 39 (counter), 60 \
      (version), 1B (password); 60 or 61, block and key open a MIFARE Classic sector, 30 and A0 read and write its blocks; 06 and 08 read and \
      write FeliCa blocks (missing length and IDm are added). The command does not read \
      back what it writes, and it does not refuse what cannot be undone: write-pages and write-url do.
      """)

  @Argument(help: ArgumentHelp("The commands in hexadecimal.", valueName: "hex"))
  var hex: [String] = []

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  func validate() throws {
    guard !hex.isEmpty else {
      throw ValidationError("Give a command in hexadecimal, such as 3004.")
    }
  }

  func series() throws(BenchError) -> RawSeries {
    let commands = try RawArguments.commands(hex, shortest: 1)
    if let long = commands.first(where: { $0.count > TagReader.longestCommand }) {
      throw BenchError(
        .badInput,
        "The command has \(counted(long.count, "byte")); a PN532 takes at most \(TagReader.longestCommand). Nothing was sent."
      )
    }
    return RawSeries(commands.map(RawCommand.tag))
  }
}
