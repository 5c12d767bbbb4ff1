import ArgumentParser
import Bench
import UniversalLinks

struct MakeAASA: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-aasa", abstract: "Print an apple-app-site-association for an app.",
    discussion: """
        nfcprog make-aasa --app-id Q7K2M9P4ZX.com.example.app --path '/t/*'

      In patterns, * stands for any number of characters and ? for one. Without --path the app gets \
      every link of the domain. Serve the file as https://DOMAIN/.well-known/apple-app-site-association.
      """)

  @Option(
    name: .customLong("app-id"),
    help: ArgumentHelp(
      "The app: prefix, dot, bundle ID, as in Q7K2M9P4ZX.com.example.app (repeatable).",
      valueName: "id"))
  var appID: [String] = []

  @Option(help: ArgumentHelp("Paths that open the app, such as /t/*.", valueName: "pattern"))
  var path: [String] = []

  @Option(help: ArgumentHelp("Paths that stay in the browser.", valueName: "pattern"))
  var exclude: [String] = []

  @Option(help: ArgumentHelp("An App Clip of the domain.", valueName: "id"))
  var appClip: [String] = []

  func validate() throws {
    guard !appID.isEmpty || !appClip.isEmpty else {
      throw ValidationError("Give at least one --app-id, such as Q7K2M9P4ZX.com.example.app.")
    }
    guard !appID.isEmpty || (path.isEmpty && exclude.isEmpty) else {
      throw ValidationError("--path and --exclude are for apps: give an --app-id.")
    }
  }

  func run() throws {
    let console = Console()
    do throws(UniversalLinksError) {
      let writer = SiteAssociationWriter(
        appIDs: appID, paths: path, exclusions: exclude, appClips: appClip)
      OutputFile.standardOutput.write(try writer.text())
    } catch {
      let failure = BenchError(.badInput, sentence(error.description))
      throw ExitCode(console.fail("make-aasa", failure).rawValue)
    }
  }
}
