import AppLinks
import ArgumentParser
import Bench

struct MakeAssetLinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-assetlinks", abstract: "Print an assetlinks.json for Android apps.",
    discussion: """
        nfcprog make-assetlinks --android-app com.example.app,$SHA256

      Serve the file as https://DOMAIN/.well-known/assetlinks.json, as application/json, without a redirect. For an app from \
      Google Play the fingerprint is that of Play App Signing (Play Console, App integrity). The intent filters that the \
      app needs for it are printed on standard error.
      """)

  @Option(
    help: ArgumentHelp(
      "An app and the SHA-256 of its signing certificate (repeatable).",
      valueName: "package,sha256"))
  var androidApp: [String] = []

  @Option(
    help: ArgumentHelp(
      "The domain of the links, for the intent filters.", valueName: "domain"))
  var domain = "example.com"

  func run() throws {
    let console = Console()
    do throws(AppLinksError) {
      var apps: [AndroidApp] = []
      for text in androidApp { apps.append(try AndroidApp(parsing: text)) }
      OutputFile.standardOutput.write(try AssetLinksWriter(apps: apps).text())
      for line in IntentFilterText.lines(host: domain) { console.remark(line) }
    } catch {
      let failure = BenchError(.badInput, error.description)
      throw ExitCode(console.fail("make-assetlinks", failure).rawValue)
    }
  }
}
