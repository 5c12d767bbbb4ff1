import UniversalLinks

// Application records and web links have steps of their own.
extension AndroidDispatch {
  // MARK: Application records

  /// For each named app in turn a filter of its own; else the first one's launcher, else the store.
  mutating func byRecord(_ release: AndroidRelease) -> (AndroidOutcome, String) {
    let first = packages[0]
    guard packages.contains(app.packageName) else {
      report(
        .otherAndroidApp, .tag,
        "An application record on the tag starts \(first), not \(app.packageName). Write the record again."
      )
      return isPackageName(first)
        ? (.other, "it names \(first)") : (.store, "it names \(first), which no app is called")
    }
    guard let manifest else {
      reportNoManifest()
      return (.unknown, "it starts the app; whether with the link is not known")
    }
    let isFirst = first == app.packageName
    let filter = ndefFilter(release)
    switch filter.taken {
    case .yes:
      if !isFirst { reportFormer(first) }
      return (.app, "a filter for NFC of the app takes what the first record holds")
    case .unknown:
      return (.unknown, "it starts the app; whether with the link is not known")
    case .no: break
    }
    guard isFirst else {
      report(
        .otherAndroidApp, .tag,
        """
        The first application record names \(first), which starts: \(app.packageName) has no matching NDEF_DISCOVERED filter. \
        Add one, or put the app's record first.
        """)
      return (.other, "the first one names \(first)")
    }
    return launcher(of: manifest, isPassedOver: filter.isPassedOver)
  }

  private mutating func launcher(
    of manifest: AppManifest, isPassedOver: Bool
  ) -> (AndroidOutcome, String) {
    switch manifest.activities.any(\.isLauncher) {
    case .unknown: return (.unknown, "whether the app has an activity to start is not known")
    case .no:
      report(
        .storeOpens, .manifest(line: 1),
        "The app has no matching NDEF_DISCOVERED filter and no activity for the home screen, so the store opens. Add the filter."
      )
      return (.store, "the app has no activity that it could start")
    case .yes: break
    }
    if isPassedOver {
      return (
        .launcher, "it starts the app without the link, since the activity for NFC is passed over"
      )
    }
    if packages.count == records.count || records[0].namedAndroidPackage != nil {
      report(
        .recordTakesLink, .record(0),
        """
        The application record comes first, so the app starts without a link: Android looks at the first record for that. \
        Put the link first and the application record behind it.
        """)
      return (.launcher, "it comes first and starts the app without a link")
    }
    report(
      .recordTakesLink, .tag,
      """
      The record starts the app without the link: no NDEF_DISCOVERED filter of an exported activity, with the category DEFAULT, \
      takes \(data). Add one, or leave the record out: Android 16 opens a verified link by itself.
      """)
    return (.launcher, "it starts the app without the link, which no filter for NFC takes")
  }

  private mutating func reportFormer(_ first: String) {
    let finding = Finding(
      .otherAndroidApp, .tag,
      "\(first) is named first: where it is installed and has a filter for the link, it starts.")
    add([finding.beside])
  }

  private func isPackageName(_ text: String) -> Bool {
    (try? AndroidApp(parsing: text))?.packageName == text
  }

  // MARK: Web links without a record

  /// Up to Android 15 browsers filter for web links on tags, too.
  mutating func byLinkFilters(_ release: AndroidRelease) -> (AndroidOutcome, String) {
    guard let manifest else {
      reportNoManifest()
      return (.unknown, "the browser, or the phone asks: the app's filters are not known")
    }
    switch ndefFilter(release).taken {
    case .unknown: return (.unknown, "whether a filter for NFC takes the link is not known")
    case .no:
      report(
        .browserBefore16, .tag,
        """
        Up to Android 15 the browser opens the link: a verified App Link alone does not start the app from a tag. Put an \
        application record behind the link and an NDEF_DISCOVERED filter into the app.
        """)
      return (.browser, "the browser asks for links on tags, and the app does not")
    case .yes: break
    }
    let priorities = manifest.activities.flatMap { activity in
      activity.takes(data, for: .ndef, on: release) == .no
        ? [] : activity.filters(for: .ndef).filter { $0.takes(data, on: release) == .yes }
    }.map(\.priority)
    guard priorities.contains(where: { $0 >= 0 }) else {
      report(
        .browserBefore16, .tag,
        "Up to Android 15 the browser opens the link: the app's filter has a priority below 0. Leave android:priority out."
      )
      return (.browser, "the app's filter has a priority below the browser's")
    }
    report(
      .phoneAsks, .tag,
      """
      Up to Android 15 the app's filter stands beside the browser's, so the phone asks, or opens what the user chose once. Put an \
      application record behind the link.
      """)
    return (.chooser, "the app's filter and the browser's both take the link")
  }

