import JSON
import UniversalLinks

/// What a site says of one app and one link, and why.
struct Vouching {
  var truth: Truth
  var findings: [Finding]
  /// Is true if it is not known because the site could not be asked.
  var isUndecided = false
}

extension AssetLinks {
  /// Returns whether the file lets `app` open `link` on Android 16 and later, by Android's own
  /// verifier (com.android.statementservice). On most phones Google Play services verify, whose
  /// code is not public: where they may differ, it is not known.
  func vouching(for app: AndroidApp, _ link: AndroidURI) -> Vouching {
    let own = statements(for: app.packageName)
    let good = own.filter { $0.names(oneOf: app.fingerprints) }
    guard let statement = good.first else {
      if !includes.isEmpty { return Vouching(truth: .unknown, findings: findings) }
      return Vouching(truth: .no, findings: findings + missing(app, own))
    }
    var vouching = Vouching(truth: .yes, findings: findings.map(\.beside))
    func doubt(_ code: Finding.Code, _ text: String) {
      vouching.truth = .unknown
      vouching.findings.append(
        Finding(code, .json(statement.path, statement.position), text))
    }
    if app.fingerprints.isEmpty {
      vouching.findings.append(
        Finding(
          .fingerprintNotChecked, .assetLinks,
          """
          Whether the file has the certificate that signs \(app.packageName) was not checked. Give it behind the package \
          name.
          """))
    }
    if let spoiler = document.root.array?.first(where: Self.spoils) {
      doubt(
        .assetLinksSpoilt,
        """
        Line \(spoiler.position.line) has a statement that Android's own verifier cannot read, and then it drops the whole \
        file. What Google Play services do is not documented. Correct that statement.
        """)
    }
    if own.count(where: { $0.rules != nil }) > 1 {
      doubt(
        .dynamicRulesTwice,
        "Several statements have rules for \(app.packageName), and which count is not documented. Put all into one."
      )
      return vouching
    }
    guard let rules = own.compactMap(\.rules).first else { return vouching }
    guard let rule = rules.first(where: { $0.matches(link) }) else {
      vouching.truth = .no
      vouching.findings.append(
        Finding(
          .dynamicRuleUnmatched, .assetLinks,
          "No dynamic rule of the file matches the link: on Android 15 and later it stays in the browser."
        ))
      return vouching
    }
    if rule.isExclusion {
      vouching.truth = .no
      vouching.findings.append(
        Finding(
          .dynamicRuleExcludes, .json(rule.path, rule.position),
          "This rule excludes the link: on Android 15 and later it stays in the browser."))
    }
    return vouching
  }

  private func missing(_ app: AndroidApp, _ own: [Statement]) -> [Finding] {
    guard !own.isEmpty else {
      let others = Set(statements.filter(\.opensLinks).compactMap(\.packageName)).sorted()
      return [
        Finding(
          .androidAppNotListed, .assetLinks,
          "The file lets \(others.isEmpty ? "no app" : others.joined(separator: ", ")) open links, not \(app.packageName)."
        )
      ]
    }
    let isExplained = findings.contains { finding in
      finding.code.rawValue.hasPrefix("fingerprint-") && finding.severity == .error
    }
    guard !isExplained || own.flatMap(\.fingerprints).contains(where: Self.isUsable) else {
      return []
    }
    return [
      Finding(
        .fingerprintNotListed, .assetLinks,
        """
        The file has other certificates for \(app.packageName) than the one given. For an app from Google Play it is the \
        certificate of Play App Signing that counts.
        """)
    ]
  }

  private static func isUsable(_ text: String) -> Bool {
    CertificateFingerprint(text).map { "\($0)" == text && !$0.isExample } ?? false
  }

  /// Returns whether Android's own verifier throws on `element`, and so drops the file: a number or
  /// null anywhere, a relation without `/`, an unknown namespace, an app without name or
  /// fingerprints. A statement without relation or target is only skipped.
  static func spoils(_ element: JSONValue) -> Bool {
    guard let members = element.object, !hasNumberOrNull(element) else { return true }
    guard members.last(named: "include") == nil,
      let relation = members.last(named: "relation")?.array,
      let target = members.last(named: "target")?.object
    else { return false }
    guard relation.allSatisfy({ $0.string?.contains("/") ?? false }) else { return true }
    switch target.last(named: "namespace")?.string {
    case "web": return false
    case "android_app":
      let prints = target.last(named: "sha256_cert_fingerprints")?.array ?? []
      return prints.isEmpty || !prints.allSatisfy { $0.string != nil }
        || target.last(named: "package_name")?.string == nil
    default: return true
    }
  }

  private static func hasNumberOrNull(_ value: JSONValue) -> Bool {
    switch value.content {
    case .array(let elements): elements.contains(where: hasNumberOrNull)
    case .object(let members): members.contains { hasNumberOrNull($0.value) }
    case .number, .null: true
    default: false
    }
  }
}
