import ArgumentParser
import Bench
import Bytes
import UniversalLinks

struct LintAASA: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint-aasa", abstract: "Check an apple-app-site-association for errors.",
    discussion: """
        nfcprog lint-aasa aasa

      For a domain, fetches the file from the site's two places and from Apple's CDN, and compares them. Exit \
      status: 65 if there is an error, 0 if there are only warnings.
      """)

  @Argument(
    help: ArgumentHelp(
      "A file, - for standard input, an https address, or a domain.",
      valueName: "file|url|domain"))
  var source: String

  struct Output: ParsableArguments {
    @OptionGroup var document: DocumentOptions

    @Flag(name: [.short, .long], help: "Print less on standard error.")
    var quiet = false
  }

  @OptionGroup(title: "Output") var output: Output

  private var json: Bool { output.document.json }
  private var quiet: Bool { output.quiet }

  func run() throws {
    let console = Console(json: json, quiet: quiet)
    let status: ExitStatus
    do throws(BenchError) {
      let (bytes, findings) = try content()
      status = show(bytes, findings, console)
    } catch {
      status = console.fail("lint-aasa", error)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// The file, nil when it cannot be fetched, and what was odd about getting it.
  private func content() throws(BenchError) -> ([UInt8]?, [Finding]) {
    switch AssociationSource(source) {
    case .file(let path): return (try Files.read(path), [])
    case .linkHost: return (try Files.read(source), [])
    case .address(let address):
      let fetch = try Network(Console.environment).file(at: address)
      return (fetch.bytes, fetch.findings)
    case .domain(let domain):
      let fetch = try Network(Console.environment).files(ofDomain: domain)
      return (fetch.bytes, fetch.findings)
    }
  }

  private func show(_ bytes: [UInt8]?, _ fetching: [Finding], _ console: Console) -> ExitStatus {
    let findings = fetching + (bytes.map { Lint.findings(parsing: $0) } ?? [])
    let appIDs = bytes.flatMap { try? SiteAssociation(parsing: $0).appIDs } ?? []
    if json { console.json(LintJSON(findings, source: source, appIDs: appIDs)) }
    if !(json && quiet) {
      for line in LinkCheck.lines(findings) { console.result(line) }
      let errors = findings.count { $0.severity == .error }
      let warnings = findings.count { $0.severity == .warning }
      let summary =
        "\(source): \(counted(errors, "error")), "
        + "\(counted(warnings, "warning"))"
      console.result(console.styled(summary, errors == 0 ? .good : .bad))
    }
    return Lint.isValid(findings) ? .success : .badInput
  }
}