  /// From Android 16 a web link is opened as if it had been tapped: filters for NFC are not asked.
  mutating func byView(_ release: AndroidRelease) -> (AndroidOutcome, String) {
    add(vouching.findings)
    let declared = declares(release)
    switch declared & vouching.truth {
    case .yes: return (.app, "the site vouches for the app, whose manifest takes the link")
    case .no:
      let reason =
        declared == .no
        ? "the app's manifest does not take the link" : "the site does not let the app open it"
      return (.browser, reason)
    case .unknown: return (.unknown, "whether the link is verified for the app is not known")
    }
  }

  /// Returns whether the app asks for the link and for the host to be verified.
  private mutating func declares(_ release: AndroidRelease) -> Truth {
    guard let link, let host = link.host, !host.isEmpty else { return .no }
    guard let manifest else {
      reportNoManifest()
      return .unknown
    }
    let takers = manifest.activities.filter { $0.takes(data, for: .view, on: release) != .no }
    let taken = takers.any { $0.takes(data, for: .view, on: release) & viewPermission($0) }
    guard taken != .no, let taker = takers.first else {
      report(.linkNotInManifest, .manifest(line: nearestLine(host, link)), unmatched(host, link))
      return .no
    }
    let verified = manifest.verifies(host, port: link.port)
    if verified == .no {
      report(
        .notAutoVerified, .manifest(line: taker.filters(for: .view).first?.line ?? taker.line),
        """
        No filter asks for \(host) to be verified, so the browser opens: that takes android:autoVerify="true" and no other \
        schemes than http and https\(manifest.targetSDK == nil ? " (from targetSdkVersion 31 on)" : "").
        """)
    }
    return taken & verified
  }

  private func viewPermission(_ activity: ManifestActivity) -> Truth {
    switch activity.permission {
    case .none, .dispatch: .yes
    case .other, .unknown: .unknown
    }
  }

  private var filters: [IntentFilter] { manifest?.activities.flatMap(\.filters) ?? [] }

  private func near(_ host: String, _ link: AndroidURI) -> IntentFilter? {
    filters.first { $0.hosts.any { $0.covers(host, port: link.port) } == .yes }
  }

  private func nearestLine(_ host: String, _ link: AndroidURI) -> Int {
    near(host, link)?.line ?? 1
  }

  private func unmatched(_ host: String, _ link: AndroidURI) -> String {
    guard let near = near(host, link) else {
      return "No intent filter has the host \(host), so the app does not ask for its links."
    }
    guard near.isFor(.view), near.mimeTypes.isEmpty else {
      return
        "The filter for \(host) lacks the action VIEW or a category, DEFAULT or BROWSABLE, or asks for a type of data."
    }
    guard near.takes(data, on: .android17) != .yes else {
      return
        "The activity whose filter takes the link is not exported, or switched off, so nobody can start it."
    }
    return
      "The intent filters for \(host) do not match the link: look at their schemes and paths."
  }
}

extension AppManifest {
  /// Returns whether Android verifies `host` for the app (com.android.server.pm.verify.domain,
  /// DomainVerificationCollector): by one filter with autoVerify that is for links of it and, from
  /// targetSdkVersion 31 on, has no other schemes.
  func verifies(_ host: String, port: String?) -> Truth {
    let web: Set = ["http", "https"]
    return activities.flatMap(\.filters).any { filter in
      guard filter.isFor(.view), !filter.schemes.isDisjoint(with: web),
        (targetSDK ?? 37) < 31 || filter.schemes.isSubset(of: web)
      else { return .no }
      return filter.isVerified
        & filter.hosts.any { $0.verifiedHost == nil ? .no : $0.covers(host, port: port) }
    }
  }

  /// The hosts whose asset links decide of links to `host`: itself, or of a wildcard its parent.
  package func fileHosts(of host: String) -> [String] {
    let hosts = activities.flatMap(\.filters).filter { $0.isFor(.view) && $0.isVerified != .no }
      .flatMap(\.hosts).filter { $0.covers(host, port: $0.port) == .yes }.compactMap(\.verifiedHost)
    return hosts.isEmpty ? [host] : hosts
  }
}
