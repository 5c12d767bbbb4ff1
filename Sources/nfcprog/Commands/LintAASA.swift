import ArgumentParser
import UniversalLinks

struct LintAASA: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint-aasa", abstract: "Find what is wrong with an apple-app-site-association.",
    discussion: "Exit status 65 when something in it is an error, 0 with no more than warnings.")

  @Argument(help: ArgumentHelp("The file; - is standard input.", valueName: "file"))
  var source: String

  @Flag(help: "Print one JSON object on standard output, nothing else.")
  var json = false

  @Flag(name: [.short, .long], help: "Say less on standard error.")
  var quiet = false

  func run() throws {
    let console = Console(json: json, quiet: quiet)
    let status: ExitStatus
    do throws(CommandFailure) {
      status = show(try Files.read(source), console)
    } catch {
      status = console.fail("lint-aasa", error)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func show(_ bytes: [UInt8], _ console: Console) -> ExitStatus {
    let findings = Lint.findings(parsing: bytes)
    let appIDs = (try? SiteAssociation(parsing: bytes).appIDs) ?? []
    if json { console.json(Lint.json(findings, source: source, appIDs: appIDs)) }
    if !(json && quiet) {
      for line in LinkCheck.lines(findings) { console.result(line) }
      let errors = findings.count { $0.severity == .error }
      let summary = "\(source): \(errors) errors, \(findings.count - errors) warnings"
      console.result(console.styled(summary, errors == 0 ? .good : .bad))
    }
    return Lint.isValid(findings) ? .success : .badInput
  }
}
