import NDEF
import UniversalLinks

/// Follows a message through the dispatch of each version of Android, as an app's manifest and its
/// site answer.
///
/// Not to be seen from here: the screen, an app in front that takes all tags, what the user chose,
/// which other apps are installed.
struct AndroidDispatch {
  let app: AndroidApp
  let manifest: AppManifest?
  /// The site's word on the app, for the versions that ask it.
  let vouching: Vouching
  let records: [Record]
  let data: IntentData
  /// The apps that application records name, in their order.
  let packages: [String]
  private(set) var findings: [Finding] = []

  init(_ message: Message?, app: AndroidApp, manifest: AppManifest?, vouching: Vouching) {
    (self.app, self.manifest, self.vouching) = (app, manifest, vouching)
    records = message?.records ?? []
    data = records.first.map { IntentData($0) } ?? .none
    packages = records.compactMap(\.namedAndroidPackage)
  }

  /// The web link that the first record holds.
  var link: AndroidURI? {
    if case .uri(let uri) = data, uri.isWebLink { uri } else { nil }
  }

  mutating func report(_ code: Finding.Code, _ place: Finding.Place, _ text: String) {
    add([Finding(code, place, text)])
  }

  /// Adds a finding that was not reported yet.
  mutating func add(_ more: [Finding]) {
    for finding in more where !findings.contains(finding) { findings.append(finding) }
  }

  /// The verdict for `release`.
  mutating func version(on release: AndroidRelease) -> AndroidVersion {
    func version(_ step: DispatchStep, _ answer: (AndroidOutcome, String)) -> AndroidVersion {
      AndroidVersion(release: release, outcome: answer.0, step: step, reason: answer.1)
    }
    if let manifest, !manifest.isInstallable(on: release) {
      return version(.installation, withoutApp(manifest))
    }
    guard !records.isEmpty else {
      return version(
        .technologies, byTechnology(release, "the tag has no message that can be read"))
    }
    if records.asksForBluetooth { return version(.bluetooth, asksSystem("Bluetooth")) }
    if records.asksForWiFi { return version(.wifi, asksSystem("Wi-Fi")) }
    if data == .none {
      if !packages.isEmpty {
        report(
          .firstRecordUnmapped, .record(0),
          """
          The first record is for no app, so Android does not look at the application record. Put the link first and the \
          application record behind it.
          """)
      }
      return version(.technologies, byTechnology(release, "the first record is for no app"))
    }
    if !packages.isEmpty { return version(.applicationRecord, byRecord(release)) }
    guard link != nil else { return version(.dataFilters, byData(release)) }
    if release >= .android16 { return version(.linkView, byView(release)) }
    var answer = byLinkFilters(release)
    // The new way hangs on a flag there.
    if release == .android15 { answer.1 += "; some builds do as Android 16" }
    return version(.linkFilters, answer)
  }

  private mutating func withoutApp(_ manifest: AppManifest) -> (AndroidOutcome, String) {
    report(
      .releaseTooOld, .manifest(line: 1),
      "The app's minSdkVersion is \(manifest.minimumSDK ?? 0), so it cannot be installed on every Android that was asked for."
    )
    let reason = "the app cannot be installed there"
    if !packages.isEmpty { return (.store, reason) }
    return (link == nil ? .nothing : .browser, reason)
  }

  private mutating func asksSystem(_ subject: String) -> (AndroidOutcome, String) {
    report(
      .systemAsks, .tag,
      "The phone asks about \(subject) and does not look at the link or at an application record. Put them on a tag of their own."
    )
    return (.system, "the phone asks about \(subject)")
  }

  // MARK: Filters for NFC

  /// Returns whether an NDEF_DISCOVERED filter of the app takes the first record, and where none
  /// does, why.
  mutating func ndefFilter(_ release: AndroidRelease) -> (taken: Truth, isPassedOver: Bool) {
    guard let manifest else { return (.unknown, false) }
    let before = findings
    var (result, isPassedOver) = (Truth.no, false)
    for activity in manifest.activities {
      let taken = activity.takes(data, for: .ndef, on: release)
      guard taken != .no else { continue }
      let passed = passes(activity, release)
      isPassedOver = isPassedOver || passed == .no
      result = result | taken & passed
    }
    if result == .yes {
      // One activity is enough: what is said of the others leaves the answer.
      let others = findings.filter { !before.contains($0) }
      findings = before
      add(others.map(\.beside))
    }
    return (result, isPassedOver)
  }

