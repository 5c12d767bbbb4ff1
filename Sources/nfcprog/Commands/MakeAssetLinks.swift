import AppLinks
import ArgumentParser
import BenchKit

struct MakeAssetLinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-assetlinks", abstract: "Print an assetlinks.json for Android apps.",
    discussion: """
      Serve the file as https://DOMAIN/.well-known/assetlinks.json, as application/json, without a redirect. For an app from \
      Google Play the fingerprint is that of Play App Signing (Play Console, App integrity).
      """)

  @Option(
    help: ArgumentHelp(
      "An app and the SHA-256 of its signing certificate (repeatable).",
      valueName: "package,sha256"))
  var androidApp: [String] = []

  func run() throws {
    let console = Console()
    do throws(AppLinksError) {
      var apps: [AndroidApp] = []
      for text in androidApp { apps.append(try AndroidApp(parsing: text)) }
      OutputFile.standardOutput.write(try AssetLinksWriter(apps: apps).text())
    } catch {
      let failure = BenchError(.badInput, error.description)
      throw ExitCode(console.fail("make-assetlinks", failure).rawValue)
    }
  }
}
