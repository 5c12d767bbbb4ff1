import ArgumentParser
import Bench
import Bytes
import TagProgramming

struct WritePages: TypedTagCommand {
  static let configuration = CommandConfiguration(
    commandName: "write-pages", abstract: "Write raw pages of an Ultralight or NTAG.",
    usage: """
      nfcprog write-pages --page <n> <hex> ... [--force]
      nfcprog write-pages --start <n> --file <file> [--force]
      """,
    discussion: """
        nfcprog write-pages --page 20 01020304

      Pages that hold the UID, lock bits, OTP or the capability container, or configuration are \
      refused without --force: such writes may be permanent.
      """)

  @Option(help: ArgumentHelp("The first page to write.", valueName: "n"))
  var page: Int?

  @Argument(help: "Four bytes per page in hexadecimal, page after page.")
  var hex: [String] = []

  @Option(help: ArgumentHelp("The first page to write from --file.", valueName: "n"))
  var start: Int?

  @Option(help: ArgumentHelp("The pages' bytes.", valueName: "file"))
  var file: String?

  /// The operator's permission.
  struct Leave: ParsableArguments {
    @Flag(help: "Also write pages that can make the tag unusable.")
    var force = false
  }

  @OptionGroup(title: "Tag") var leave: Leave

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  var consent: NamedFile.Consent { .filesAndTags(leave.force) }

  func validate() throws {
    let inPlace = page != nil && !hex.isEmpty && start == nil && file == nil
    let fromFile = start != nil && file != nil && page == nil && hex.isEmpty
    guard inPlace || fromFile else {
      throw ValidationError("Give --page N and the bytes, or --start N and --file FILE.")
    }
    guard (0...511).contains(page ?? start ?? 0) else {
      throw ValidationError("Pages are numbered 0 to 511, from 256 on in an NTAG I2C's sector 1.")
    }
    guard !inPlace || Self.pages(hex) != nil else {
      throw ValidationError("A page has four bytes: 8 hexadecimal digits.")
    }
  }

  func job() throws(BenchError) -> Job {
    if let start, let file {
      let bytes = try Files.read(file)
      guard !bytes.isEmpty, bytes.count.isMultiple(of: 4) else {
        throw BenchError(
          .badInput,
          "\(file) has \(counted(bytes.count, "byte")); whole pages of four bytes are needed.")
      }
      return .writePages(PageWrite(start: start, bytes: bytes, force: leave.force))
    }
    return .writePages(
      PageWrite(start: page ?? 0, bytes: Self.pages(hex) ?? [], force: leave.force))
  }

  /// The bytes of `texts`; nil when one is not hexadecimal or they make no whole pages.
  private static func pages(_ texts: [String]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for text in texts {
      guard let more = try? Hex.bytes(text) else { return nil }
      bytes += more
    }
    return !bytes.isEmpty && bytes.count.isMultiple(of: 4) ? bytes : nil
  }
}
