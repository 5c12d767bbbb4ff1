import ArgumentParser
import Bench
import Bytes

struct ReportProblem: PreferringCommand {
  static let configuration = CommandConfiguration(
    commandName: "report-problem",
    abstract: "Collect what a problem report needs in one file.",
    discussion: """
        nfcprog report-problem
        nfcprog report-problem --replayable --trace session.trace

      The file has the version, the readers, the settings, the system and the last trace. Nothing is sent. Keys and \
      passwords are left out; read the file before you send it. Run the command that failed with --trace FILE first. \
      --replayable writes the trace alone, as a board that answers as yours did.
      """)

  @OptionGroup(title: "Report") var report: ProblemOptions

  @OptionGroup(title: "Output") var output: DocumentOptions

  func run(_ preferences: Preferences) throws {
    let console = Console(json: output.json)
    do throws(BenchError) {
      let trace = report.trace ?? LastTrace(Console.environment).path
      let name = report.replayable ? report.replayableOutput : report.output
      let file = name == "-" ? nil : try NamedFile(name, .files(report.force))
      if report.replayable { return try writeReplayable(trace, to: file, console) }
      let text = try ProblemReport(
        preferences, check: report.check, trace: trace, mustExist: report.namesTrace
      ).text
      guard let file else {
        OutputFile.standardOutput.write(text)
        return
      }
      let saved = try file.write(Array(text.utf8), isSecret: true)
      if output.json { console.json(ProblemJSON(file: report.output, trace: trace)) }
      console.result(saved.sentence + " Read it, say what happened, then send it.")
      if trace == nil {
        console.remark(
          "It has no trace: run the command that failed with --trace FILE, then this one again.")
      }
    } catch {
      throw ExitCode(console.fail("report-problem", error).rawValue)
    }
  }

  /// Writes the trace as a file that a simulated board answers from; nil: to standard output.
  private func writeReplayable(
    _ trace: String?, to file: NamedFile?, _ console: Console
  ) throws(BenchError) {
    guard let trace else {
      throw BenchError(
        .noInput, "No trace is known: run the command that failed with --trace FILE first.")
    }
    let replayable = try ReplayableTrace(of: trace, version: ProgramVersion.number)
    guard let file else {
      OutputFile.standardOutput.write(replayable.text)
      return
    }
    let saved = try file.write(Array(replayable.text.utf8), isSecret: true)
    if output.json { console.json(ProblemJSON(file: file.path, trace: trace)) }
    console.result(
      saved.sentence
        + " It has \(counted(replayable.count, "exchange")); keys and passwords are masked.")
    console.result(
      "Try it: run the command that failed with --reader sim:trace=\(file.path), then send the file with that command."
    )
  }
}

/// What goes into a problem report, and where it goes.
struct ProblemOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
  var output = "nfcprog-problem.txt"

  @Flag(help: "Replace a file that exists.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "The trace to include (default: the last that --trace wrote).", valueName: "file"))
  var trace: String?

  @Flag(
    help: ArgumentHelp(
      "Write the trace alone, for --reader sim:trace=FILE (default file: nfcprog-problem.trace)."))
  var replayable = false

  @Flag(help: "Open each reader and run its self-test, as readers --check does.")
  var check = false

  /// Is true if the command line names the trace. One of the settings file may never have been
  /// written.
  var namesTrace: Bool {
    CommandLine.arguments.contains { $0 == "--trace" || $0.hasPrefix("--trace=") }
  }

  /// The file of a trace that can be replayed.
  var replayableOutput: String {
    output == "nfcprog-problem.txt" ? "nfcprog-problem.trace" : output
  }

  func validate() throws {
    guard !replayable || !check else {
      throw ValidationError("--replayable has the trace alone, --check tests readers: use one.")
    }
    guard !output.isEmpty else { throw ValidationError("--output takes the name of a file.") }
  }
}
