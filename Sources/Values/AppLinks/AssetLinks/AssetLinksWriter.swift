import JSON

/// Writes an asset links file that lets apps open a site's links.
package struct AssetLinksWriter: Hashable, Sendable {
  package var apps: [AndroidApp]

  package init(apps: [AndroidApp]) { self.apps = apps }

  /// The file, one statement an app; the same input gives the same bytes, and `AssetLinks.findings`
  /// finds nothing in them. Throws where an app has no fingerprint.
  package func text() throws(AppLinksError) -> String {
    guard !apps.isEmpty else { throw .nothingToWrite("Give at least one app.") }
    if let app = apps.first(where: \.fingerprints.isEmpty) {
      throw .nothingToWrite(
        "\(app.packageName) needs the SHA-256 of its signing certificate: \(app.packageName),SHA256."
      )
    }
    let statements = apps.map { app in
      JSONText.object([
        ("relation", .array([.string(AssetLinks.handleAllURLs)])),
        (
          "target",
          .object([
            ("namespace", .string("android_app")), ("package_name", .string(app.packageName)),
            (
              "sha256_cert_fingerprints", .array(app.fingerprints.map { .string("\($0)") })
            ),
          ])
        ),
      ])
    }
    return JSONText.array(statements).pretty() + "\n"
  }
}
