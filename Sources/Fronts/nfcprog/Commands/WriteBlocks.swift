import ArgumentParser
import Bench
import Bytes
import TagMemory
import TagProgramming

struct WriteBlocks: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "write-blocks", abstract: "Write raw blocks of a MIFARE Classic.",
    usage: """
      nfcprog write-blocks --block <n> <hex> ... [--force]
      nfcprog write-blocks --start <n> --file <file> [--force]
      """,
    discussion: """
        nfcprog write-blocks --block 60 00112233445566778899AABBCCDDEEFF

      Sector trailers and the blocks of the directory are refused without --force: a trailer can close its sector permanently. \
      Block 0 and invalid access bits are always refused. Give keys that are not public with --key.
      """)

  @Option(help: ArgumentHelp("The first block to write.", valueName: "n"))
  var block: Int?

  @Argument(help: "16 bytes per block in hexadecimal, block after block.")
  var hex: [String] = []

  @Option(help: ArgumentHelp("The first block to write from --file.", valueName: "n"))
  var start: Int?

  @Option(help: ArgumentHelp("The blocks' bytes.", valueName: "file"))
  var file: String?

  /// The operator's permission.
  struct Leave: ParsableArguments {
    @Flag(help: "Also write sector trailers and the directory.")
    var force = false
  }

  @OptionGroup(title: "Tag") var leave: Leave

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  var consent: NamedFile.Consent { .filesAndTags(leave.force) }

  func validate() throws {
    let inPlace = block != nil && !hex.isEmpty && start == nil && file == nil
    let fromFile = start != nil && file != nil && block == nil && hex.isEmpty
    guard inPlace || fromFile else {
      throw ValidationError("Give --block N and the bytes, or --start N and --file FILE.")
    }
    guard (0...255).contains(block ?? start ?? 0) else {
      throw ValidationError("Blocks are numbered 0 to 255.")
    }
    guard !inPlace || Self.blocks(hex) != nil else {
      throw ValidationError("A block has 16 bytes: 32 hexadecimal digits.")
    }
  }

  func job() throws(BenchError) -> Job {
    if let start, let file {
      let bytes = try Files.read(file)
      guard !bytes.isEmpty, bytes.count.isMultiple(of: Block.byteCount) else {
        throw BenchError(
          .badInput,
          "\(file) has \(counted(bytes.count, "byte")); whole blocks of 16 bytes are needed.")
      }
      return .writeBlocks(BlockWrite(start: start, bytes: bytes, force: leave.force))
    }
    return .writeBlocks(
      BlockWrite(start: block ?? 0, bytes: Self.blocks(hex) ?? [], force: leave.force))
  }

  /// The bytes of `texts`; nil when one is not hexadecimal or they make no whole blocks.
  private static func blocks(_ texts: [String]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for text in texts {
      guard let more = try? Hex.bytes(text) else { return nil }
      bytes += more
    }
    return !bytes.isEmpty && bytes.count.isMultiple(of: Block.byteCount) ? bytes : nil
  }
}
