import JSON

/// A Digital Asset Links file, `/.well-known/assetlinks.json`: what a site says of Android apps.
///
/// developers.google.com, Digital Asset Links, Statement lists; developer.android.com, Configure
/// website associations and dynamic rules.
package struct AssetLinks: Sendable {
  /// The relation that lets an app open the site's links.
  package static let handleAllURLs = "delegate_permission/common.handle_all_urls"
  /// Android reads no larger file: a megabyte (com.android.statementservice, UrlFetcher).
  package static let byteLimit = 1 << 20
  /// Where a site keeps the file.
  package static let path = "/.well-known/assetlinks.json"

  /// One statement of the list.
  package struct Statement: Sendable {
    package let relations: [String]
    /// `android_app`, `web`, or whatever is written there.
    package let namespace: String?
    package let packageName: String?
    /// As written.
    package let fingerprints: [String]
    /// The rules for Android 15 and later; nil where there are none, or none that can be read.
    package let rules: [DynamicRule]?
    /// Is true if there are rules that cannot be read, which Android discards.
    package let hasMalformedRules: Bool
    package let path: JSONPath
    package let position: JSONPosition

    /// Is true if it lets an Android app open links.
    package var opensLinks: Bool {
      namespace == "android_app" && relations.contains(AssetLinks.handleAllURLs)
    }
  }

  package let statements: [Statement]
  /// Addresses of further files, which Android reads too.
  package let includes: [String]
  let document: JSONDocument

  /// Reads a file. Throws when it is no JSON, or no list.
  package init(parsing bytes: some Sequence<UInt8>) throws(AppLinksError) {
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw .json(error)
    }
    guard let list = document.root.array else { throw .notAList(document.root.typeName) }
    var statements: [Statement] = []
    var includes: [String] = []
    for (index, element) in list.enumerated() {
      guard let members = element.object else { continue }
      if let address = members.last(named: "include")?.string { includes.append(address) }
      guard members.last(named: "target") != nil else { continue }
      statements.append(
        Statement(members, path: JSONPath()[index], position: element.position))
    }
    self.statements = statements
    self.includes = includes
  }

  /// The statements that let `packageName` open links.
  package func statements(for packageName: String) -> [Statement] {
    statements.filter { $0.opensLinks && $0.packageName == packageName }
  }
}

extension AssetLinks.Statement {
  init(_ members: [JSONMember], path: JSONPath, position: JSONPosition) {
    let target = members.last(named: "target")?.object ?? []
    relations = (members.last(named: "relation")?.array ?? []).compactMap(\.string)
    namespace = target.last(named: "namespace")?.string
    packageName = target.last(named: "package_name")?.string
    fingerprints =
      (target.last(named: "sha256_cert_fingerprints")?.array ?? []).compactMap(\.string)
    let extensions = members.last(named: "relation_extensions")
    let components = extensions?.object?.last(named: AssetLinks.handleAllURLs)?.object?
      .last(named: "dynamic_app_link_components")?.array
    let place = path["relation_extensions"][AssetLinks.handleAllURLs]["dynamic_app_link_components"]
    let read = components?.enumerated().map { DynamicRule($1, path: place[$0]) }
    let isSound = read.map { !$0.isEmpty && !$0.contains { $0 == nil } } ?? false
    rules = isSound ? read?.compactMap(\.self) : nil
    let own = extensions?.object?.last(named: AssetLinks.handleAllURLs)
    hasMalformedRules = (own != nil || (extensions != nil && extensions?.object == nil)) && !isSound
    self.path = path
    self.position = position
  }

  /// Returns whether one of the statement's certificates is among `wanted`, or where none is asked
  /// for whether it has any. Android compares the text, upper-case digits and colons.
  func names(oneOf wanted: [CertificateFingerprint]) -> Bool {
    fingerprints.contains { text in
      guard let print = CertificateFingerprint(text), "\(print)" == text, !print.isExample else {
        return false
      }
      return wanted.isEmpty || wanted.contains(print)
    }
  }
}
