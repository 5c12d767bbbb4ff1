import JSON
import NDEF
import WebAddress

/// Links of which a tag fills in a part as it is read.
extension LinkCheck {
  /// Checks a message: a yes or a no where it is one whatever the tag fills in, else it is not
  /// known. The rest as for a message that is known.
  package init(
    _ message: VaryingMessage, carrier: BackgroundReading.Carrier = .init(),
    association: Association?, appIDs: [String] = [], entitlement: [String]? = nil
  ) {
    func reading(_ bytes: [UInt8]) -> BackgroundReading {
      BackgroundReading(parsing: bytes, carrier: carrier)
    }
    func check(_ bytes: [UInt8]) -> LinkCheck {
      LinkCheck(
        reading(bytes), association: association, appIDs: appIDs, entitlement: entitlement)
    }
    guard !message.places.isEmpty else {
      self = check(message.bytes)
      return
    }
    let fillings = Self.representatives(
      of: message, message.samples.map(reading), association, appIDs)
    self.init(
      (fillings ?? [message.places.map { _ in 0 }]).map { check(message.filled($0)) },
      isComplete: fillings != nil, as: check(message.bytes))
  }

  /// Is true if the answer is not known because it hangs on what a tag fills in.
  package var hangsOnTag: Bool { findings.contains { $0.code == .linkVaries && $0.isDoubt } }

  /// Fillings of the message that stand for all; nil where these cannot be told.
  private static func representatives(
    of message: VaryingMessage, _ readings: [BackgroundReading], _ association: Association?,
    _ appIDs: [String]
  ) -> [[Int]]? {
    var exploration = Exploration<PatternScanner>(message) { UInt32($0) }
    // What no file decides does not hang on what the link is.
    guard readings.contains(where: { $0.handler == .webLink }) else {
      return Set(readings.map(\.handler)).count == 1 ? exploration.representatives() : nil
    }
    let links = readings.compactMap { $0.handler == .webLink ? $0.link : nil }
    guard links.count == readings.count, Set(links.map(Site.init)).count == 1 else { return nil }
    for matcher in association?.matchers ?? [] {
      for reading in LinkReading.all(of: links) {
        guard let reading, matcher.add(to: &exploration, reading, appIDs) else { return nil }
      }
    }
    return exploration.representatives()
  }

  /// What of a link decides which file is asked.
  private struct Site: Hashable {
    let (scheme, userInfo, host, port): (String, String?, String?, String?)

    init(_ link: Address) {
      (scheme, userInfo, host, port) = (link.scheme, link.userInfo, link.host, link.port)
    }

    static func == (one: Site, other: Site) -> Bool {
      one.scheme == other.scheme && one.userInfo == other.userInfo && one.host == other.host
        && one.port == other.port
    }

    func hash(into hasher: inout Hasher) { hasher.combine(host) }
  }

  /// Joins the checks of fillings that stand for all, unless not `isComplete`; `stored`: the check
  /// of the message as it is stored.
  private init(_ checks: [LinkCheck], isComplete: Bool, as stored: LinkCheck) {
    let yes = checks.first(where: \.wakesApp)
    let no = checks.first { !$0.wakesApp }
    self = yes ?? no ?? stored
    uri = stored.uri
    isUndecided = checks.contains(where: \.isUndecided)
    let common = (yes?.appIDs ?? []).filter { app in checks.allSatisfy { $0.appIDs.contains(app) } }
    if isComplete, no == nil, !common.isEmpty {
      appIDs = common
      return
    }
    let answers = Set(checks.map(\.conclusion.answer))
    if isComplete, answers.count == 1, yes == nil { return }
    (opens, wouldWake, appIDs) = (
      .unknown, Self.unique(checks.flatMap { $0.appIDs + $0.wouldWake }), []
    )
    findings = Self.unique(checks.flatMap(\.findings)).map(\.beside)
    verdicts = []
    func name(_ check: LinkCheck?) -> String { check?.uri ?? "" }
    let example =
      if yes != nil, no != nil {
        "\(name(yes)) wakes the app, \(name(no)) \(no?.opens == .unknown ? "perhaps not" : "does not")"
      } else {
        "what it may fill in is too much to be tried here"
      }
    report(
      .linkVaries, .url,
      """
      The tag fills in a part of the link as it is read, and whether the link wakes the app depends on that part: \(example). \
      Make the rules match whatever the tag fills in.
      """)
  }

  private static func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
  }
}
