import ArgumentParser
import Bench
import JSON
import NDEF
import PN532Simulator

struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Run a board with virtual tags on a pseudo-terminal.",
    discussion: """
        nfcprog simulate ntag213 classic1k
        nfcprog simulate --trace-file session.trace  # answers as that board did
        nfcprog simulate --phone iphone+android  # telephones for emulate

      The board is a PN532. Prints the path that any PN532 software can open, and runs until it is interrupted; files are \
      saved with every write. The TAGs follow one another, each after the one before was used; a+b are there together, a*500 is \
      a series; TAGs with the same file are the same tag, presented again; without a TAG the board stays empty. Keys: uid=HEX, file=PATH, content=factory|blank; chip=clone, halts=no and others make a board or a tag that differs from its data sheet.
      """)

  @Argument(help: ArgumentHelp("A virtual tag, such as ntag213,file=my.tag.", valueName: "tag"))
  var tags: [String] = []

  @Option(
    help: ArgumentHelp(
      "In place of tags: answer as the board of this trace did (78 where it does not say).",
      valueName: "file"))
  var traceFile: String?

  /// Who reads the board once a program makes it a tag.
  struct TagReaders: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Telephones that read the board once a program makes it a tag, such as iphone*3+android (repeatable).",
        valueName: "kind"))
    var phone: [String] = []

    @Flag(
      help:
        "Run a second board in the same field, whose path is printed second: it finds the tag that a program makes of the first."
    )
    var pair = false
  }

  @OptionGroup(title: "The board as a tag") var tagReaders: TagReaders

  private var phone: [String] { tagReaders.phone }
  private var pair: Bool { tagReaders.pair }

  @Option(help: ArgumentHelp("A symbolic link to the pseudo-terminal.", valueName: "path"))
  var link: String?

  @Flag(help: "Answer at the speed of a real board, line, field and tag.")
  var realtime = false

  @OptionGroup(title: "Statistics") var statistics: StatisticsOptions

  func validate() throws {
    _ = try specs()
    if pair, !phone.isEmpty {
      throw ValidationError(
        "--pair and --phone: one field has one reader of the tag. Give one of them.")
    }
    if traceFile != nil, !tags.isEmpty || !phone.isEmpty || pair || realtime {
      throw ValidationError(
        "--trace-file brings its own tags and its own times: leave out the tags and --realtime.")
    }
  }

  func run() throws {
    let interruption = Interruption()
    do throws(BenchError) {
      let specs = (try? specs()) ?? []
      let file = try statistics.file()
      let simulation =
        if let traceFile {
          try SimulatedReader(replaying: try ReplayedTrace(option: traceFile), link: link)
        } else {
          try SimulatedReader(
            specs, link: link, isRealtime: realtime, onPhone: { Console().result($0.sentence) },
            onFailure: Console().complain)
        }
      Console().result(simulation.port)
      let other =
        pair
        ? try SimulatedReader(
          besidePlayer: simulation, link: link.map { path in path + "-reader" }) : nil
      if let other { Console().result(other.port) }
      interruption.wait()
      for line in simulation.script?.summary.lines ?? [] { Console().complain(line) }
      let counted = simulation.statistics
      try other?.end()
      try simulation.end()
      if let file {
        let text = JSONLine.text(StatisticsJSON(counted)) + "\n"
        Console().remark(try file.write(Array(text.utf8), isSecret: false).sentence)
      }
      if let script = simulation.script { try script.check() }
    } catch {
      Console().complain("nfcprog: \(error.message)")
      throw ExitCode(error.status.rawValue)
    }
  }

  private func specs() throws -> [SimulatedTagSpec] {
    do throws(VirtualTagError) {
      return try SimulatedTagSpec.list(tags + phone.map { "phone=\($0)" })
    } catch {
      throw ValidationError(error.description)
    }
  }
}

extension SimulatedPhone {
  /// What it has read, once it has gone.
  fileprivate var sentence: String {
    let records = message.flatMap { try? Message(parsing: $0) }?.records ?? []
    let read =
      records.isEmpty
      ? sawFeliCa ? "took the board for an empty FeliCa tag" : "left before it had read a message"
      : "read \(records.map(\.content.summary).joined(separator: ", "))"
    return "\(kind.rawValue) \(read)"
  }
}

/// Where what was asked of the board is saved.
struct StatisticsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Save statistics of the board's commands to this file, as JSON.", valueName: "file"))
  var stats: String?

  @Flag(help: "With --stats: replace a file that exists.")
  var force = false

  /// Nil where nothing is saved.
  func file() throws(BenchError) -> NamedFile? {
    try stats.map { path throws(BenchError) in try NamedFile(path, .files(force)) }
  }
}
