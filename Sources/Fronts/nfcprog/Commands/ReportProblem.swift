import ArgumentParser
import Bench

struct ReportProblem: PreferringCommand {
  static let configuration = CommandConfiguration(
    commandName: "report-problem",
    abstract: "Collect what a problem report needs in one file.",
    discussion: """
        nfcprog report-problem

      The file has the version, the readers, the settings, the system and the last trace. Nothing is sent. Keys and \
      passwords are left out; read the file before you send it. Run the command that failed with --trace FILE first.
      """)

  @OptionGroup(title: "Report") var report: ProblemOptions

  @OptionGroup(title: "Output") var output: DocumentOptions

  func run(_ preferences: Preferences) throws {
    let console = Console(json: output.json)
    do throws(BenchError) {
      let file =
        report.output == "-" ? nil : try NamedFile(report.output, .files(report.force))
      let trace = report.trace ?? LastTrace(Console.environment).path
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

  @Flag(help: "Open each reader and run its self-test, as readers --check does.")
  var check = false

  /// Whether the command line names the trace. One of the settings file may never have been
  /// written.
  var namesTrace: Bool {
    CommandLine.arguments.contains { $0 == "--trace" || $0.hasPrefix("--trace=") }
  }

  func validate() throws {
    guard !output.isEmpty else { throw ValidationError("--output takes the name of a file.") }
  }
}