  /// Returns whether the NFC service may start `activity` for what a tag holds.
  private mutating func passes(_ activity: ManifestActivity, _ release: AndroidRelease) -> Truth {
    switch activity.permission {
    case .dispatch:
      if activity.isLauncher != .no || !activity.filters(for: .view).isEmpty {
        report(
          .activityGuarded, .manifest(line: activity.line),
          """
          \(activity.name) has the permission DISPATCH_NFC_MESSAGE, and also a filter for the home screen or for browsers: \
          nobody but the NFC service can start it. Give the filter for NFC an activity-alias of its own.
          """)
      }
      return .yes
    case .other(let name):
      report(
        .permissionUnknown, .manifest(line: activity.line),
        "Whether the NFC service holds \(name), which \(activity.name) wants, is not known.")
      return .unknown
    case .unknown: return .unknown
    case .none: break
    }
    guard release >= .android17, let manifest else { return .yes }
    guard let target = manifest.targetSDK else {
      report(
        .targetNotKnown, .manifest(line: activity.line),
        """
        The manifest has no targetSdkVersion. From 37 on, Android 17 passes \(activity.name) over, unless it has \
        android:permission="android.permission.DISPATCH_NFC_MESSAGE". Give the merged manifest, or the permission.
        """)
      return .unknown
    }
    guard target >= 37 else { return .yes }
    report(
      .permissionMissing, .manifest(line: activity.line),
      """
      Android 17 passes \(activity.name) over: with targetSdkVersion 37 it needs \
      android:permission="android.permission.DISPATCH_NFC_MESSAGE", in an activity or alias without other filters.
      """)
    return .no
  }

  // MARK: Without a filter for the data

  /// Filters for technologies and for tags as such, which come last.
  private mutating func byTechnology(
    _ release: AndroidRelease, _ reason: String
  ) -> (AndroidOutcome, String) {
    guard let manifest else {
      reportNoManifest()
      return (.unknown, reason + ", and which technologies the app asks for is not known")
    }
    var asked: Set<IntentFilter.Action> = []
    for activity in manifest.activities where activity.isStartable != .no {
      let actions = [.technology, .tag].filter { !activity.filters(for: $0).isEmpty }
      if !actions.isEmpty, passes(activity, release) != .no { asked.formUnion(actions) }
    }
    guard !asked.isEmpty else {
      // Which filter the data want was said already.
      if !findings.contains(where: { $0.code == .filterUnmatched }) {
        report(
          .filterUnmatched, .manifest(line: 1),
          "No filter of the app for NFC takes what the tag holds, so the app does not start.")
      }
      return (.nothing, reason + ", and no filter of the app takes such a tag")
    }
    guard asked.contains(.technology) else {
      report(
        .technologyFilter, .manifest(line: 1),
        """
        The app asks for tags as such (TAG_DISCOVERED). That comes last: another app that asks for the tag's technology goes \
        before it, and from Android 16 on it may have to be allowed first.
        """)
      return (.unknown, reason + ", and whether another app takes the tag before is not known")
    }
    report(
      .technologyFilter, .manifest(line: 1),
      "The app asks for tags by their technology. Whether this tag is one of them stands in its list of technologies."
    )
    return (.unknown, reason + ", and the app's list of technologies is not in the manifest")
  }

  mutating func reportNoManifest() {
    report(
      .manifestNotChecked, .manifest(line: 1),
      "The app's manifest was not checked, so its hosts, its paths and its filters for NFC are not known. Give it with --manifest."
    )
  }

  private mutating func byData(_ release: AndroidRelease) -> (AndroidOutcome, String) {
    guard manifest != nil else {
      reportNoManifest()
      return (.unknown, "the app's filters are not known")
    }
    switch ndefFilter(release) {
    case (.yes, _):
      guard data.isForSystem else { return (.app, "its filter for NFC takes the data") }
      report(
        .phoneAsks, .tag,
        "An app of the system asks for such data, too, so the phone asks which one is to open it.")
      return (.chooser, "the app and one of the system ask for such data")
    case (.unknown, _): return (.unknown, "whether its filter for NFC takes the data is not known")
    case (.no, let isPassedOver):
      if !isPassedOver { reportUnmatched() }
      if data.isForSystem { return (.system, "no filter of the app takes the data") }
      return byTechnology(release, "no filter of the app takes the data")
    }
  }

  private mutating func reportUnmatched() {
    report(
      .filterUnmatched, .manifest(line: 1),
      """
      No NDEF_DISCOVERED filter of an activity that is exported, with the category DEFAULT, takes \(data). Add one.
      """)
  }
}

extension IntentData: CustomStringConvertible {
  /// The data that a filter has to take.
  package var description: String {
    switch self {
    case .uri(let uri): uri.text
    case .mime(let type): "the type \(type)"
    case .none: "the first record"
    }
  }

  /// Is true if an app of the system filters for it on every phone.
  var isForSystem: Bool {
    switch self {
    case .uri(let uri): ["tel", "mailto", "sms", "smsto", "mms", "mmsto"].contains(uri.scheme)
    case .mime(let type): ["text/vcard", "text/x-vcard"].contains(type)
    case .none: false
    }
  }
}
